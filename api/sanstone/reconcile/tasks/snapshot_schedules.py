"""Snapshots that are due by the policy of their volume, and the old ones that make room for them.

A request and its job are written as the API would write them; the next pass takes the snapshot. A
moment counts from when a volume has its policy. One that was missed, since the array was off or the
volume offline, is made up for once, not several times. A snapshot that cannot be deleted, because
a clone needs it or its time of retention is not over, is kept beyond the number.

While the release that runs is on trial nothing is taken or deleted: the array may go back to a
configuration that would miss the one and look for the other.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, jobs
from sanstone.core.change import Change
from sanstone.core.observed import Observed, load
from sanstone.core.store import reading, writing
from sanstone.model.cluster import Cluster, seconds
from sanstone.model.policies import SnapshotPolicy, SnapshotPolicyCopy
from sanstone.model.volumes import Snapshot, Volume
from sanstone.resources.storage import snapshot as snapshots
from sanstone.system import slot_report

KIND = "storage/snapshot-schedules"
"""What is observed: by volume and schedule, the last moment that was dealt with."""


class Due(NamedTuple):
    """A moment of a volume's schedule; `first` is one from before the volume had its policy."""

    volume: str
    schedule: str
    moment: datetime
    first: bool

    @property
    def key(self) -> str:
        """Return `<volume>/<schedule>`."""
        return f"{self.volume}/{self.schedule}"


def run(database: Engine, node_uuid: str, now: float) -> None:
    """Ask for the snapshots of a node that are due at `now`, in seconds since 1970."""
    if slot_report.on_trial():
        return
    with reading(database) as session:
        found = _due(session, node_uuid, now)
    for due in found:
        with writing(database) as session:
            data = {"at": due.moment.timestamp()}
            session.merge(Observed(kind=KIND, key=due.key, node_uuid=node_uuid, data=data))
            session.flush()
            if not due.first:
                _ask(session, due, now)


def _due(session: Session, node_uuid: str, now: float) -> list[Due]:
    cluster = session.scalars(select(Cluster)).one_or_none()
    if cluster is None:
        return []
    here = datetime.fromtimestamp(now, ZoneInfo(cluster.timezone))
    known, found = load(session, KIND, node_uuid=node_uuid), []
    query = (
        select(Volume.uuid, SnapshotPolicyCopy)
        .join(SnapshotPolicy, SnapshotPolicy.uuid == Volume.snapshot_policy_uuid)
        .join(SnapshotPolicyCopy, SnapshotPolicyCopy.policy_uuid == SnapshotPolicy.uuid)
        .where(SnapshotPolicy.enabled, Volume.state == "online")
        .order_by(Volume.uuid, SnapshotPolicyCopy.schedule_uuid)
    )
    for volume, copy in session.execute(query):
        seen = known.get(f"{volume}/{copy.schedule_uuid}")
        moment = copy.schedule.last(here)
        if seen is None or moment.timestamp() > seen.data["at"]:
            found.append(Due(volume, copy.schedule_uuid, moment, seen is None))
    return found


def _ask(session: Session, due: Due, now: float) -> None:
    """Write the request for a snapshot and for the end of those beyond the number kept."""
    volume = session.get(Volume, due.volume)
    key = volume.snapshot_policy_uuid if volume else "", due.schedule
    copy = session.get(SnapshotPolicyCopy, key)
    if volume is None or copy is None:
        return
    name = f"{copy.prefix}.{due.moment:%Y-%m-%d_%H%M}"
    change = Change(session)
    mine = [row for row in volume.snapshots if row.schedule_uuid == due.schedule]
    old = [row for row in mine if not row.clones and (row.expiry_time or 0) <= now]
    try:
        snapshots.check(session, volume, name)
    except errors.ApiError as error:
        text = f'Snapshot "{name}" of volume "{volume.name}" was not taken: {error.message}'
        events.emit(session, events.ERROR, "snapshot.schedule.failed", text)
        return
    for row in old[: max(0, len(mine) + 1 - copy.count)]:
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
