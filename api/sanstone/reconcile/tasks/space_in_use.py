"""How much of aggregates and volumes is in use, as last observed; for samples of all of them.

Summed by SQLite, since there may be many thousands of volumes.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core.history.metrics_file import Key
from sanstone.core.history.space_history import Space
from sanstone.core.observed import load
from sanstone.model.aggregates import Aggregate
from sanstone.model.observations import SNAPSHOT_SPACE
from sanstone.model.volumes import Snapshot, ThinDevice, Volume
from sanstone.rules.storage.snapshot_space import Sizes, held_together
from sanstone.rules.storage.volume_space import taken_in

MOST = 2**63 - 1
SERVED = ("online", "restricted")
"""States of an aggregate with an active pool; observations of others are out of date."""


def of_all(session: Session) -> dict[Key, Space]:
    """Return the space of each aggregate and volume.

    What a volume uses is unknown while its aggregate is not served.
    """
    seen = load(session, Aggregate.kind)
    served = {key: row.data for key, row in seen.items() if row.data.get("state") in SERVED}
    taken, snapshots = taken_in(session), _held(session)
    provisioned: dict[str, int] = {}
    kinds: list[Any] = ThinDevice.__subclasses__()
    for kind in kinds:
        sums = select(kind.volume_uuid, func.sum(kind.size)).group_by(kind.volume_uuid)
        for volume, size in session.execute(sums):
            provisioned[volume] = provisioned.get(volume, 0) + size
    spaces: dict[Key, Space] = {}
    in_aggregates: dict[str, int] = {}
    rows = session.execute(select(Volume.uuid, Volume.aggregate_uuid, Volume.size)).tuples()
    for uuid, aggregate, size in rows:
        in_aggregates[aggregate] = in_aggregates.get(aggregate, 0) + size
        spaces[Volume.kind, uuid] = Space(
            size=size,
            used=_number(taken.get(uuid, 0)) if aggregate in served else None,
            provisioned=_number(provisioned.get(uuid, 0)),
            snapshots=snapshots.get(uuid, 0) if aggregate in served else None,
        )
    for uuid in session.scalars(select(Aggregate.uuid)):
        facts = served.get(uuid, {})
        spaces[Aggregate.kind, uuid] = Space(
            size=_number(facts.get("size")),
            used=_number(facts.get("used")),
            provisioned=_number(in_aggregates.get(uuid, 0)),
            metadata_percent=_number(facts.get("metadata_used_percent")),
        )
    return spaces


def _held(session: Session) -> dict[str, int | None]:
    """Return the space of snapshots by volume with any, None where that is unknown."""
    existing: dict[str, set[str]] = {}
    for uuid, volume in session.execute(select(Snapshot.uuid, Snapshot.volume_uuid)):
        existing.setdefault(volume, set()).add(uuid)
    measured = {volume: _sizes(row.data) for volume, row in load(session, SNAPSHOT_SPACE).items()}
    held = {
        volume: held_together(uuids, measured.get(volume, ())) for volume, uuids in existing.items()
    }
    return {volume: _number(size) for volume, size in held.items()}


def _sizes(data: dict[str, Any]) -> Sizes:
    """Return the sizes of a measurement, none of one that is not what the measurer writes."""
    match data.get("sizes"):
        case list(pairs) if all(_is_size(pair) for pair in pairs):
            return pairs
    return ()


def _is_size(pair: Any) -> bool:
    match pair:
        case [str(), int()]:
            return True
    return False


def _number(value: Any) -> int | None:
    """Return a number that the database of figures can hold; the array's own may have others."""
    if not isinstance(value, int | float) or not 0 <= value <= MOST:
        return None
    return min(round(value), MOST)
