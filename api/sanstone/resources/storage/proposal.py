"""Aggregates as they would be: recommended (`recommend`), or simulated (`simulate`).

Both are shown as aggregates that are there, by ONTAP's names, with RAID groups as
`simulated_raid_groups` and, beside the records, `warnings`. `show_spares` shows what there is to
make them of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sanstone.core.declaration.resource import Field, Items, Reader
from sanstone.core.declaration.types import Boolean, Integer, Size, Text
from sanstone.kernel.storage import md
from sanstone.model.aggregates import WEEKLY, Aggregate, Disk
from sanstone.model.nodes import this_node
from sanstone.rules.storage.disks import disk_kind
from sanstone.rules.storage.raid import (
    DATA_OFFSET,
    PRIMARY,
    RAID_TYPES,
    alike_to,
    pool_size,
    spares,
    spares_like,
)


@dataclass(frozen=True)
class Member:
    """A disk of a proposed aggregate."""

    disk: Disk


@dataclass(frozen=True)
class Group:
    """A RAID group: its number, its disks, and whether it is there already."""

    number: int
    disks: tuple[Disk, ...]
    exists: bool = False
    is_wider: bool = False
    """Whether its data would be spread over more disks than now."""


@dataclass(frozen=True)
class Proposed:
    """An aggregate that could be created or grown. `size` is in bytes; `uuid` None for a new one.

    `node_uuid` is the node that has its disks.
    """

    name: str
    node_uuid: str
    raid_type: str
    raid_size: int
    groups: tuple[Group, ...]
    size: int
    spares_left: int
    uuid: str | None = None
    observed: Mapping[str, Any] = field(default_factory=dict)
    create_time: float | None = None
    scrub_schedule_uuid: str = WEEKLY
    kind: str = Aggregate.kind

    @property
    def key(self) -> str:
        """Return its UUID, '' for a new one."""
        return self.uuid or ""

    @property
    def home_node_uuid(self) -> str:
        """Return the node that would be its home: that of its disks."""
        return self.node_uuid

    @property
    def disks(self) -> list[Disk]:
        """Return its disks, in the order of the RAID groups."""
        return [disk for group in self.groups for disk in group.disks]

    @property
    def members(self) -> tuple[Member, ...]:
        """Return its disks as members."""
        return tuple(map(Member, self.disks))

    def facts(self, _reader: Reader) -> Mapping[str, Any]:
        """Return its facts as they would be observed."""
        used = int(self.observed.get("used", 0))
        figures = {"size": self.size, "used": used, "available": self.size - used}
        return {**self.observed, **figures}


def size_of(raid_type: str, groups: Iterable[Group], reader: Reader) -> int:
    """Return the bytes of a pool on RAID groups."""
    sizes = ([d.facts(reader).get("size", 0) for d in group.disks] for group in groups)
    return pool_size(raid_type, sizes)


def simulated(row: Aggregate, reader: Reader) -> Proposed:
    """Return an aggregate as a change would leave it that has been tried in this session."""
    facts = row.facts(reader)
    present = {group["group"] for group in facts.get("raid", ())}
    disks: dict[int, list[Disk]] = defaultdict(list)
    for member in row.members:
        disks[member.raid_group].append(member.disk)
    # A group that does not run tells of no members.
    widths = {
        seen["group"]: len(seen["members"]) for seen in facts.get("raid", ()) if "members" in seen
    }
    groups = tuple(
        Group(n, tuple(of), n in present, len(of) > widths.get(n, len(of)))
        for n, of in sorted(disks.items())
    )
    grows = not facts.get("size") or any(not g.exists or g.is_wider for g in groups)
    return Proposed(
        name=row.name,
        node_uuid=row.node_uuid,
        raid_type=row.raid_type,
        raid_size=row.raid_size,
        groups=groups,
        size=size_of(row.raid_type, groups, reader) if grows else facts["size"],
        spares_left=_spares_left(row.members[0].disk, reader),
        uuid=row.uuid if facts else None,
        observed=facts,
        create_time=row.create_time if facts else None,
        scrub_schedule_uuid=row.scrub_schedule_uuid,
    )


def _spares_left(like: Disk, reader: Reader) -> int:
    """Return how many spares there are like a disk."""
    return len(spares(reader).get(alike_to(like.facts(reader)), ()))


def group_items() -> Items:
    """Return the field of the RAID groups of a proposed aggregate."""
    counts = ("data_disk_count", "parity_disk_count")
    docs = {"data": "Disks' worth of data", "parity": "Disks' worth of protection"}
    return Items(
        f"{PRIMARY}.simulated_raid_groups",
        (
            Field("name", Text(), "Name of the group.", get=_item("name")),
            Field(
                "is_partition", Boolean(), "Whether of parts of disks.", get=_item("is_partition")
            ),
            Field(
                "usable_size", Size(), "Bytes of each disk that are used.", get=_item("usable_size")
            ),
            *(
                Field(
                    f"{when}{name}",
                    Integer(),
                    f"{docs[name.partition('_')[0]]}{where}.",
                    get=_item(f"{when}{name}"),
                )
                for when, where in (("", ""), ("existing_", " so far"), ("added_", " to come"))
                for name in counts
            ),
        ),
        "The RAID groups of what `recommend` and `simulate` show.",
        get=lambda row, reader: _groups(row, reader) if isinstance(row, Proposed) else None,
    )


def _item(key: str) -> Any:
    return lambda item, _reader: item[key]


def _groups(row: Proposed, reader: Reader) -> list[dict[str, Any]]:
    kind, groups = md.RAID_TYPES[row.raid_type], []
    for group in row.groups:
        data = kind.data_disks(len(group.disks))
        parity = len(group.disks) - data
        smallest = min(disk.facts(reader).get("size", 0) for disk in group.disks)
        groups.append(
            {
                "name": f"{row.name}/plex0/rg{group.number}",
                "is_partition": False,
                "usable_size": max(0, smallest - DATA_OFFSET),
                "data_disk_count": data,
                "parity_disk_count": parity,
                "existing_data_disk_count": data if group.exists else 0,
                "existing_parity_disk_count": parity if group.exists else 0,
                "added_data_disk_count": 0 if group.exists else data,
                "added_parity_disk_count": 0 if group.exists else parity,
            }
        )
    return groups


def warnings(rows: Sequence[Proposed]) -> list[dict[str, Any]]:
    """Return the warnings about proposed aggregates, each with its remedy."""
    entries = []
    for row in rows:
        for group in row.groups:
            if group.is_wider:
                text = (
                    f"The data of RAID group {group.number} is spread over {len(group.disks)} "
                    "disks. That takes hours, and cannot be cancelled."
                )
                entries.append(_warning(row, text, "Have it done when hosts write little."))
        fewest = min((len(group.disks) for group in row.groups), default=0)
        if not md.RAID_TYPES[row.raid_type].survives(fewest):
            text = f'The loss of one disk would be the loss of aggregate "{row.name}".'
            entries.append(_warning(row, text, "Choose a RAID type that protects from it."))
        elif not row.spares_left:
            text = f'No spare disk would be left for aggregate "{row.name}".'
            action = "Add a spare disk, or use fewer: a failed disk is replaced by a spare at once."
            entries.append(_warning(row, text, action))
    return entries


def _warning(row: Proposed, warning: str, action: str) -> dict[str, Any]:
    return {"name": row.name, "warning": {"message": warning}, "action": {"message": action}}


def usable_spares(reader: Reader, like: Aggregate | None) -> list[dict[str, Any]]:
    """Return the spares by size and type, or those alone that an aggregate can be grown by."""
    node = this_node(reader.session)
    usable = spares_like(reader, like) if like and like.members else spares(reader)
    records = []
    for alike, disks in sorted(usable.items()):
        kind = disk_kind(disks[0].facts(reader))
        records.append(
            {
                "node": {"uuid": node.uuid, "name": node.name},
                "disk_class": kind.disk_class,
                "disk_type": kind.aggregate_type,
                "size": alike.size,
                "bytes_per_sector": alike.sector_size,
                "checksum_style": "block",
                "syncmirror_pool": "pool0",
                "is_partition": False,
                "usable": len(disks),
                "layout_requirements": [
                    {
                        "raid_type": raid_type,
                        "default": raid_type == "raid_dp",
                        "aggregate_min_disks": limits.fewest,
                        "raid_group": {
                            "min": limits.fewest,
                            "max": limits.largest_size,
                            "default": limits.usual_size,
                        },
                    }
                    for raid_type, limits in RAID_TYPES.items()
                ],
            }
        )
    return records
