"""Rows that every array has from the start: schedules, policies of snapshots, filters of events.

Each function adds those of a table when it is created; the migration that creates it calls it, too.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import event, insert
from sqlalchemy.engine import Connection

from sanstone.core import events
from sanstone.model.built_in import built_in_uuid
from sanstone.model.cluster import Schedule
from sanstone.model.events import ANY, EmsFilter, Rule
from sanstone.model.policies import NONE, SnapshotPolicy, SnapshotPolicyCopy

SCHEDULES: dict[str, dict[str, list[int]]] = {
    "5min": {"minutes": list(range(0, 60, 5))},
    "8hour": {"minutes": [15], "hours": [2, 10, 18]},
    "hourly": {"minutes": [5]},
    "daily": {"minutes": [10], "hours": [0]},
    "weekly": {"minutes": [15], "hours": [0], "weekdays": [0]},
    "monthly": {"minutes": [20], "hours": [0], "days": [1]},
}


@event.listens_for(Schedule.__table__, "after_create")
def seed_schedules(_table: Any, connection: Connection, **_options: Any) -> None:
    """Add the built-in schedules; the migration that creates the table calls this."""
    for name, cron in SCHEDULES.items():
        row = {"uuid": built_in_uuid(Schedule.kind, name), "name": name, "cron": cron}
        connection.execute(insert(Schedule).values(interval="", **row))


SNAPSHOT_POLICIES: dict[str, tuple[str, dict[str, tuple[int, str]]]] = {
    "default": (
        "Default policy with hourly, daily & weekly schedules.",
        {"hourly": (6, ""), "daily": (2, "daily"), "weekly": (2, "weekly")},
    ),
    "default-1weekly": (
        "Default policy with 6 hourly, 2 daily & 1 weekly schedule.",
        {"hourly": (6, ""), "daily": (2, "daily"), "weekly": (1, "weekly")},
    ),
    NONE: ("Policy for no automatic snapshots.", {}),
}


@event.listens_for(SnapshotPolicyCopy.__table__, "after_create")
def seed_snapshot_policies(_table: Any, connection: Connection, **_options: Any) -> None:
    """Add the built-in policies; the migration that creates the tables calls this."""
    for name, (comment, kept) in SNAPSHOT_POLICIES.items():
        uuid = built_in_uuid(SnapshotPolicy.kind, name)
        row = {"uuid": uuid, "name": name, "enabled": True, "comment": comment}
        connection.execute(insert(SnapshotPolicy).values(row))
        for schedule, (count, label) in kept.items():
            row = {"schedule_uuid": built_in_uuid(Schedule.kind, schedule), "count": count}
            row |= {"policy_uuid": uuid, "prefix": schedule, "snapmirror_label": label}
            connection.execute(insert(SnapshotPolicyCopy).values(row))


def _including(*severities: str) -> Rule:
    return {"type": "include", "name_pattern": ANY, "severities": ",".join(severities)}


EVENT_FILTERS: dict[str, list[Rule]] = {
    "important-events": [_including(events.EMERGENCY, events.ALERT, events.ERROR)],
    "no-info-debug-events": [
        _including(events.EMERGENCY, events.ALERT, events.ERROR, events.NOTICE)
    ],
}


@event.listens_for(EmsFilter.__table__, "after_create")
def seed_event_filters(_table: Any, connection: Connection, **_options: Any) -> None:
    """Add the built-in filters; the migration that creates the table calls this."""
    for name, rules in EVENT_FILTERS.items():
        row = {"uuid": built_in_uuid(EmsFilter.kind, name), "name": name, "rules": rules}
        connection.execute(insert(EmsFilter).values(row))
