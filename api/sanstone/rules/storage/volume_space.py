"""Space taken in volumes, summed by SQLite: a volume may hold thousands of devices.

A LUN or namespace with a reservation takes its size, any other its last observed usage.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from sanstone.core.database.bulk_loading import listed
from sanstone.core.database.look_up import LookUp
from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration.resource import Reader
from sanstone.core.observed import Observed, shown
from sanstone.model.volumes import ThinDevice, Volume


def taken_in(
    session: Session, volumes: Sequence[str] | None = None, *, without: str = ""
) -> dict[str, int]:
    """Return the bytes taken in volumes, or in all of them, by the volume's UUID.

    `without` is the UUID of a LUN or namespace to leave out.
    """
    taken: dict[str, int] = {}
    kinds: list[Any] = ThinDevice.__subclasses__()
    for kind in kinds:
        used = func.coalesce(func.json_extract(Observed.data, "$.used"), 0)
        bytes_taken = func.sum(case((kind.reserved, kind.size), else_=used))
        seen = shown(kind.kind) & (Observed.key == kind.uuid)
        statement = select(kind.volume_uuid, bytes_taken).outerjoin(Observed, seen)
        if volumes is not None:
            statement = statement.where(kind.volume_uuid.in_(listed(volumes)))
        if without:
            statement = statement.where(kind.uuid != without)
        for volume, number in session.execute(statement.group_by(kind.volume_uuid)):
            taken[volume] = taken.get(volume, 0) + number
    return taken


def shown_as_taken(row: Volume, reader: Reader) -> int:
    """Return the bytes taken in a volume, summed once for all volumes shown."""
    sums = _sums.of(reader.session)
    if sums is None:
        sums = LookUp(partial(_load, reader.session))
        sums.expect(Volume.kind, reader.expected.get(Volume.kind, ()))
        _sums.set(reader.session, sums)
    return sums.get(Volume.kind, row.uuid) or 0


def _load(session: Session, _kind: str, volumes: Sequence[str] | None) -> dict[str, int]:
    return taken_in(session, volumes)


_sums: SessionValue[LookUp[str, int]] = SessionValue(
    lambda session: LookUp(partial(_load, session))
)
