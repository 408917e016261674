"""The scrubs of an aggregate: fields of `storage/aggregates`, and the orders to begin and end one.

ONTAP has them in its shell alone (`storage aggregate scrub`), so the fields are ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    MODIFY,
    WRITE,
    Field,
    Reader,
    Reference,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Integer, Timestamp
from sanstone.model.aggregates import Aggregate
from sanstone.model.cluster import Schedule
from sanstone.rules.storage import scrub
from sanstone.rules.storage.scrub import GroupScrub

SCRUB = "scrub"
_ACTION, _SCHEDULE = f"{SCRUB}.action", f"{SCRUB}.schedule"
_FITS = {
    scrub.START: (scrub.IDLE,),
    scrub.STOP: (scrub.RUNNING, scrub.WAITING, scrub.SUSPENDED),
    scrub.SUSPEND: (scrub.RUNNING, scrub.WAITING),
    scrub.RESUME: (scrub.SUSPENDED,),
}
"""The states in which each action can be taken."""


def _of_groups(
    get: Callable[[list[GroupScrub]], Any],
) -> Callable[[Aggregate, Reader], Any]:
    """Return a getter for what the scrubs of all RAID groups come to, None before there are any."""

    def value(row: Aggregate, reader: Reader) -> Any:
        groups = list(scrub.of_groups(row.facts(reader)).values())
        return get(groups) if groups else None

    return value


def _percent(groups: list[GroupScrub]) -> int | None:
    due = [group.percent for group in groups if group.due is not None]
    return sum(due) // len(due) if due else None


def _last(groups: list[GroupScrub]) -> float | None:
    ended = [group.last for group in groups]
    return None if None in ended else min(filter(None, ended), default=None)


def _mismatches(groups: list[GroupScrub]) -> int | None:
    has_ended = any(group.last is not None for group in groups)
    return sum(group.last_found for group in groups) if has_ended else None


def _schedule(row: Aggregate, reader: Reader) -> Schedule | None:
    uuid = row.scrub_schedule_uuid
    return reader.row(Schedule, uuid) if uuid else None


def scrub_fields() -> tuple[Field | Reference, ...]:
    """Return the fields of an aggregate that are about its scrubs."""
    return (
        Reference(
            _SCHEDULE,
            Schedule,
            "Schedule by which its RAID groups are scrubbed: read whole, and data compared with "
            "parity. weekly where none is given; `none` for none.",
            access=WRITE,
            get=_schedule,
            none=("none",),
        ),
        Field(
            _ACTION,
            Choice(scrub.START, scrub.STOP, scrub.SUSPEND, scrub.RESUME),
            "Begins or ends a scrub, or has it stand still and go on. Never shown.",
            access=MODIFY,
            get=constant(None),
        ),
        Field(
            f"{SCRUB}.state",
            Choice(scrub.IDLE, scrub.RUNNING, scrub.SUSPENDED, scrub.WAITING),
            "Whether a scrub runs. One that waits goes on once the RAID group is whole and nothing "
            "else is done to it.",
            get=lambda row, reader: scrub.state(scrub.of_groups(row.facts(reader))),
        ),
        Field(f"{SCRUB}.percent", Integer(0, 100), "How far it is.", get=_of_groups(_percent)),
        Field(
            f"{SCRUB}.last_time",
            Timestamp(),
            "When all RAID groups had been scrubbed last; absent before the first time.",
            get=_of_groups(_last),
        ),
        Field(
            f"{SCRUB}.last_mismatches",
            Integer(),
            "Sectors of 512 bytes in which disks did not agree then. Nothing was changed.",
            get=_of_groups(_mismatches),
        ),
        Field(
            f"{SCRUB}.overdue",
            Boolean(),
            "Whether a scrub should have come to its end more than a week after it was due.",
            get=_of_groups(lambda groups: any(group.is_overdue(time.time()) for group in groups)),
        ),
    )


def order(change: Change, row: Aggregate, values: dict[str, Any]) -> None:
    """Have an aggregate be scrubbed as a request wants. Raises ApiError where it cannot be."""
    if _SCHEDULE in values:
        schedule = values[_SCHEDULE]
        row.scrub_schedule_uuid = schedule.uuid if schedule else ""
    action = values.get(_ACTION)
    if action is None:
        return
    groups = scrub.of_groups(row.facts(Reader(change.session)))
    now = scrub.state(groups)
    if not groups:
        text = f'Aggregate "{row.name}" has no RAID group that could be scrubbed.'
        raise errors.conflict(text, _ACTION)
    if now not in _FITS[action]:
        text = f'The scrub of aggregate "{row.name}" is {now}: {action} is not possible.'
        raise errors.conflict(text, _ACTION)
    row.scrub_action, row.scrub_orders = action, row.scrub_orders + 1
    change.touch(row.owner)
