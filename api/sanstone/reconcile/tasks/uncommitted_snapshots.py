"""Snapshots that were started and not committed: deleted when their time is over.

A request and its job are written as the API would write them; the next turn deletes what the
snapshot holds. While the running release is on trial none is deleted (see `snapshot_schedules`),
nor is one that has clones, until these are split or gone.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import Engine, Select, bindparam, or_, select
from sqlalchemy.orm import Session

from sanstone.core import events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.store import reading, writing
from sanstone.model.volumes import ConsistencyGroup, ConsistencyGroupSnapshot
from sanstone.rules.storage import group_snapshots
from sanstone.system import slot_report


def run(database: Engine, node_uuid: str, now: float) -> None:
    """Queue the deletion of what was not committed by `now`, in seconds since 1970.

    It is in groups that a node owns.
    """
    with reading(database) as session:
        overdue = _overdue(session, node_uuid, now)
    if not overdue or slot_report.on_trial():
        return
    with writing(database) as session:
        for row in _overdue(session, node_uuid, now):
            parts = group_snapshots.members(session, row)
            if any(snapshot.clones for snapshot in parts):
                continue
            change = Change(session)
            text = f'Snapshot "{row.name}" of group "{row.group.name}" was not committed in time.'
            events.emit(session, events.NOTICE, "snapshot.uncommitted", text)
            description = f"DELETE /api/{row.owner.replace(':', '/', 1)}"
            group_snapshots.release(change, row)
            jobs.queue(change, description)


def _overdue(session: Session, node_uuid: str, now: float) -> list[ConsistencyGroupSnapshot]:
    return list(session.scalars(_late(), {"node": node_uuid, "now": now}))


@cache
def _late() -> Select[tuple[ConsistencyGroupSnapshot]]:
    owner = ConsistencyGroup.owning_node(ConsistencyGroup)
    # A group that has no volumes any more is nobody's, and then whoever comes first does it.
    is_own = or_(owner == bindparam("node"), owner.is_(None))
    late = ConsistencyGroupSnapshot.commit_by < bindparam("now"), is_own
    return select(ConsistencyGroupSnapshot).join(ConsistencyGroupSnapshot.group).where(*late)
