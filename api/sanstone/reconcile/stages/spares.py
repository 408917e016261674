"""Redundancy: how many disks each RAID group can lose, and which disks spares are to replace.

A disk that md found faulty is replaced at once. One that is not there, or that md does not take any
more, is waited for: it may have been pulled to look at its label, or a shelf may be switched off
and on. If it comes back within `ABSENCE`, only what was written meanwhile is copied to it, by the
bitmap, where a rebuild takes hours. A RAID group that has lost more disks than it survives is left
alone: with its disks put back it may start again.

A disk that says of itself that it will fail, or that is far slower than the others, is copied to a
spare while its RAID group is whole, one of a group at a time: so redundancy never falls. If it
fails meanwhile, the rest is computed.

Nothing is replaced in the first seconds after a start, in which disks are still found.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import selectinload

from sanstone.core.database.statements import every
from sanstone.core.declaration.resource import Reader
from sanstone.core.events import ERROR, Condition
from sanstone.kernel.storage import md
from sanstone.model.aggregates import Aggregate, AggregateDisk, Disk
from sanstone.model.cluster import Cluster
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import GroupsRun, LatenciesSeen, RedundancyJudged
from sanstone.reconcile.stages import disks, raid
from sanstone.reconcile.stages.slow_disks import LatencyMemory
from sanstone.reconcile.tasks.spares import Failing
from sanstone.reconcile.turn import Turn
from sanstone.rules.storage.disks import FAULTY
from sanstone.rules.storage.redundancy import tolerated_failures
from sanstone.rules.storage.spares import fewest_fitting, predicts_failure

ABSENCE = 300.0
"""Seconds for which a disk that is not there is waited for: long enough to put one back that was
pulled by mistake, or to power a shelf again, and short beside the hours of a rebuild."""
TOLERATED = "tolerated_failures"
"""A key of a RAID group's observation."""
SINCE = "degraded_since"
"""A key of an aggregate's observation: by the number of a RAID group, since when it tolerates fewer
failures than when it is whole, in seconds since 1970."""


@dataclass
class SparesMemory(StageMemory):
    """The disks that the stage waits for, and its findings."""

    absent: dict[str, float] = field(default_factory=dict)
    """Since when a disk is not there, by its identity, in seconds of the monotonic clock."""
    failing: Sequence[Failing] = ()
    """The disks that spares are to replace, the most urgent first."""


class TurnReader(Reader):
    """Reads what the turn has observed so far, in the place of what was recorded before."""

    def __init__(self, turn: Turn) -> None:
        super().__init__(turn.session)
        self._turn = turn

    def seen(self, kind: str, key: str) -> dict[str, Any]:
        """Return the observed data of one object, {} when it was never seen."""
        return self._turn.seen.of(kind, key)


def judge(turn: Turn, _groups: GroupsRun, _latencies: LatenciesSeen) -> RedundancyJudged:
    """Judge all RAID groups, tell where spares are missing, and remember the disks to replace."""
    memory = turn.memory.of(SparesMemory)
    memory.failing = ()
    options = turn.session.scalars(every(Cluster)).one_or_none()
    aggregates = raid.aggregates(turn)
    if options is None or not aggregates:
        return RedundancyJudged(turn.outcomes)
    # Loaded together, and kept while rules look at them one by one.
    known = turn.session.scalars(_disks()).all()
    reader = TurnReader(turn)
    candidates: list[tuple[int, Failing]] = []
    for aggregate in aggregates:
        groups = _observe(turn, aggregate)
        candidates += _failing(turn, aggregate, groups, reader)
        if md.RAID_TYPES[aggregate.raid_type].level != "0":
            _tell_spares(turn, aggregate, fewest_fitting(reader, aggregate), options)
    memory.absent = {
        disk.uid: memory.absent[disk.uid] for disk in known if disk.uid in memory.absent
    }
    if time.monotonic() >= turn.memory.started + raid.GRACE:
        is_replaced = {False: options.replaces_failed, True: options.copies_failing}
        memory.failing = [each for each in _by_urgency(candidates) if is_replaced[each.works]]
    return RedundancyJudged(turn.outcomes)


@cache
def _disks() -> Select[tuple[Disk]]:
    return select(Disk).options(selectinload(Disk.member))


