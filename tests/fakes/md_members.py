"""Members of the arrays of the fake machine: which disk has which place, and `mdadm --manage`.

A disk that was pulled stays a member in sync until md writes to it, which every write to the array
does, and each of a superblock; then it is faulty until it is removed. A spare takes any free place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from fakes.arguments import Arguments
from fakes.devices import BlockDevices
from fakes.disks import FakeDisk, FakeDisks, Superblock
from fakes.interrupt import Interrupt
from fakes.md_array import FakeArray

_BUSY = ("resync", "check")
"""Activities that must end before a spare gets a place."""


class Member(NamedTuple):
    """A block device that is to be in an array: its name, and its content."""

    name: str
    disk: FakeDisk


class FakeMembers(ABC):
    """The part of `FakeArrays` that is about their members."""

    def __init__(self, interrupt: Interrupt, devices: BlockDevices, disks: FakeDisks) -> None:
        self._interrupt, self._devices, self._disks = interrupt, devices, disks
        self.running: dict[str, FakeArray] = {}
        self.rebuilds_slowly = False
        """Whether rebuilds go on until `finish_rebuild`."""

    @abstractmethod
    def _publish(self) -> None:
        """Show the arrays in /sys/block, and who has which disk."""

    def written(self, name: str) -> None:
        """Note that something was written to a running array: its superblocks count it.

        Members that were pulled are noticed by that.
        """
        array = self.running[name]
        for member in array.members:
            if self._disks.find(member) is None:
                array.fail(member)
        self._fill(array)
        for member in filter(None, array.slots):
            block = self._superblock(member)
            block.events += 1
            block.working = len(array.in_sync)
            block.is_dirty = False
        self._publish()

    def _manage(self, arguments: Arguments) -> str:
        array = self.running.get(arguments.operands[0].removeprefix("/dev/"))
        if array is None:
            text = f"mdadm: error opening {arguments.operands[0]}: No such file or directory"
            raise arguments.error(1, text)
        names = [operand.removeprefix("/dev/") for operand in arguments.operands[1:]]
        [verb] = set(arguments.options) - {"--with"}
        with self._interrupt.step(" ".join(arguments.argv)):
            if verb == "--remove":
                self._remove(arguments, array, names[0])
            elif verb == "--fail":
                self._fail(arguments, array, names[0])
            elif verb == "--replace":
                self._replace(arguments, array, *names)
            else:
                self._add(arguments, array, verb, self._free(arguments, f"/dev/{names[0]}"))
            self.written(array.name)
        return ""

    def _fail(self, arguments: Arguments, array: FakeArray, name: str) -> None:
        if name not in array.members:
            text = f"mdadm: {name} does not appear to be a component of /dev/{array.name}"
            raise arguments.error(1, text)
        if len([n for n in array.in_sync if n != name]) < len(array.slots) - array.survives:
            text = f"mdadm: Cannot remove {name} from /dev/{array.name}, array will be failed."
            raise arguments.error(1, text)
        array.fail(name)

    def _remove(self, arguments: Arguments, array: FakeArray, name: str) -> None:
        if name in array.slots:
            text = f"mdadm: hot remove failed for {name}: Device or resource busy"
            raise arguments.error(1, text)
        (array.spares if name in array.spares else array.faulty).remove(name)

    def _replace(self, arguments: Arguments, array: FakeArray, old: str, new: str) -> None:
        for name in (old, new):
            if self._disks.find(name) is None:
                # dev_open() in Manage_subdevs(), mdadm's Manage.c.
                text = f"mdadm: stat failed for /dev/{name}: No such file or directory"
                raise arguments.error(1, text)
        if old not in array.slots or new not in array.spares:
            raise arguments.error(1, f"mdadm: /dev/{new} is not a spare of {array.name}")
        if array.activity != "idle":
            text = f"mdadm: Failed to set /dev/{new} as preferred replacement."
            raise arguments.error(1, text)
        array.spares.remove(new)
        self._place(array, new, array.slots.index(old))
        array.faulty.append(old)

    def _add(self, arguments: Arguments, array: FakeArray, verb: str, member: Member) -> None:
        name, disk = member
        block = disk.superblock
        returning = block is not None and block.uuid == array.uuid and block.slot is not None
        if verb == "--re-add" and not returning:
            text = f"mdadm: --re-add for /dev/{name} to {array.name} is not possible"
            raise arguments.error(1, text)
        label = array.label
        if verb == "--re-add" and len(array.in_sync) < len(array.slots) - array.survives:
            # raid5_add_disk() in drivers/md/raid5.c: no device is added to an array that failed.
            text = f"mdadm: --re-add for /dev/{name} to {array.name} is not possible"
            raise arguments.error(1, text)
        disk.superblock = Superblock(array.uuid, label, array.level, len(array.slots), None)
        array.spares.append(name)

    def _fill(self, array: FakeArray) -> None:
        """Give spares the places that are free (remove_and_add_spares() in drivers/md/md.c)."""
        failed = len(array.in_sync) < len(array.slots) - array.survives
        while None in array.slots and array.spares and not failed and array.activity not in _BUSY:
            name = array.spares.pop(0)
            if self.rebuilds_slowly:
                array.rebuilding.add(name)
                array.activity, array.completed = "recover", "100 / 1000"
            self._place(array, name, array.slots.index(None))

    def _place(self, array: FakeArray, name: str, slot: int) -> None:
        array.slots[slot] = name
        block, disk = self._superblock(name), self._disks.find(name)
        block.slot = slot
        block.events = max(self._superblock(n).events for n in array.slots if n)
        if array.level in ("1", "10") and disk:
            # mddev_stack_new_rdev() in drivers/md/md.c, which RAID 4, 5 and 6 do not call.
            array.sector_size = max(array.sector_size, disk.logical_block_size)

    def _superblock(self, name: str) -> Superblock:
        disk = self._disks.find(name)
        assert disk is not None
        assert disk.superblock is not None
        return disk.superblock

    def _disk(self, arguments: Arguments, path: str) -> Member:
        name = path.removeprefix("/dev/")
        disk = self._disks.find(name)
        if disk is None:
            text = f"mdadm: cannot open device {path}: No such file or directory"
            raise arguments.error(1, text)
        return Member(name, disk)

    def _free(self, arguments: Arguments, path: str) -> Member:
        member = self._disk(arguments, path)
        device = self._devices.by_name(member.name)
        is_held = bool(device and device.held) or bool(member.disk.mounted_at)
        if member.name in self._disks.members or is_held:
            raise arguments.error(1, f"mdadm: cannot open {path}: Device or resource busy")
        return member
