"""A server as one buys it: firmware, empty disks, a drive for CDs, and a console to sit at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lab import product_image
from lab.api import CERTIFICATE, Api
from lab.engine import Engine
from lab.image import Drives
from lab.machine import Machine
from lab.qemu import Disk, Hardware
from lab.rack import free_port
from lab.screen import ENTER, Screen

DISK = 6 << 30
BOOT_SECONDS = 900.0
"""How long an emulated processor may take for firmware, GRUB, and the kernel that they load."""
INSTALL_SECONDS = 1800.0
"""Writing two slots and hashing a password, on an emulated processor."""


def from_the_menu(screen: Screen, entry: str, keys: str) -> None:
    """Choose an entry of the medium's menu, by the keys that lead there."""
    screen.see(entry, seconds=BOOT_SECONDS)
    screen.type(keys + ENTER)


class Server:
    """A server in `directory` with the medium `iso`, and empty disks.

    Firmware tries the disks first, and boots from them once something is installed there.
    """

    def __init__(
        self,
        directory: Path,
        iso: Path,
        engine: Engine,
        *,
        disks: int = 1,
        uefi: bool = False,
    ) -> None:
        directory.mkdir(parents=True)
        product_image.write_credentials(directory)
        self._drives = Drives("medium", tuple(sorted(directory.glob("*.string"))), uefi)
        self._engine = engine
        self._port = free_port()
        self._hardware = Hardware(
            name="server",
            number=9,
            memory=2048,
            # Emulated ones die when the kernel patches its clock while two are in it (lab.engine),
            # and nobody gives the kernel parameters here.
            processors=1,
            disks=tuple(
                Disk(directory / f"{bay}.qcow2", DISK, f"BAY-{bay}", bootable=True)
                for bay in range(1, disks + 1)
            ),
            forwards={self._port: 443},
            medium=iso,
        )
        self.machine = Machine(directory, self._hardware)

    def switch_on(self, *, from_medium: bool = False, without_bay: int = 0) -> Screen:
        """Power on and return the screen of the serial console.

        The disk of one bay, counted from 1, may have been pulled.
        """
        disks = list(self._hardware.disks)
        if without_bay:
            del disks[without_bay - 1]
        hardware = replace(self._hardware, medium_first=from_medium, disks=tuple(disks))
        self.machine = Machine(self.machine.directory, hardware)
        self.machine.start(self._drives, self._engine)
        return self.machine.sit_down()

    def replace_disk(self, bay: int) -> None:
        """Put an empty disk in the place of another, while the server is off; bays count from 1."""
        disks = list(self._hardware.disks)
        old = disks[bay - 1]
        new = old.path.with_suffix(".new.qcow2")
        disks[bay - 1] = replace(old, path=new, serial=f"{old.serial}-NEW")
        self._hardware = replace(self._hardware, disks=tuple(disks))

    def api(self, password: str) -> Api:
        """Return the array's REST API."""
        certificate = self.machine.run(f"cat {CERTIFICATE}")
        return Api(f"https://127.0.0.1:{self._port}/", "admin", password, certificate)
