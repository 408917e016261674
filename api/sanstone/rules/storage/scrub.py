"""Scrubs of an aggregate's RAID groups: when one is due, and how far each is.

The observation of a group is a `GroupScrub`. A scrub that is due stays due until it has come to its
end: what interrupts it, as a rebuild or a power cut, only delays it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from sanstone.core.database.statements import every
from sanstone.model.aggregates import Aggregate
from sanstone.model.cluster import Cluster, Schedule

START, STOP, SUSPEND, RESUME = "start", "stop", "suspend", "resume"
IDLE, RUNNING, SUSPENDED, WAITING = "idle", "running", "suspended", "waiting"
OVERDUE = 7 * 86400.0
"""Seconds after which a scrub that is due and has not come to its end is overdue."""


@dataclass
class GroupScrub:
    """The scrubs of one RAID group. Times are in seconds since 1970."""

    since: float
    """Moments of the schedule before it are past."""
    orders: int = 0
    """How many orders were taken in."""
    due: float | None = None
    """Since when the present scrub is due; None for none."""
    state: str = IDLE
    sector: int = 0
    """Where it goes on after an interruption."""
    percent: int = 0
    found: int = 0
    """Sectors that did not agree, of those before `sector`."""
    found_before: int = 0
    """Those that were found when md was last set to it."""
    last: float | None = None
    """When the last one came to its end."""
    last_found: int = 0
    """Sectors that did not agree in that."""

    def is_overdue(self, now: float) -> bool:
        """Return whether it should have come to its end by now."""
        return self.due is not None and now > self.due + OVERDUE

    def forget(self, now: float) -> None:
        """Have none be due any more."""
        self.since, self.due, self.state = now, None, IDLE
        self.sector = self.percent = self.found = self.found_before = 0

    def reach(self, sector: int, mismatches: int) -> None:
        """Note how far md is, and the mismatches that it counted since its last start."""
        self.sector, self.found = sector, self.found_before + mismatches

    def end(self, now: float) -> None:
        """Note that it has come to its end."""
        self.last, self.last_found = now, self.found
        self.forget(now)

    def packed(self) -> dict[str, Any]:
        """Return it as it is observed."""
        return asdict(self)


def of_groups(facts: Mapping[str, Any]) -> dict[int, GroupScrub]:
    """Return the scrubs of an observed aggregate by number of its RAID groups."""
    return {int(number): GroupScrub(**seen) for number, seen in facts.get("scrub", {}).items()}


def state(groups: Mapping[int, GroupScrub]) -> str:
    """Return the state of an aggregate's scrub: of its groups, that of the busiest."""
    states = {group.state for group in groups.values()}
    return next((each for each in (RUNNING, WAITING, SUSPENDED) if each in states), IDLE)


def scheduled(session: Session, row: Aggregate, group: GroupScrub, now: float) -> float | None:
    """Return the moment of the schedule for which a group is to be scrubbed, or None."""
    schedule = session.get(Schedule, row.scrub_schedule_uuid)
    cluster = session.scalars(every(Cluster)).one_or_none()
    if schedule is None or cluster is None:
        return None
    local_time = datetime.fromtimestamp(now, ZoneInfo(cluster.timezone))
    moment = schedule.last(local_time).timestamp()
    return moment if moment > group.since else None
