"""What volumes count for in their aggregate, and how large one with a guarantee may be."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.declaration.resource import Reader
from sanstone.model.aggregates import Aggregate
from sanstone.model.volumes import Volume
from sanstone.rules.storage.reserved_space import GUARANTEED
from sanstone.rules.storage.volume_space import taken_in


def promised(session: Session) -> dict[str, int]:
    """Return the bytes that are set aside or taken, by the aggregate's UUID."""
    taken, found = taken_in(session), dict[str, int]()
    for volume in session.scalars(select(Volume)):
        held = found.get(volume.aggregate_uuid, 0)
        found[volume.aggregate_uuid] = held + _promise(volume, taken)
    return found


def largest_size(reader: Reader, aggregate: Aggregate, volume: Volume | None = None) -> int:
    """Return the most bytes that a volume with a guarantee may have, a new one or this one."""
    query = select(Volume).filter_by(aggregate_uuid=aggregate.uuid)
    volumes = reader.session.scalars(query).all()
    taken = taken_in(reader.session, [each.uuid for each in volumes])
    others = sum(_promise(each, taken) for each in volumes if each is not volume)
    facts = aggregate.facts(reader)
    # Snapshots in other volumes are in no sum of these.
    size: int = facts.get("size", 0)
    free: int = facts.get("available", 0) - facts.get("set_aside", 0)
    own = _promise(volume, taken) if volume else 0
    return max(0, min(size - others, free + own))


def _promise(volume: Volume, taken: Mapping[str, int]) -> int:
    """Return the bytes of its aggregate that a volume counts for."""
    return volume.size if volume.guarantee == GUARANTEED else taken.get(volume.uuid, 0)
