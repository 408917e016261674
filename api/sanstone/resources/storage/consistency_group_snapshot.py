"""`application/consistency-groups/{consistency_group.uuid}/snapshots`: of all volumes at once.

A snapshot of a group is one of each of its volumes, all of one moment and of the same name. It is
deleted with them; they stay when the group is deleted.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.change import Change
from sanstone.core.resource import CREATE, Field, Reader, Reference, References, Resource
from sanstone.core.types import Choice, Text, Timestamp, Uuid
from sanstone.model.volumes import ConsistencyGroup, ConsistencyGroupSnapshot, Snapshot, Volume
from sanstone.resources.storage import snapshot as snapshots

FAILED = "53411921"


def _by_group_snapshot(session: Session) -> dict[str, list[Snapshot]]:
    """Return the snapshots of volumes, by UUID of their group's snapshot."""
    of_groups = Snapshot.taken_with.in_(select(ConsistencyGroupSnapshot.uuid))
    by_uuid: dict[str, list[Snapshot]] = {}
    for each in session.scalars(select(Snapshot).where(of_groups).order_by(Snapshot.uuid)):
        by_uuid.setdefault(each.taken_with, []).append(each)
    return by_uuid


def _of_volumes(row: ConsistencyGroupSnapshot, reader: Reader) -> list[Snapshot]:
    return reader.once(_by_group_snapshot).get(row.uuid, [])


def _volumes(row: ConsistencyGroupSnapshot, reader: Reader) -> list[Volume]:
    return [snapshot.volume for snapshot in _of_volumes(row, reader)]


class ConsistencyGroupSnapshotResource(Resource[ConsistencyGroupSnapshot]):
    """Snapshots of a consistency group."""

    path = "application/consistency-groups/{consistency_group.uuid}/snapshots"
    doc = "Snapshots of all volumes of a consistency group, taken at one moment."
    model = ConsistencyGroupSnapshot
    keys = ("consistency_group.uuid", "uuid")
    order = ("create_time", "uuid")
    asynchronous = True
    searched = ("name", "comment")
    methods = frozenset({"GET", "POST", "DELETE"})
    fields = (
        Field("uuid", Uuid(), "Identity of the snapshot."),
        Field(
            "name",
            snapshots.NAME,
            "Name in the group, and in each volume.",
            access=CREATE,
            required=True,
            code=snapshots.BAD_NAME,
        ),
        Reference("consistency_group", ConsistencyGroup, "The group.", attribute="group"),
        Field("comment", Text(255), "Comment.", access=CREATE, default=""),
        Field(
            "consistency_type",
            Choice("crash", "application"),
            "What the client says that it is; kept.",
            access=CREATE,
            default="crash",
        ),
        Field(
            "snapmirror_label",
            Text(31, 1),
            "Label of the volumes' snapshots.",
            access=CREATE,
            get=lambda row, reader: next(
                (s.snapmirror_label or None for s in _of_volumes(row, reader)), None
            ),
        ),
        Field("create_time", Timestamp(), "When it was asked for."),
        References("volumes", Volume, "The volumes in it.", get=_volumes),
    )

    def create(self, change: Change, values: dict[str, Any]) -> ConsistencyGroupSnapshot:
        """Take a snapshot of all volumes of the group."""
        group, name, session = values["consistency_group"], values["name"], change.session
        query = select(ConsistencyGroupSnapshot.uuid).filter_by(group_uuid=group.uuid, name=name)
        if session.scalar(query):
            text = f'A snapshot named "{name}" already exists in group "{group.name}".'
            raise errors.conflict(text, "name", FAILED)
        for volume in group.volumes:
            snapshots.check(session, volume, name)
        plain = {key: values[key] for key in ("name", "comment", "consistency_type")}
        row = ConsistencyGroupSnapshot(group_uuid=group.uuid, **plain)
        change.add(row)
        label = values.get("snapmirror_label", "")
        kept = {"comment": values["comment"], "snapmirror_label": label}
        snapshots.take(change, group.volumes, name, taken_with=row.uuid, **kept)
        return row

    def delete(
        self, change: Change, row: ConsistencyGroupSnapshot, options: dict[str, Any]
    ) -> None:
        """Delete a snapshot with those of the volumes."""
        members = _of_volumes(row, Reader(change.session))
        for snapshot in members:
            snapshots.check_deletable(snapshot)
        for snapshot in members:
            snapshot.release(change)
        change.delete(row)
