"""A server as one buys it: firmware, empty disks, a drive for CDs, and a console to sit at."""

from __future__ import annotations

import socket
from pathlib import Path

from lab import paths, product_image
from lab.api import CERTIFICATE, Api
from lab.engine import Engine
from lab.image import Drives
from lab.machine import Machine
from lab.qemu import Disk, Hardware
from lab.rack import free_port
from lab.screen import Screen

DISK = 6 << 30
BOOT_SECONDS = 900.0
"""How long an emulated processor may take over firmware, GRUB, and what they load."""


class Server:
    """A server in `directory` with `disks` disks and the medium `iso`."""

    def __init__(self, directory: Path, iso: Path, disks: int, engine: Engine, uefi: bool) -> None:
        directory.mkdir(parents=True)
        product_image.write_credentials(directory)
        self._drives = Drives("medium", tuple(sorted(directory.glob("*.string"))), uefi)
        self._engine = engine
        self._port = free_port()
        names = [f"BAY-{number}" for number in range(1, disks + 1)]
        hardware = Hardware(
            name="server",
            number=9,
            memory=2048,
            disks=tuple(
                Disk(directory / f"{name}.raw", DISK, name, bootable=True) for name in names
            ),
            forwards={self._port: 443},
            medium=iso,
        )
        self.machine = Machine(directory, hardware)
        self._line: socket.socket | None = None

    def switch_on(self) -> Screen:
        """Power on and return what is to be seen on the serial console."""
        self.machine.start(self._drives, self._engine)
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(paths.socket_directory(self.machine.directory) / "console"))
        return Screen(self._line.fileno(), lambda: self.machine.running)

    def api(self, password: str) -> Api:
        """Return the array's REST API."""
        certificate = self.machine.run(f"cat {CERTIFICATE}")
        return Api(f"https://127.0.0.1:{self._port}/", "admin", password, certificate)
