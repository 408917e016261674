"""Scrub the RAID groups of aggregates by their schedules and by order.

A group is scrubbed while it is whole and nothing else is done to it; it waits otherwise, and goes
on where it was, after a power cut, too. What a scrub finds is reported and never repaired: md would
compute parity anew out of the data, whichever of both is right.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.kernel import names
from sanstone.kernel.storage import md
from sanstone.model.aggregates import Aggregate
from sanstone.reconcile.turn import Turn
from sanstone.rules.storage import scrub
from sanstone.rules.storage.scrub import GroupScrub


def ensure(turn: Turn, aggregate: Aggregate, numbers: Sequence[int]) -> None:
    """Begin, suspend and end scrubs of an aggregate's RAID groups. Raises HostError."""
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    groups, now = scrub.of_groups(facts), time.time()
    kept: dict[int, GroupScrub] = {}
    try:
        for number in numbers:
            group = groups.get(number) or GroupScrub(since=now, orders=aggregate.scrub_orders)
            kept[number] = group
            _ensure(turn, aggregate, number, group, now)
    finally:
        facts["scrub"] = {str(number): group.packed() for number, group in kept.items()}
    _tell(turn, aggregate, kept, now)


def _ensure(turn: Turn, aggregate: Aggregate, number: int, group: GroupScrub, now: float) -> None:
    device = names.array_device(aggregate.uuid, number)
    status = md.status(turn.host, aggregate.uuid, number)
    progress = md.scrubbed(turn.host, device) if status and status.state != "inactive" else None
    if status is None or progress is None:
        return
    if group.state == scrub.RUNNING:
        _follow(group, progress, now)
    _obey(aggregate, group, now)
    if group.due is None:
        group.due = scrub.scheduled(turn.session, aggregate, group, now)
    if group.due is None:
        state = scrub.IDLE
    elif aggregate.scrub_action == scrub.SUSPEND:
        state = scrub.SUSPENDED
    elif status.state not in ("clean", "checking") or aggregate.owner in turn.jobs.waiting:
        state = scrub.WAITING
    else:
        state = scrub.RUNNING
    if state == scrub.RUNNING:
        _begin(turn, device, group, progress)
    elif md.pause_scrub(turn.host, device):
        if group.due is not None and (former := md.scrubbed(turn.host, device)):
            group.reach(former.sector, former.mismatches)
        turn.did(f"scrub of {device}: {state}")
    group.state = state


def _obey(aggregate: Aggregate, group: GroupScrub, now: float) -> None:
    """Take in the last order, unless it was; one that the machine refused was taken back."""
    if group.orders == aggregate.scrub_orders:
        return
    is_taken_back = aggregate.scrub_orders < group.orders
    group.orders = aggregate.scrub_orders
    if is_taken_back or aggregate.scrub_action == scrub.STOP:
        group.forget(now)
    elif aggregate.scrub_action == scrub.START and group.due is None:
        group.due = now


def _follow(group: GroupScrub, progress: md.Scrub, now: float) -> None:
    """Take in how far md is with a scrub that started, and whether that has come to its end.

    Nobody needs to know to the sector where it goes on, so that only whole percents are kept.
    """
    if progress.is_running:
        percent = 100 * progress.sector // progress.sectors if progress.sectors else group.percent
        if percent != group.percent:
            group.percent = percent
            group.reach(progress.sector, progress.mismatches)
    elif progress.is_complete:
        group.reach(0, progress.mismatches)
        group.end(now)
    elif progress.sector > group.sector:
        # Something interrupted it. After a boot md knows of none, and it goes on where it was.
        group.reach(progress.sector, progress.mismatches)


def _begin(turn: Turn, device: str, group: GroupScrub, progress: md.Scrub) -> None:
    """Have md be at it. Raises HostError, and `state` stays as it is."""
    if progress.is_running:
        return
    group.state = scrub.WAITING
    md.begin_scrub(turn.host, device, group.sector)
    group.found_before = group.found
    turn.did(f"scrub of {device}: {f'goes on at {group.percent} %' if group.sector else 'begins'}")


def _tell(turn: Turn, aggregate: Aggregate, groups: Mapping[int, GroupScrub], now: float) -> None:
    """Report the findings of the last scrubs, and overdue ones."""
    for number, group in groups.items():
        key = f"{aggregate.uuid}/{number}"
        if group.last_found:
            text = (
                f'Aggregate "{aggregate.name}": in {group.last_found} sectors of RAID group '
                f"{number} the disks do not agree, as its last scrub found. Nothing was changed."
            )
            turn.conditions[f"raid.scrub.mismatch:{key}"] = Condition(
                ALERT, "raid.scrub.mismatch", text, aggregate.owner
            )
        if group.is_overdue(now):
            text = (
                f'Aggregate "{aggregate.name}": the scrub of RAID group {number} is overdue: it '
                f"should have ended within a week, and is {group.state}."
            )
            turn.conditions[f"raid.scrub.overdue:{key}"] = Condition(
                NOTICE, "raid.scrub.overdue", text, aggregate.owner
            )
