"""A management controller (BMC) of the fake machine, as ipmitool shows it.

The output is that of ipmitool 1.8.19 for `-c -v sdr list` and `-c sel elist last N`
(lib/ipmi_sdr.c, lib/ipmi_sel.c): without quotes, with the side of a threshold in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fakes.commands import FakeCommands
from fakes.files import FakeFiles, Text
from sanstone.kernel.host import CommandError, CommandTimeout

DEVICE = "/dev/ipmi0"
_WORDS = ("Non-Recoverable", "Critical", "Non-Critical")


@dataclass
class Measuring:
    """A sensor with thresholds: non-recoverable, critical, non-critical; None for one it lacks."""

    name: str
    kind: str
    unit: str
    entity: str
    value: float | None
    upper: tuple[float | None, float | None, float | None] = (None, None, None)
    lower: tuple[float | None, float | None, float | None] = (None, None, None)

    def line(self) -> str:
        """Return ipmitool's line about it."""
        limits = [_limit(each) for each in (*self.upper, *self.lower)]
        value = "" if self.value is None else _reading(self.value)
        unit = "" if self.value is None else self.unit
        fields = [self.name, value, unit, self.state(), self.entity, "System Board", self.kind]
        return ",".join([*fields, "", "", "", *limits, "0.000", "255.000"])

    def state(self) -> str:
        """Return the worst threshold that is passed, as the BMC would say it."""
        if self.value is None:
            return "ns"
        for low, high, word in zip(self.lower, self.upper, _WORDS, strict=True):
            if low is not None and self.value <= low:
                return f"Lower {word}"
            if high is not None and self.value >= high:
                return f"Upper {word}"
        return "ok"


@dataclass
class Stating:
    """A sensor with states of its own, as ipmitool words them; None where it cannot be read."""

    name: str
    number: int
    entity: str
    states: tuple[str, ...] | None = ()

    def line(self) -> str:
        """Return ipmitool's line about it."""
        if self.states is None:
            return f"{self.name},{self.number:02X}h,ns,{self.entity},No Reading"
        return f"{self.name},{self.number:02X}h,ok,{self.entity},{', '.join(self.states)}"


@dataclass
class Entry:
    """An entry of the BMC's log."""

    record: int
    sensor: str
    event: str
    asserted: bool = True
    when: str = "11/26/26,03:08:01 UTC"

    def line(self) -> str:
        """Return ipmitool's line about it."""
        direction = "Asserted" if self.asserted else "Deasserted"
        return f"{self.record:x},{self.when},{self.sensor},{self.event},{direction}"


@dataclass
class FakeController:
    """The BMC. There is none at first, as in a virtual machine."""

    files: FakeFiles
    commands: FakeCommands
    sensors: list[Measuring | Stating] = field(default_factory=list)
    log: list[Entry] = field(default_factory=list)
    hangs: bool = False
    present: bool = False

    def __post_init__(self) -> None:
        self.commands.register("ipmitool", self._ipmitool)

    def attach(self, *sensors: Measuring | Stating) -> None:
        """Have a BMC with these sensors."""
        self.sensors = list(sensors)
        self.present = True
        self.reboot()

    def reboot(self) -> None:
        """Have the kernel find the BMC again, which remembers all that it knew."""
        if self.present:
            self.files.place(DEVICE, Text(""))

    def __getitem__(self, name: str) -> Measuring | Stating:
        return next(sensor for sensor in self.sensors if sensor.name == name)

    def measure(self, name: str, value: float | None) -> None:
        """Let a sensor measure something else."""
        sensor = self[name]
        assert isinstance(sensor, Measuring)
        sensor.value = value

    def tell(self, name: str, *states: str) -> None:
        """Let a sensor have other states."""
        sensor = self[name]
        assert isinstance(sensor, Stating)
        sensor.states = states

    def _ipmitool(self, argv: Sequence[str], _stdin: str) -> str:
        if not self.present:
            text = "Could not open device at /dev/ipmi0 or /dev/ipmi/0: No such file or directory"
            raise CommandError(argv, 1, text)
        if self.hangs:
            raise CommandTimeout(argv, 120)
        match list(argv[1:]):
            case ["-c", "-v", "sdr", "list"]:
                lines = [sensor.line() for sensor in self.sensors]
            case ["-c", "sel", "elist", "last", number]:
                lines = [entry.line() for entry in self.log[-int(number) :]]
            case _:
                raise CommandError(argv, 1, "Invalid command")
        return "".join(f"{line}\n" for line in lines)


def _reading(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.3f}"


def _limit(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
