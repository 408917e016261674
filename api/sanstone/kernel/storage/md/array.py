"""RAID groups as they are desired, and what RAID types are to md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block

CHUNK = 64 * 1024
"""Bytes of a chunk, which go to one disk before the next."""


class ArrayError(HostError):
    """An array cannot be created or started as desired; the text says why."""


@dataclass(frozen=True)
class RaidType:
    """How one of ONTAP's RAID types is built: the md level, and its properties.

    `minimum_disks` is Linux's: ONTAP accepts three for raid_dp, but RAID 6 needs four.
    """

    level: str
    minimum_disks: int
    parity_disks: int = 0
    mirrored: bool = False

    def data_disks(self, disks: int) -> int:
        """Return how many disks' worth of data fit on this many."""
        if self.mirrored:
            return 1 if self.level == "1" else disks // 2
        return disks - self.parity_disks

    def survives(self, disks: int) -> int:
        """Return how many disks may fail, at best, before data is lost."""
        return disks - self.data_disks(disks) if self.mirrored else self.parity_disks


RAID_TYPES = {
    "raid_dp": RaidType("6", minimum_disks=4, parity_disks=2),
    "raid4": RaidType("4", minimum_disks=3, parity_disks=1),
    "raid5": RaidType("5", minimum_disks=3, parity_disks=1),
    "raid10": RaidType("10", minimum_disks=2, mirrored=True),
    "raid1": RaidType("1", minimum_disks=2, mirrored=True),
    "raid0": RaidType("0", minimum_disks=1),
}


@dataclass(frozen=True)
class Array:
    """A desired RAID group. `disks` are in order, without spares.

    They are paths of whole disks, or of the layers on them (`stack.under_md`).
    """

    aggregate: str
    number: int
    raid_type: str
    disks: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its md name."""
        return names.array_name(self.aggregate, self.number)

    @property
    def uuid(self) -> str:
        """The UUID in its superblocks."""
        return names.array_uuid(self.aggregate, self.number)

    @property
    def device(self) -> str:
        """The path of its block device."""
        return names.array_device(self.aggregate, self.number)


def require_sectors(host: Host, array: Array, disks: Sequence[str], size: int) -> None:
    """Raise ArrayError unless all of some disks have logical sectors of `size` bytes."""
    for disk in disks:
        if (other := block.sector_size(host, disk)) != size:
            raise ArrayError(
                "{}: {} has sectors of {} bytes, not of {}", array.name, disk, other, size
            )
