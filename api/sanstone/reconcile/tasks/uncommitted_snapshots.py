"""Snapshots that were started and not committed: deleted when their time is over.

A request and its job are written as the API would write them; the next turn deletes what the
snapshot holds. While the running release is on trial none is deleted (see `snapshot_schedules`),
nor is one that has clones, until these are split or gone.
"""

from __future__ import annotations

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from sanstone.core import events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.store import reading, writing
from sanstone.model.volumes import ConsistencyGroupSnapshot
from sanstone.rules.storage import group_snapshots
from sanstone.system import slot_report


def run(database: Engine, now: float) -> None:
    """Queue the deletion of what was not committed by `now`, in seconds since 1970."""
    with reading(database) as session:
        overdue = _overdue(session, now)
    if not overdue or slot_report.on_trial():
        return
    with writing(database) as session:
        for row in _overdue(session, now):
            parts = group_snapshots.members(session, row)
            if any(snapshot.clones for snapshot in parts):
                continue
            change = Change(session)
            text = f'Snapshot "{row.name}" of group "{row.group.name}" was not committed in time.'
            events.emit(session, events.NOTICE, "snapshot.uncommitted", text)
            description = f"DELETE /api/{row.owner.replace(':', '/', 1)}"
            group_snapshots.release(change, row)
            jobs.queue(change, description)


def _overdue(session: Session, now: float) -> list[ConsistencyGroupSnapshot]:
    late = ConsistencyGroupSnapshot.commit_by < now
    return list(session.scalars(select(ConsistencyGroupSnapshot).where(late)))
