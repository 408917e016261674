"""The sensors of a server's management controller (BMC): fans, supplies, temperatures, voltages.

ipmitool reads it through the kernel's driver, and there is a BMC where the driver provides
`DEVICE`. `ipmitool -c -v sdr list` prints a line for each sensor, in the order of the BMC's
repository (ipmi_sdr_print_sensor_fc() and print_csv_discrete(), lib/ipmi_sdr.c of ipmitool 1.8.19):

* of one with thresholds: name, value, unit, state, entity, the entity's name, the sensor's type,
  three nominal values, six thresholds, and the range;
* of one with states of its own: name, number, whether it can be read, entity, and the states; where
  they are thresholds without a measured value, the fields of the former kind after them.

Only `-v` tells on which side of its range a sensor is, and the thresholds. ipmitool quotes nothing:
a name with a comma would be a line of another form, and is left out like any that has none of both.

The BMC applies its hysteresis: a state ends once the value is back by as much.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel.host import Host

DEVICE = "/dev/ipmi0"
PATIENCE = 120.0
"""Seconds for which a BMC is waited for: many take half of it for a hundred sensors."""

FAN, TEMPERATURE, VOLTAGE, CURRENT, OTHER = "fan", "temperature", "voltage", "current", "other"
POWER_SUPPLY, POWER_UNIT = "power supply", "power unit"
"""Kinds of sensors. Of those with states of their own the entity decides."""
NORMAL, UNREADABLE = "normal", "unreadable"
LOW, VERY_LOW, HIGH, VERY_HIGH = "low", "very low", "high", "very high"
FAILED, NO_POWER, DEGRADED = "failed", "no power", "degraded"
"""States of a sensor. One that is very low or very high is critical, or worse."""

_KINDS = {
    "Fan": FAN,
    "Temperature": TEMPERATURE,
    "Voltage": VOLTAGE,
    "Current": CURRENT,
}
"""By ipmitool's name of a sensor's type (sensor_type_desc in ipmi_sel.h)."""
_ENTITIES = {10: POWER_SUPPLY, 19: POWER_UNIT, 21: POWER_UNIT, 29: FAN, 30: FAN}
"""By entity (IPMI 2.0, table 43-13): power supply, unit and management, fan, cooling unit."""
_SIDES = {
    "ok": NORMAL,
    "Lower Non-Critical": LOW,
    "Upper Non-Critical": HIGH,
    "Lower Critical": VERY_LOW,
    "Lower Non-Recoverable": VERY_LOW,
    "Upper Critical": VERY_HIGH,
    "Upper Non-Recoverable": VERY_HIGH,
}
"""By ipmitool's words (ipmi_sdr_get_thresh_status())."""
_BAD_STATES = {
    "Power Supply AC lost": NO_POWER,
    "AC lost": NO_POWER,
    "AC out-of-range": NO_POWER,
    "Failure detected": FAILED,
    "Predictive failure": FAILED,
    "Predictive Failure Asserted": FAILED,
    "Config Error": FAILED,
    "Transition to Critical": FAILED,
    "Transition to Non-recoverable": FAILED,
    "Redundancy Lost": DEGRADED,
    "Redundancy Degraded": DEGRADED,
    "Insufficient Resources": DEGRADED,
}
"""By a part of ipmitool's words for states (generic and sensor-specific tables in ipmi_sel.h), the
first that fits: a supply without mains says that it failed, too."""
_FIELDS = 18
"""Fields of a sensor with thresholds."""
_DISCRETE = re.compile(
    r"(?P<name>[^,]*),[0-9A-F]{2}h,(?P<readable>ok|ns),(?P<entity>\d+\.\d+),"
    r"(?P<states>.*?)(?:,\d+\.\d+,.*)?"
)
_STANDS_AT = {"lower critical": 14, "lower warning": 15, "upper critical": 11, "upper warning": 12}
"""The field of each threshold."""


@dataclass(frozen=True)
class Sensor:
    """A sensor. `entity` is the part that it belongs to, `<entity>.<instance>` by IPMI's numbers.

    `value` and the thresholds are in `unit`, which is ipmitool's word ("degrees C", "RPM",
    "Volts"); None where it measures none. `states` are those of a sensor without thresholds.
    """

    name: str
    kind: str
    entity: str
    state: str
    value: float | None = None
    unit: str = ""
    states: str = ""
    lower_critical: float | None = None
    lower_warning: float | None = None
    upper_warning: float | None = None
    upper_critical: float | None = None


def has_controller(host: Host) -> bool:
    """Return whether the machine has a BMC that the kernel knows."""
    return host.files.exists(DEVICE)


def read(host: Host) -> list[Sensor]:
    """Return the BMC's sensors. Raises HostError, CommandTimeout when it does not answer."""
    return parse(host.commands.run(["ipmitool", "-c", "-v", "sdr", "list"], time_limit=PATIENCE))


def parse(answer: str) -> list[Sensor]:
    """Return the sensors in ipmitool's answer, in its order."""
    sensors = (_sensor(line) for line in answer.splitlines())
    return [sensor for sensor in sensors if sensor is not None]


def _sensor(line: str) -> Sensor | None:
    if match := _DISCRETE.fullmatch(line):
        return _discrete(match)
    fields = line.split(",")
    return _measuring(fields) if len(fields) == _FIELDS else None


def _discrete(match: re.Match[str]) -> Sensor:
    kind = _ENTITIES.get(int(match["entity"].partition(".")[0]), OTHER)
    readable = match["readable"] == "ok"
    bad = (state for words, state in _BAD_STATES.items() if words in match["states"])
    return Sensor(
        name=match["name"].strip(),
        kind=kind,
        entity=match["entity"],
        state=next(bad, NORMAL) if readable else UNREADABLE,
        states=match["states"].strip() if readable else "",
    )


def _measuring(fields: Sequence[str]) -> Sensor | None:
    name, value, unit, state, entity, _entity_name, kind = fields[:7]
    if not re.fullmatch(r"\d+\.\d+", entity):
        return None
    limits = {name: _number(fields[place]) for name, place in _STANDS_AT.items()}
    return Sensor(
        name=name.strip(),
        kind=_KINDS.get(kind, OTHER),
        entity=entity,
        state=_SIDES.get(state, UNREADABLE),
        value=_number(value),
        unit=unit,
        lower_critical=limits["lower critical"],
        lower_warning=limits["lower warning"],
        upper_warning=limits["upper warning"],
        upper_critical=limits["upper critical"],
    )


def _number(text: str) -> float | None:
    """Return a number, None for none and for one of a sensor that measures in no unit (0x…)."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
