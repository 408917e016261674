"""Storage of the fake machine: its disks, the md arrays on them and the volume groups on those."""

from __future__ import annotations

import string

from fakes.commands import FakeCommands
from fakes.devices import BlockDevices
from fakes.disks import FakeDisk, FakeDisks, FakePartition, Foreign
from fakes.files import FakeFiles
from fakes.interrupt import Interrupt
from fakes.lvm import FakeGroups
from fakes.mapper import FakeMapper
from fakes.md import FakeArrays

DISK_SIZE = 4 * 1024**3
SYSTEM_DISK = "nvme0n1"


class FakeStorage:
    """`disks` empty data disks, sda and so on, and a system disk that is in use."""

    def __init__(
        self,
        interrupt: Interrupt,
        devices: BlockDevices,
        commands: FakeCommands,
        mapper: FakeMapper,
        files: FakeFiles,
        disks: int = 8,
    ) -> None:
        self.disks = FakeDisks(interrupt, devices, commands, files)
        self.arrays = FakeArrays(interrupt, devices, commands, files, self.disks)
        self.disks.beneath = mapper.beneath
        mapper.claimed = self.disks.is_member
        self.groups = FakeGroups(interrupt, commands, mapper, self.arrays)
        system = FakeDisk(SYSTEM_DISK, DISK_SIZE, "SYSTEM", "eui.0000000000000001")
        system.foreign, system.mounted_at = [Foreign("gpt", "partition-table")], "/"
        system.divided = [FakePartition(foreign=[Foreign("ext4", "filesystem")])]
        self.disks.plug(system)
        for number in range(disks):
            self.add_disk(f"sd{chr(ord('a') + number)}")

    def share(self, other: FakeStorage) -> None:
        """Have the data disks of another machine, too, with their content."""
        for disk in other.disks.present.values():
            if disk.name != SYSTEM_DISK:
                self.disks.plug(disk)
        self.arrays.share(other.arrays)
        self.groups.share(other.groups)

    def add_disk(self, name: str) -> str:
        """Put back a pulled disk, or a new empty one. Return its name.

        That is another one while an array, or a layer, has the former device open.
        """
        disk = self.disks.pulled.pop(name, None) or FakeDisk(
            name, DISK_SIZE, f"SERIAL-{name}", f"5000c500{int.from_bytes(name.encode()):08x}"
        )
        open_ones = {n for array in self.arrays.running.values() for n in array.members}
        open_ones |= self.disks.still_open
        if name in open_ones:
            taken = open_ones | self.disks.present.keys() | self.disks.pulled.keys()
            names = (f"sd{letter}" for letter in string.ascii_lowercase)
            disk.name = next(n for n in names if n not in taken)
        self.disks.plug(disk)
        return disk.name

    def remove_disk(self, name: str) -> None:
        """Pull a disk, which its array notices when it writes."""
        self.disks.pull(name)

    def fail_disk(self, name: str) -> None:
        """Fail a member of an array in place."""
        self.arrays.fail(name)

    def reboot(self) -> None:
        """Find the disks again; arrays and groups are there once somebody starts them."""
        self.disks.reboot()
        self.arrays.reboot()

    def dump(self) -> str:
        """Return disks, arrays and groups as text."""
        return "\n".join((self.disks.dump(), self.arrays.dump(), self.groups.dump()))

    def lasting(self) -> str:
        """Return the content of the disks as text, superblocks and content of groups in full."""
        return f"{self.disks.present} {self.disks.pulled} {self.groups.groups}"