def _observe(turn: Turn, aggregate: Aggregate) -> Mapping[int, dict[str, Any]]:
    """Add to the observations of RAID groups how many failures each tolerates.

    Return them by number.
    """
    facts = turn.seen.of(Aggregate.kind, aggregate.uuid)
    groups: dict[int, dict[str, Any]] = {each["group"]: each for each in facts.get("raid", ())}
    before, now = facts.get(SINCE, {}), time.time()
    since: dict[str, float] = {}
    for number, group in groups.items():
        places = sum(member.raid_group == number for member in aggregate.members)
        raid_type, missing = aggregate.raid_type, group.get("degraded", 0)
        tolerated = tolerated_failures(raid_type, places, missing, group["state"])
        group[TOLERATED] = tolerated
        key = str(number)
        if tolerated is None and key in before:
            since[key] = before[key]
        elif tolerated is not None and tolerated < (
            tolerated_failures(raid_type, places, 0, "clean") or 0
        ):
            since[key] = before.get(key, now)
        group[SINCE] = since.get(key)
    facts[SINCE] = since
    return groups


def _failing(
    turn: Turn, aggregate: Aggregate, groups: Mapping[int, dict[str, Any]], reader: Reader
) -> Iterator[tuple[int, Failing]]:
    """Yield the disks that are to be replaced, each with how many failures its group tolerates."""
    copied: set[int] = set()
    for member in aggregate.members:
        number = member.raid_group
        group = groups.get(number, {})
        tolerated = group.get(TOLERATED)
        if tolerated is None or group["state"] == md.FAILED:
            continue
        failing = _failed(turn, member, group)
        if failing is None and group["state"] == "clean" and number not in copied:
            failing = _ailing(turn, member, reader)
            copied |= {number} if failing else set()
        if failing:
            yield tolerated, failing


def _by_urgency(candidates: Iterable[tuple[int, Failing]]) -> list[Failing]:
    """Return the disks to be replaced: first those that failed, of the group that bears least."""
    return [each for _, each in sorted(candidates, key=lambda pair: (pair[1].works, pair[0]))]


def _failed(turn: Turn, member: AggregateDisk, group: dict[str, Any]) -> Failing | None:
    """Return why a disk of a RAID group that runs is to be replaced now, None where it is not."""
    uid, absent = member.disk_uid, turn.memory.of(SparesMemory).absent
    path = disks.path(turn, uid)
    states = {each["device"]: each["state"] for each in group["members"]}
    state = states.get(path)
    if path and state:
        absent.pop(uid, None)
        return Failing(member.aggregate_uuid, uid, "failed") if state == FAULTY else None
    if time.monotonic() - absent.setdefault(uid, time.monotonic()) < ABSENCE:
        return None
    minutes = f"{ABSENCE / 60:.0f} minutes"
    if path:
        why = f"has not been taken by its RAID group for {minutes}"
        return Failing(member.aggregate_uuid, uid, why)
    why = f"has been missing for {minutes}"
    return Failing(member.aggregate_uuid, uid, why, is_broken=False)


def _ailing(turn: Turn, member: AggregateDisk, reader: Reader) -> Failing | None:
    """Return why a disk of a RAID group that is whole is to be copied, None where it is not."""
    if md.RAID_TYPES[member.aggregate.raid_type].level == "0":
        return None  # md's RAID 0 has no spares.
    slow = turn.memory.of(LatencyMemory).slow.get(member.disk_uid)
    if predicts_failure(member.disk, reader):
        message = member.disk.facts(reader)["health"].get("message")
        why = f"predicts that it will fail{f' ({message})' if message else ''}"
    elif slow:
        why = f"answers far slower than the others ({slow})"
    else:
        return None
    return Failing(member.aggregate_uuid, member.disk_uid, why, works=True)


def _tell_spares(turn: Turn, aggregate: Aggregate, count: int, options: Cluster) -> None:
    """Observe how many spares fit an aggregate, and tell where these are too few."""
    turn.seen.of(Aggregate.kind, aggregate.uuid)["spares"] = count
    required = options.min_spare_count
    if count >= required:
        return
    text = (
        f'Aggregate "{aggregate.name}": no spare disk fits. When a disk fails, none takes its '
        "place."
        if count == 0
        else f'Aggregate "{aggregate.name}": only {count} of the {required} spare disks fit that '
        "it should have."
    )
    key = f"raid.rg.spares.low:{aggregate.uuid}"
    turn.conditions[key] = Condition(ERROR, "raid.rg.spares.low", text, aggregate.owner)
