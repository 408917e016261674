"""Which aggregates to make of the spares: `GET storage/aggregates?recommend=true`, as in ONTAP.

Disks of one type and size, with sectors of one size, make one aggregate. The choice is
deterministic, so that what was shown is what a POST without a number of disks makes.

* Spares stay behind, onto which a RAID group is rebuilt when a disk fails: one for each 24 disks or
  part of that. Only where that leaves too few for the better protection none stays.
* RAID-DP from four disks on, since a second disk may fail while a group is rebuilt for hours; a
  mirror of two or three. One disk alone is not recommended: nothing protects it.
* Groups are as large as that lets them be: 24 solid state disks, which are rebuilt fast, 16 others,
  12 of those from 6 TiB on, which take a day to rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select

from sanstone.core.declaration.resource import Reader
from sanstone.core.declaration.types import TIB
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.nodes import this_node
from sanstone.resources.storage.proposal import Group, Proposed, size_of
from sanstone.rules.storage.disks import disk_kind
from sanstone.rules.storage.raid import RAID_TYPES, in_order, spares, split

DISKS_FOR_A_SPARE = 24
LARGE = 6 * TIB
SOLID_STATE_GROUP, USUAL_GROUP, LARGE_GROUP = 24, 16, 12


@dataclass(frozen=True)
class Layout:
    """RAID type, most disks of a group, and number of disks out of a number of spares."""

    raid_type: str
    raid_size: int
    disks: int


def layout(number: int, disk_class: str, size: int) -> Layout | None:
    """Return the layout for a number of like disks of `size` bytes, None for too few."""
    if number < RAID_TYPES["raid1"].fewest:
        return None
    if number < RAID_TYPES["raid_dp"].fewest:
        return Layout("raid1", RAID_TYPES["raid1"].usual_size, RAID_TYPES["raid1"].fewest)
    kept = -(-number // DISKS_FOR_A_SPARE)
    disks = max(RAID_TYPES["raid_dp"].fewest, number - kept)
    raid_size = USUAL_GROUP
    if disk_class == "solid_state":
        raid_size = SOLID_STATE_GROUP
    elif size >= LARGE:
        raid_size = LARGE_GROUP
    return Layout("raid_dp", raid_size, disks)


def recommended(
    reader: Reader, disk_class: str = "", disk_size: int | None = None
) -> list[Proposed]:
    """Return an aggregate for each kind and size of spares, the largest first.

    `disk_class` and `disk_size` (bytes, met within a tenth) narrow the choice.
    """
    proposed = [
        _of(reader, disks, alike.size)
        for alike, disks in spares(reader, disk_class, disk_size).items()
    ]
    there = [each for each in proposed if each]
    largest = sorted(there, key=lambda each: (-each.size, -len(each.disks)))
    names = _free_names(reader.session.scalars(select(Aggregate.name)))
    return [replace(each, name=next(names)) for each in largest]


def _of(reader: Reader, disks: Sequence[Disk], size: int) -> Proposed | None:
    chosen = layout(len(disks), disk_kind(disks[0].facts(reader)).disk_class, size)
    if chosen is None:
        return None
    used = in_order(disks)[: chosen.disks]
    parts = split(used, chosen.raid_type, chosen.raid_size)
    groups = tuple(Group(number, tuple(part)) for number, part in enumerate(parts))
    return Proposed(
        name="",
        node_uuid=this_node(reader.session).uuid,
        raid_type=chosen.raid_type,
        raid_size=chosen.raid_size,
        groups=groups,
        size=size_of(chosen.raid_type, groups, reader),
        spares_left=len(disks) - len(used),
    )


def _free_names(taken: Iterable[str]) -> Iterator[str]:
    """Yield aggr1, aggr2 and so on, but for those that are taken."""
    there, number = set(taken), 0
    while True:
        number += 1
        if f"aggr{number}" not in there:
            yield f"aggr{number}"
