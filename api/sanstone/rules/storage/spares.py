"""Spare disks: which of them may take the place of an aggregate's disk, and how one does.

As in ONTAP, each disk that nothing uses is a spare for all aggregates of its node, and in none of
their arrays until it is needed.
"""

from __future__ import annotations

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reader
from sanstone.model.aggregates import Aggregate, AggregateDisk, Disk
from sanstone.rules.storage.raid import in_order, least_size, spares_like

MOST_WANTED = 4
"""The largest `min_spare_count`, as ONTAP's."""


def fitting(reader: Reader, member: AggregateDisk) -> list[Disk]:
    """Return the spares that may take the place of a disk unasked, the best first.

    They are of the aggregate's type, so that none from a network takes the place of a local one,
    have its sectors, are as large as they must be, the smallest first, and do not predict that they
    will fail.
    """
    least = least_size(reader, member)
    alike = spares_like(reader, member.aggregate)
    return [
        disk
        for kind in sorted(alike)
        if kind.size >= least
        for disk in in_order(alike[kind])
        if not predicts_failure(disk, reader)
    ]


def fewest_fitting(reader: Reader, row: Aggregate) -> int:
    """Return how many spares fit the RAID group of an aggregate that has the fewest of them."""
    first_of_groups = {member.raid_group: member for member in reversed(row.members)}
    counts = (len(fitting(reader, member)) for member in first_of_groups.values())
    return min(counts, default=0)


def predicts_failure(disk: Disk, reader: Reader) -> bool:
    """Return whether a disk says of itself that it will fail."""
    return (disk.facts(reader).get("health") or {}).get("passed") is False


def take_place(change: Change, member: AggregateDisk, disk: Disk) -> None:
    """Put a disk in the place of another, onto which the RAID group is rebuilt."""
    row = member.aggregate
    place = {"raid_group": member.raid_group, "position": member.position}
    change.delete(member)
    change.add(AggregateDisk(disk_uid=disk.uid, aggregate_uuid=row.uuid, **place))
