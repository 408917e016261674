"""Widen a RAID group of an aggregate by disks, in place of whole groups.

md spreads the data of the group over more disks while hosts use it. That takes hours, and cannot be
taken back; the group survives as many failures as ever meanwhile.
"""

from __future__ import annotations

from sanstone.core import errors
from sanstone.core.declaration.resource import Reader
from sanstone.kernel.storage import md
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.rules.storage.raid import (
    PRIMARY,
    TOO_FEW_DISKS,
    TOO_FEW_SPARES,
    in_order,
    spares_like,
)

RAID_GROUP = f"{PRIMARY}.raid_group"
_QUIET = ("clean", "checking", "resyncing")
"""States of a group that can be widened, the last once the resync has ended."""


def disks_to_widen(
    reader: Reader, row: Aggregate, number: int, count: int, raid_size: int
) -> list[Disk]:
    """Return the spares by which a RAID group is widened for an aggregate to have `count` disks.

    They are as large as the smallest disk of the group at least. Raises ApiError.
    """
    group = [member for member in row.members if member.raid_group == number]
    more = count - len(row.members)
    called = f'RAID group rg{number} of aggregate "{row.name}"'
    if not group:
        raise errors.invalid(f'Aggregate "{row.name}" has no RAID group rg{number}.', RAID_GROUP)
    if not md.RAID_TYPES[row.raid_type].parity_disks:
        text = f"A RAID group of {row.raid_type} cannot be widened; add a whole group."
        raise errors.invalid(text, RAID_GROUP)
    if len(group) + more > raid_size:
        text = f"{called} would have {len(group) + more} disks, above its raid_size of {raid_size}."
        raise errors.invalid(text, f"{PRIMARY}.raid_size", TOO_FEW_DISKS)
    seen = {each["group"]: each for each in row.facts(reader).get("raid", ())}.get(number, {})
    if seen.get("state") not in _QUIET or seen.get("degraded"):
        text = f"{called} is {seen.get('state', 'offline')}; it is widened when it is whole."
        raise errors.conflict(text, RAID_GROUP)
    smallest = min(member.disk.facts(reader)["size"] for member in group)
    fitting = [
        (alike.size, disks)
        for alike, disks in spares_like(reader, row).items()
        if alike.size >= smallest
    ]
    matching = [
        disk for _, disks in sorted(fitting, key=lambda each: each[0]) for disk in in_order(disks)
    ]
    if len(matching) < more:
        text = (
            f"{more} spare disks of {smallest} bytes or more, of its type and with its sectors, "
            f"are needed; there are {len(matching)}."
        )
        raise errors.conflict(text, f"{PRIMARY}.disk_count", TOO_FEW_SPARES)
    return matching[:more]
