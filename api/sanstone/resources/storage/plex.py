"""`storage/aggregates/{aggregate.uuid}/plexes`: the sides of an aggregate's mirror.

ONTAP mirrors an aggregate as two plexes in two pools of disks; an unmirrored one has one plex, like
every aggregate here. `storage/disks` shows the aggregate of each disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sanstone.core import errors
from sanstone.core.declaration.resource import Field, Items, Reader, Reference, Resource, constant
from sanstone.core.declaration.types import Boolean, Choice, Text
from sanstone.model.aggregates import Aggregate
from sanstone.rules.storage.aggregates import state

NAME = "plex0"


@dataclass(frozen=True)
class Plex:
    """The one plex of an aggregate."""

    aggregate: Aggregate
    name: str = NAME


@dataclass(frozen=True)
class RaidGroup:
    """A RAID group, and its observation."""

    name: str
    raid_type: str
    seen: dict[str, Any]


def _raid_groups(row: Plex, reader: Reader) -> Iterable[RaidGroup]:
    aggregate = row.aggregate
    seen = {group["group"]: group for group in aggregate.facts(reader).get("raid", ())}
    for number in dict.fromkeys(member.raid_group for member in aggregate.members):
        name = f"/{aggregate.name}/{row.name}/rg{number}"
        yield RaidGroup(name, aggregate.raid_type, seen.get(number, {}))


def _readable(row: Plex, reader: Reader) -> bool:
    return state(row.aggregate, reader) in ("online", "restricted")


class PlexResource(Resource[Plex]):
    """The plex of an aggregate."""

    path = "storage/aggregates/{aggregate.uuid}/plexes"
    doc = "An aggregate's RAID groups. Aggregates are not mirrored: each has one plex."
    model = Aggregate
    keys = ("aggregate.uuid", "name")
    order = ("name",)
    shared = True
    methods = frozenset({"GET"})
    refusal = "Aggregates are not mirrored: each has one plex, which comes and goes with it."
    fields = (
        Reference("aggregate", Aggregate, "The aggregate."),
        Field("name", Text(), "Name of the plex."),
        Field("pool", Choice("pool0"), "Pool of its disks; there is one.", get=constant("pool0")),
        Field("online", Boolean(), "Whether it can be read.", get=_readable),
        Field(
            "state",
            Choice("normal", "failed"),
            "Whether the pool on its RAID groups runs.",
            get=lambda row, reader: "normal" if _readable(row, reader) else "failed",
        ),
        Field("resync.active", Boolean(), "Whether a mirror is synchronized.", get=constant(False)),
        Items(
            "raid_groups",
            (
                # An aggregate's name, of up to 255 characters, and a suffix.
                Field("name", Text(512), "Name of the group."),
                Field("raid_type", Text(), "Its RAID type."),
                Field(
                    "degraded",
                    Boolean(),
                    "Whether it lacks disks.",
                    get=lambda item, _: bool(item.seen.get("degraded")),
                ),
                Field(
                    "reconstruct.active",
                    Boolean(),
                    "Whether a resync or rebuild runs.",
                    get=lambda item, _: item.seen.get("resync_percent") is not None,
                ),
            ),
            "The RAID groups.",
            get=_raid_groups,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Plex]:
        """Return the plex of the aggregate in the path. Raises ApiError for none."""
        uuid = reader.keys.get("aggregate.uuid", "")
        aggregate = reader.session.get(Aggregate, uuid)
        if aggregate is None:
            raise errors.unknown(f'aggregate "{uuid}"')
        return [Plex(aggregate)]
