"""Snapshots of consistency groups: one of each volume, all of one moment and of the same name."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.model.volumes import ConsistencyGroup, ConsistencyGroupSnapshot, Snapshot
from sanstone.rules.storage import snapshots

FAILED, NOT_PERMITTED = "53411921", "53411918"


def check(session: Session, group: ConsistencyGroup, name: str) -> None:
    """Raise ApiError when a snapshot of this name cannot be taken of a group now."""
    query = select(ConsistencyGroupSnapshot.uuid).filter_by(group_uuid=group.uuid, name=name)
    if session.scalar(query):
        text = f'A snapshot named "{name}" already exists in group "{group.name}".'
        raise errors.conflict(text, "name", FAILED)
    for volume in group.volumes:
        snapshots.check(session, volume, name)


def take(
    change: Change, group: ConsistencyGroup, own: dict[str, Any], of_volumes: dict[str, Any]
) -> ConsistencyGroupSnapshot:
    """Take a snapshot of all volumes of a group, after `check`. `own` are its columns, its name
    among them, `of_volumes` further ones of the volumes' snapshots.
    """
    row = ConsistencyGroupSnapshot(group_uuid=group.uuid, **own)
    change.add(row)
    snapshots.take(change, group.volumes, own["name"], taken_with=row.uuid, **of_volumes)
    change.session.expire(group, ["snapshots"])
    return row


def members(session: Session, row: ConsistencyGroupSnapshot) -> list[Snapshot]:
    """Return the snapshots of volumes that a group's snapshot consists of."""
    return list(session.scalars(select(Snapshot).filter_by(taken_with=row.uuid)))


def release(change: Change, row: ConsistencyGroupSnapshot) -> None:
    """Delete a snapshot with those of the volumes."""
    for snapshot in members(change.session, row):
        snapshot.release(change)
    change.delete(row)
