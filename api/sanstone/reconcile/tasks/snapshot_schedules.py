"""Scheduled snapshots: taken by the policy of their volume, and old ones deleted to make room.

A request and its job are written as the API would write them; the next turn takes the snapshot. The
schedule of a volume applies from the time at which the volume got its policy. If scheduled times
were missed, because the array was off or the volume offline, one snapshot is taken for all of them.
A snapshot that cannot be deleted, because a clone depends on it or its retention time is not over,
is kept in addition to the policy's number.

While the running release is on trial, no snapshot is taken or deleted: the array may return to an
earlier configuration, which would not contain the new snapshot and would expect the deleted one.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, jobs
from sanstone.core.change import Change
from sanstone.core.observed import Observed, load
from sanstone.core.statements import every
from sanstone.core.store import reading, writing
from sanstone.model.cluster import Cluster, seconds
from sanstone.model.policies import SnapshotPolicy, SnapshotPolicyCopy
from sanstone.model.volumes import Snapshot, Volume
from sanstone.resources.storage import snapshot as snapshots
from sanstone.system import slot_report

KIND = "storage/snapshot-schedules"
"""What is observed: by volume and schedule, the last scheduled time that was processed."""


class Due(NamedTuple):
    """A scheduled time of a volume; `first` is one from before the volume had its policy."""

    volume: str
    schedule: str
    moment: datetime
    first: bool

    @property
    def key(self) -> str:
        """Return `<volume>/<schedule>`."""
        return f"{self.volume}/{self.schedule}"


def run(database: Engine, node_uuid: str, now: float) -> None:
    """Queue requests for the snapshots of a node that are due at `now`, in seconds since 1970."""
    if slot_report.on_trial():
        return
    with reading(database) as session:
        due_snapshots = _due(session, node_uuid, now)
    for due in due_snapshots:
        with writing(database) as session:
            data = {"at": due.moment.timestamp()}
            session.merge(Observed(kind=KIND, key=due.key, node_uuid=node_uuid, data=data))
            session.flush()
            if not due.first:
                _queue_snapshot(session, due, now)


def _due(session: Session, node_uuid: str, now: float) -> list[Due]:
    """Return the scheduled times that have come and are not processed yet."""
    cluster = session.scalars(every(Cluster)).one_or_none()
    if cluster is None:
        return []
    local_time = datetime.fromtimestamp(now, ZoneInfo(cluster.timezone))
    observed, due = load(session, KIND, node_uuid=node_uuid), []
    for volume, copy in session.execute(_scheduled()):
        processed = observed.get(f"{volume}/{copy.schedule_uuid}")
        moment = copy.schedule.last(local_time)
        if processed is None or moment.timestamp() > processed.data["at"]:
            due.append(Due(volume, copy.schedule_uuid, moment, processed is None))
    return due


@cache
def _scheduled() -> Select[tuple[str, SnapshotPolicyCopy]]:
    return (
        select(Volume.uuid, SnapshotPolicyCopy)
        .join(SnapshotPolicy, SnapshotPolicy.uuid == Volume.snapshot_policy_uuid)
        .join(SnapshotPolicyCopy, SnapshotPolicyCopy.policy_uuid == SnapshotPolicy.uuid)
        .where(SnapshotPolicy.enabled, Volume.state == "online")
        .order_by(Volume.uuid, SnapshotPolicyCopy.schedule_uuid)
    )


def _queue_snapshot(session: Session, due: Due, now: float) -> None:
    """Write the request for a snapshot, and for deleting those beyond the policy's number."""
    volume = session.get(Volume, due.volume)
    key = volume.snapshot_policy_uuid if volume else "", due.schedule
    copy = session.get(SnapshotPolicyCopy, key)
    if volume is None or copy is None:
        return
    name = f"{copy.prefix}.{due.moment:%Y-%m-%d_%H%M}"
    change = Change(session)
    existing = [row for row in volume.snapshots if row.schedule_uuid == due.schedule]
    deletable = [row for row in existing if not row.clones and (row.expiry_time or 0) <= now]
    try:
        snapshots.check(session, volume, name)
    except errors.ApiError as error:
        text = f'Snapshot "{name}" of volume "{volume.name}" was not taken: {error.message}'
        events.emit(session, events.ERROR, "snapshot.schedule.failed", text)
        return
    for row in deletable[: max(0, len(existing) + 1 - copy.count)]:
        row.release(change)
    session.expire(volume, ["snapshots"])
    snapshots.take(
        change,
        [volume],
        name,
        schedule_uuid=due.schedule,
        snapmirror_label=copy.snapmirror_label,
        expiry_time=now + seconds(copy.retention_period) if copy.retention_period else None,
    )
    jobs.queue(change, f"POST /api/{Snapshot.kind}/{volume.uuid}/snapshots")
