"""Scheduled snapshots: taken by the policy of their volume or consistency group, and old ones
deleted to make room.

A request and its job are written as the API would write them; the next turn takes the snapshot. The
schedule of a volume or group applies from the time at which that got its policy. If scheduled times
were missed, because the array was off or the volume offline, one snapshot is taken for all of them.
A snapshot that cannot be deleted, because a clone depends on it or its retention time is not over,
is kept in addition to the policy's number.

While the running release is on trial, no snapshot is taken or deleted: the array may return to an
earlier configuration, which would not contain the new snapshot and would expect the deleted one.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.statements import OWNER, every, owned
from sanstone.core.database.store import reading, writing
from sanstone.core.observed import Observed, load
from sanstone.model.cluster import Cluster, seconds
from sanstone.model.observations import SNAPSHOT_SCHEDULES
from sanstone.model.policies import SnapshotPolicy, SnapshotPolicyCopy
from sanstone.model.volumes import ConsistencyGroup, Snapshot, Volume
from sanstone.rules.storage import group_snapshots, snapshots
from sanstone.system import slot_report

Kept = type[Volume] | type[ConsistencyGroup]
"""The owners of observations: by volume or group, and schedule, the last scheduled time
processed."""


class Due(NamedTuple):
    """A scheduled time of a volume or group, which is of the table `kept`; `first` is one from
    before it had its policy.
    """

    kept: Kept
    uuid: str
    schedule: str
    moment: datetime
    first: bool

    @property
    def key(self) -> str:
        """Return `<volume or group>/<schedule>`."""
        return f"{self.uuid}/{self.schedule}"


def run(database: Engine, node_uuid: str, now: float) -> None:
    """Queue requests for the snapshots that are due at `now`, in seconds since 1970.

    They are those of the volumes and groups that a node owns.
    """
    if slot_report.on_trial():
        return
    with reading(database) as session:
        due_snapshots = _due(session, node_uuid, now)
    for due in due_snapshots:
        with writing(database) as session:
            data = {"at": due.moment.timestamp()}
            session.merge(
                Observed(kind=SNAPSHOT_SCHEDULES, key=due.key, node_uuid=node_uuid, data=data)
            )
            session.flush()
            if not due.first:
                _queue_snapshot(session, due, now)


def _due(session: Session, node_uuid: str, now: float) -> list[Due]:
    """Return the scheduled times that have come and are not processed yet."""
    cluster = session.scalars(every(Cluster)).one_or_none()
    if cluster is None:
        return []
    local_time = datetime.fromtimestamp(now, ZoneInfo(cluster.timezone))
    observed, due = load(session, SNAPSHOT_SCHEDULES, node_uuid=node_uuid), []
    statements: dict[Kept, Any] = {Volume: _of_volumes(), ConsistencyGroup: _of_groups()}
    for kept, statement in statements.items():
        for uuid, copy in session.execute(owned(kept, statement), {OWNER: node_uuid}):
            processed = observed.get(f"{uuid}/{copy.schedule_uuid}")
            moment = copy.schedule.last(local_time)
            if processed is None or moment.timestamp() > processed.data["at"]:
                due.append(Due(kept, uuid, copy.schedule_uuid, moment, processed is None))
    return due


@cache
def _of_volumes() -> Select[tuple[str, SnapshotPolicyCopy]]:
    return _scheduled(Volume).where(Volume.state == "online")


@cache
def _of_groups() -> Select[tuple[str, SnapshotPolicyCopy]]:
    return _scheduled(ConsistencyGroup).where(ConsistencyGroup.members.any())


def _scheduled(kept: Kept) -> Select[tuple[str, SnapshotPolicyCopy]]:
    """Return the statement for enabled policies' copies, each with its owner's UUID."""
    return (
        select(kept.uuid, SnapshotPolicyCopy)
        .join(SnapshotPolicy, SnapshotPolicy.uuid == kept.snapshot_policy_uuid)
        .join(SnapshotPolicyCopy, SnapshotPolicyCopy.policy_uuid == SnapshotPolicy.uuid)
        .where(SnapshotPolicy.enabled)
        .order_by(kept.uuid, SnapshotPolicyCopy.schedule_uuid)
    )


def _queue_snapshot(session: Session, due: Due, now: float) -> None:
    """Write the request for a snapshot, and for deleting those beyond the policy's number."""
    kept: Any = due.kept
    owner: Volume | ConsistencyGroup | None = session.get(kept, due.uuid)
    key = owner.snapshot_policy_uuid if owner else "", due.schedule
    copy = session.get(SnapshotPolicyCopy, key)
    if owner is None or copy is None:
        return
    name = f"{copy.prefix}.{due.moment:%Y-%m-%d_%H%M}"
    change = Change(session)
    try:
        if isinstance(owner, ConsistencyGroup):
            _take_of_group(change, owner, name, copy, now)
        else:
            _take_of_volume(change, owner, name, copy, now)
    except errors.ApiError as error:
        called = "group" if isinstance(owner, ConsistencyGroup) else "volume"
        text = f'Snapshot "{name}" of {called} "{owner.name}" was not taken: {error.message}'
        events.emit(session, events.ERROR, "snapshot.schedule.failed", text)
        return
    jobs.queue(change, f"POST /api/{owner.kind}/{owner.uuid}/snapshots")


def _take_of_volume(
    change: Change, volume: Volume, name: str, copy: SnapshotPolicyCopy, now: float
) -> None:
    """Take a snapshot of a volume, and delete old ones of the schedule. Raises ApiError."""
    snapshots.check(change.session, volume, name)
    existing = [row for row in volume.snapshots if row.schedule_uuid == copy.schedule_uuid]
    deletable = [row for row in existing if _is_deletable(row, now)]
    for row in deletable[: max(0, len(existing) + 1 - copy.count)]:
        row.release(change)
    change.session.expire(volume, ["snapshots"])
    snapshots.take(change, [volume], name, schedule_uuid=copy.schedule_uuid, **_kept(copy, now))


def _take_of_group(
    change: Change, group: ConsistencyGroup, name: str, copy: SnapshotPolicyCopy, now: float
) -> None:
    """Take a snapshot of a group, and delete old ones of the schedule. Raises ApiError."""
    group_snapshots.check(change.session, group, name)
    existing = [row for row in group.snapshots if row.schedule_uuid == copy.schedule_uuid]
    deletable = [
        row
        for row in existing
        if all(_is_deletable(each, now) for each in group_snapshots.members(change.session, row))
    ]
    for row in deletable[: max(0, len(existing) + 1 - copy.count)]:
        group_snapshots.release(change, row)
    for volume in group.volumes:
        change.session.expire(volume, ["snapshots"])
    own = {"name": name, "schedule_uuid": copy.schedule_uuid}
    group_snapshots.take(change, group, own, _kept(copy, now))


def _is_deletable(row: Snapshot, now: float) -> bool:
    return not row.clones and (row.expiry_time or 0) <= now


def _kept(copy: SnapshotPolicyCopy, now: float) -> dict[str, Any]:
    """Return the values that a copy sets on the snapshots that are taken for it."""
    expiry = now + seconds(copy.retention_period) if copy.retention_period else None
    return {"snapmirror_label": copy.snapmirror_label, "expiry_time": expiry}
