"""The block devices that the fake kernel has at this moment, by device number.

Disks, md arrays and device-mapper devices all register here; nvmet and LIO hold what they export,
and a device that is held cannot go away (EBUSY), which is the rule that most teardown bugs break.
Nothing here survives a reboot.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class BlockDevice:
    """A block device; `size` in bytes."""

    name: str
    major: int
    minor: int
    size: int
    read_only: bool = False
    holders: Counter[str] = field(default_factory=Counter)
    claimed_by: str = ""

    @property
    def held(self) -> bool:
        """Whether anything has it open."""
        return bool(self.holders)

    def hold(self, holder: str, *, exclusive: bool = False) -> bool:
        """Open it for `holder`, which may open it several times.

        Returns False, and does nothing, if another holder has claimed it exclusively and this one
        wants that too (bd_prepare_to_claim() in block/bdev.c).
        """
        if exclusive:
            if self.claimed_by not in ("", holder):
                return False
            self.claimed_by = holder
        self.holders[holder] += 1
        return True

    def release(self, holder: str, *, exclusive: bool = False) -> None:
        """Close it once for `holder`, and give up its claim."""
        self.holders[holder] -= 1
        self.holders += Counter()
        if exclusive:
            self.claimed_by = ""


class BlockDevices:
    """Device number to device, and the nodes in /dev that the kernel itself makes."""

    def __init__(self) -> None:
        self._devices: dict[tuple[int, int], BlockDevice] = {}

    def add(self, name: str, major: int, minor: int, size: int) -> BlockDevice:
        """Register a device; `name` is the kernel's, as in /sys/block ("sda", "md127", "dm-3")."""
        device = BlockDevice(name, major, minor, size)
        self._devices[major, minor] = device
        return device

    def remove(self, major: int, minor: int) -> None:
        """Forget a device that went away."""
        del self._devices[major, minor]

    def get(self, major: int, minor: int) -> BlockDevice | None:
        """Return the device with this number."""
        return self._devices.get((major, minor))

    def by_name(self, name: str) -> BlockDevice | None:
        """Return the device that the kernel calls `name`; its node is /dev/<name>."""
        return next((d for d in self._devices.values() if d.name == name), None)

    def all(self) -> list[BlockDevice]:
        """Return every device, ordered by number."""
        return [self._devices[number] for number in sorted(self._devices)]

    def reboot(self) -> None:
        """Forget everything: devices that come back register again."""
        self._devices.clear()
