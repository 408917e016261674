"""One machine of the lab: power, the console's log, and commands inside it.

A machine is its directory: disks and logs stay there when it is off, and the process id of its QEMU
while it is on, so that any process of the same user can find, use and stop it.
"""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from lab import commands, controller, monitor, paths, patience, qemu
from lab.agent import TIMED_OUT, Agent, GuestCommandFailed, GuestTimeout, Result
from lab.engine import Engine
from lab.image import Drives, Image
from lab.process import Background
from lab.qemu import Disk, Hardware
from lab.screen import Screen

# Seconds between looks at a machine that boots.
BOOT_PATIENCE = 15.0
UNFINISHED = "systemctl --no-pager list-jobs"
# How much of the console is shown of a machine that does not boot.
CONSOLE_LINES = 40
PANIC = re.compile(rb"Kernel panic - not syncing: (?!IO-APIC \+ timer)")
"""A kernel finds no timer where an emulated one gets no processor, and starts again by itself."""


class MachineError(Exception):
    """A machine did not boot or shut down as it should; the text says where its logs are."""


class Silent(MachineError):
    """A machine never answered after it was switched on; the text has the end of its console."""


class Machine:
    """The machine in `directory`, with `hardware`."""

    def __init__(self, directory: Path, hardware: Hardware) -> None:
        self.directory = directory
        self.hardware = hardware
        self.console = directory / "console.log"
        self._image_file = directory / "image"
        self._sockets = paths.socket_directory(directory)
        self._process = Background(directory / "qemu", str(self._sockets))
        self._agent = Agent(self._sockets)
        self._line: socket.socket | None = None

    # Power

    @property
    def running(self) -> bool:
        """Whether its QEMU runs."""
        return self._process.identity is not None

    @property
    def image_name(self) -> str:
        """The name of the image it was started from."""
        return self._image_file.read_text()

    def start(self, image: Image | Drives, engine: Engine, unplugged: Collection[str] = ()) -> None:
        """Power on; returns at once, while it boots. Creates its disks if they do not exist.

        The cables of the ports `unplugged` are pulled.
        Raises process.StartFailed when QEMU refuses.
        """
        for disk in self.hardware.disks:
            _make(disk)
        if self.hardware.server:
            self.hardware.server.write_bytes(controller.sensors())
        if self.console.exists():
            self.console.rename(self.console.with_suffix(".previous.log"))
        argv = qemu.command_line(self.hardware, image, engine, self._sockets, self.console)
        self._process.start(argv, self._answers)
        self._image_file.write_text(image.name)
        for port in unplugged:
            self.plug(port, connected=False)

    def wait_until_booted(self, timeout: float = patience.SECONDS) -> str:
        """Wait until systemd has started everything; return "running" or, say, "degraded".

        Raises MachineError after `timeout` seconds, with the units that still start; Silent when it
        has not answered by then, or sooner when the kernel panicked. Seconds in which others had
        the processors do not count: an emulated machine has work for minutes.
        """
        begin = time.monotonic()
        answered = False
        while time.monotonic() - begin - self._process.starved < timeout and not self._panicked():
            with contextlib.suppress(GuestTimeout):
                wait = ["systemctl", "is-system-running", "--wait"]
                result = self._agent.execute(wait, timeout=BOOT_PATIENCE, grace=0)
                if result.status != TIMED_OUT:
                    return result.out.strip()
                answered = True
        if answered and not self._panicked():
            raise MachineError(f"{self.hardware.name} still boots:\n{self.run(UNFINISHED)}")
        raise Silent(f"{self.hardware.name} did not boot:\n{self.last_words()}")

    def stop(self, timeout: float = patience.SECONDS) -> None:
        """Shut down in order, and cut the power after `timeout` seconds if that does not end."""
        if not self.running:
            return
        try:
            self._agent.execute(["systemctl", "poweroff", "--no-block"], timeout=120)
        except (GuestTimeout, OSError) as error:
            print(f"{self.hardware.name} does not take the command to shut down: {error}")
            timeout = 0
        deadline = time.monotonic() + timeout
        while self.running and time.monotonic() < deadline:
            time.sleep(0.1)
        self.power_off_hard()

    def power_off_hard(self) -> None:
        """Cut the power: nothing in the machine gets to know."""
        self._process.kill()

    # Inside

    def attempt(
        self, script: str, *, stdin: bytes = b"", timeout: float = patience.SECONDS
    ) -> Result:
        """Run a bash script as root and return how it ended."""
        return self._agent.execute(["/bin/bash", "-c", script], stdin, timeout)

    def run(self, script: str, *, stdin: bytes = b"", timeout: float = patience.SECONDS) -> str:
        """Run a bash script as root and return its standard output.

        Raises GuestCommandFailed when its status is not 0, GuestTimeout when no answer comes.
        """
        result = self.attempt(script, stdin=stdin, timeout=timeout)
        if result.status != 0:
            raise GuestCommandFailed(script, result)
        return result.out

    # Outside

    def monitor(self, command: str, **arguments: Any) -> Any:
        """Run a command of QEMU's monitor."""
        return monitor.execute(self._sockets / "monitor", command, **arguments)

    def sit_down(self) -> Screen:
        """Return the screen of the serial console, as long as this object lives."""
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(self._sockets / "console"))
        return Screen(self._line.fileno(), lambda: self.running)

    def plug(self, port: str, *, connected: bool) -> None:
        """Pull or put back the cable of an Ethernet port."""
        self.monitor("set_link", name=port, up=connected)

    def plug_in_disk(self, file: Path, serial: str) -> None:
        """Plug a SCSI disk in that is backed by `file`."""
        self._plug_in(file, serial, driver="scsi-hd", bus="system.0")

    def plug_into_bay(self, file: Path, serial: str, bay: str) -> None:
        """Plug an NVMe disk that is backed by `file` into one of `qemu.BAYS`."""
        self._plug_in(file, serial, driver="nvme", bus=bay)

    def pull_disk(self, serial: str) -> None:
        """Pull a disk that was plugged in; its file keeps its data.

        An NVMe disk is gone once the machine's kernel has let it go.
        """
        self.monitor("device_del", id=serial.lower())

    def _plug_in(self, file: Path, serial: str, **device: str) -> None:
        name = serial.lower()
        known = self.monitor("query-named-block-nodes", flat=True)
        if name not in (node["node-name"] for node in known):
            backend = {"driver": "file", "filename": str(file), "discard": "unmap"}
            shape = {"node-name": name}
            self.monitor("blockdev-add", driver="raw", file=backend, discard="unmap", **shape)
        self.monitor("device_add", id=name, drive=name, serial=serial, **device)

    def _panicked(self) -> bool:
        return bool(PANIC.search(self.console.read_bytes()))

    def last_words(self) -> str:
        """Describe a silent machine: the end of its console, and its state."""
        lines = self.console.read_text(errors="replace").splitlines()[-CONSOLE_LINES:]
        state = self._state() if self.running else ["It does not run."]
        return "\n".join([f"{self.console} ends with:", *lines, *state])

    def _state(self) -> list[str]:
        """Return each processor's place; addresses as in System.map, since there is no KASLR."""
        registers = self.monitor("human-monitor-command", **{"command-line": "info registers -a"})
        return ["processors:", *(line for line in registers.splitlines() if "RIP=" in line)]

    def _answers(self) -> bool:
        try:
            self.monitor("query-status")
        except OSError:
            return False
        return True


def _make(disk: Disk) -> None:
    if disk.path.exists():
        return
    disk.path.parent.mkdir(parents=True, exist_ok=True)
    partial = disk.path.with_suffix(".partial")
    if disk.format == "qcow2":
        make: commands.Argv = ["qemu-img", "create", "-q", "-f", "qcow2", partial]
        of: commands.Argv = ["-b", disk.base, "-F", "raw"] if disk.base else [str(disk.size)]
        commands.run([*make, *of])
        partial.rename(disk.path)
        return
    with partial.open("wb") as file:
        file.truncate(disk.size)
    if disk.label:
        commands.run(["mkfs.ext4", "-q", "-L", disk.label, partial])
    partial.rename(disk.path)
