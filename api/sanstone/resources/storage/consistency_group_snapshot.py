"""`application/consistency-groups/{consistency_group.uuid}/snapshots`: of all volumes at once.

A snapshot of a group is one of each of its volumes, all of one moment and of the same name. It is
deleted with them; they stay when the group is deleted.

With `action=start` it is taken at once and goes again unless `action=commit` comes in time. Hosts
write on in between. A write fence, which ONTAP puts up from start to commit, for 7 s or up to 120,
is refused: a client that commits several arrays' snapshots together has to hold writes itself. To
hold them a device would be suspended, which holds reads too (drivers/md/dm.c, dm_submit_bio). Linux
aborts a command after 30 s, and LIO ends the abort when the command has ended (target_core_tmr.c,
core_tmr_abort_task); nvmet does not abort, and its controller's reset waits likewise.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    CREATE,
    Field,
    Items,
    Reader,
    Reference,
    References,
    Resource,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Timestamp, Uuid
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import ConsistencyGroup, ConsistencyGroupSnapshot, Snapshot, Volume
from sanstone.resources.storage.snapshot import NAME
from sanstone.rules.storage import snapshots
from sanstone.rules.storage.group_snapshots import (
    FAILED,
    NOT_PERMITTED,
    check,
    members,
    release,
    take,
)
from sanstone.rules.storage.snapshots import BAD_NAME

START, COMMIT = "start", "commit"


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


def _missing(row: ConsistencyGroupSnapshot, reader: Reader) -> list[Volume]:
    """Return the volumes of the group that it does not hold: those that joined the group since, and
    those that lost their snapshot alone.
    """
    there = {snapshot.volume_uuid for snapshot in _of_volumes(row, reader)}
    return [volume for volume in row.group.volumes if volume.uuid not in there]


def _devices(kind: str) -> Items:
    """Return the list of the LUNs or namespaces in a snapshot."""

    def devices(row: ConsistencyGroupSnapshot, reader: Reader) -> Iterator[SimpleNamespace]:
        for snapshot in _of_volumes(row, reader):
            for member in snapshot.members:
                if member.device_kind == kind:
                    name = f"/vol/{snapshot.volume.name}/{member.base_name}"
                    yield SimpleNamespace(name=name, uuid=member.device_uuid)

    name = kind.rpartition("/")[2]
    entry = (
        Field("name", Text(), "Its path then."),
        Field("uuid", Uuid(), "Its identity."),
    )
    return Items(name, entry, f"The {name} in it.", get=devices, costly=True)


class ConsistencyGroupSnapshotResource(Resource[ConsistencyGroupSnapshot]):
    """Snapshots of a consistency group."""

    path = "application/consistency-groups/{consistency_group.uuid}/snapshots"
    doc = "Snapshots of all volumes of a consistency group, taken at one moment."
    model = ConsistencyGroupSnapshot
    keys = ("consistency_group.uuid", "uuid")
    order = ("create_time", "uuid")
    asynchronous = True
    searched = ("name", "comment")
    options = (
        Field("action", Choice(START, COMMIT), "The phase of a snapshot that is taken in two."),
        Field(
            "action_timeout", Integer(1, 120), "Seconds in which it must be committed.", default=7
        ),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the snapshot."),
        Field(
            "name",
            NAME,
            "Name in the group, and in each volume.",
            access=CREATE,
            required=True,
            code=BAD_NAME,
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
        Field(
            "write_fence",
            Boolean(),
            "Whether writes to all its volumes are held while it is taken: they always are, for "
            "some milliseconds. They are not held from start to commit: then give false, which is "
            "the default for a group of one volume alone.",
            access=CREATE,
            get=constant(True),
        ),
        Field("create_time", Timestamp(), "Time of the request."),
        Field(
            "commit_by",
            Timestamp(),
            "Until when it must be committed; absent of one that is, or need not be.",
        ),
        References("volumes", Volume, "The volumes in it.", get=_volumes),
        Field(
            "is_partial",
            Boolean(),
            "Whether it lacks a volume of the group, so that the group cannot go back to it.",
            get=lambda row, reader: bool(_missing(row, reader)),
        ),
        References("missing_volumes", Volume, "The group's volumes that it lacks.", get=_missing),
        Items(
            "snapshot_volumes",
            (
                Reference("volume", Volume, "The volume."),
                Reference("snapshot", Snapshot, "Its snapshot.", get=lambda row, _: row),
            ),
            "The volumes in it with their snapshots.",
            get=_of_volumes,
        ),
        _devices(Lun.kind),
        _devices(Namespace.kind),
    )

    def create(self, change: Change, values: dict[str, Any]) -> ConsistencyGroupSnapshot:
        """Take a snapshot of all volumes of the group, to be committed on request."""
        group, action = values["consistency_group"], values["action"]
        if action == COMMIT:
            raise errors.invalid("Commit a snapshot that was started, by PATCH.", "action")
        if action == START and values.get("write_fence", len(group.volumes) > 1):
            text = "Writes are not held from start to commit; set write_fence to false."
            raise errors.conflict(text, "write_fence", NOT_PERMITTED)
        check(change.session, group, values["name"])
        own = {name: values[name] for name in ("name", "comment", "consistency_type")}
        if action == START:
            own["commit_by"] = time.time() + values["action_timeout"]
        label = values.get("snapmirror_label", "")
        kept = {"comment": values["comment"], "snapmirror_label": label}
        return take(change, group, own, kept)

    def update(self, change: Change, row: ConsistencyGroupSnapshot, values: dict[str, Any]) -> None:
        """Commit a snapshot that was started."""
        if values["action"] == START:
            raise errors.invalid("A snapshot is started by POST.", "action")
        if values["action"] != COMMIT:
            return
        if row.commit_by is None or row.commit_by < time.time():
            text = f'Snapshot "{row.name}" has not been started, or not been committed in time.'
            raise errors.conflict(text, "action", FAILED)
        row.commit_by = None

    def delete(
        self, change: Change, row: ConsistencyGroupSnapshot, options: dict[str, Any]
    ) -> None:
        """Delete a snapshot with those of the volumes."""
        for snapshot in members(change.session, row):
            snapshots.check_deletable(snapshot)
        release(change, row)
