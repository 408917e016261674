"""The logical sectors of an aggregate, in which hosts count on its LUNs and namespaces.

Disks have sectors of 512 bytes or, as 4Kn disks, of 4,096. md, LVM and dm-thin show the largest
size of the devices below them, and the targets show hosts no smaller ones. A partition table or
file system that was written in sectors of the one size is not found in those of the other, so the
sectors of an aggregate never change: all of its disks have them.
"""

from __future__ import annotations

from sanstone.core.declaration.resource import Reader
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import LUN_BLOCK


def of_aggregate(row: Aggregate, reader: Reader) -> int:
    """Return the bytes of a logical sector of an aggregate, those of its disks until it is seen."""
    if seen := row.facts(reader).get("sector_size"):
        return int(seen)
    sizes = (member.disk.facts(reader).get("sector_size") for member in row.members)
    return max((size for size in sizes if size), default=LUN_BLOCK)
