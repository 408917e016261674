"""Disks that answer far slower than the others of their RAID group.

A RAID group answers as slowly as its slowest disk, and one that retries for seconds before it
answers seldom says that it fails. All disks of a group are alike and get alike requests, so each is
compared with the others: by the mean time of its own requests, minute by minute, while the group
does nothing but serve. One minute proves nothing, a disk may mend itself.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from sanstone.core.events import ERROR, Condition
from sanstone.kernel.storage import disk_latency
from sanstone.kernel.storage.disk_latency import Served
from sanstone.model.aggregates import Aggregate, AggregateDisk
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import GroupsRun, LatenciesSeen
from sanstone.reconcile.stages import disks, raid
from sanstone.reconcile.turn import Turn

WINDOW = 60.0
"""Seconds over which latencies are averaged."""
TIMES = 10
"""How many times slower than the others a disk must be to be reported."""
NOTICED = 20.0
"""Milliseconds below which no disk is called slow, however quick the others are."""
FEWEST = 50
"""Requests of a window from which its mean says anything."""
PATIENCE = 5
"""Windows for which a disk must be slow before that is reported, and quick before the report
ends."""


@dataclass
class LatencyMemory(StageMemory):
    """Disks' counters at the last look, and which of them are slow."""

    looked: float | None = None
    """When that was, in seconds of the monotonic clock."""
    served: Mapping[str, Served] = field(default_factory=dict)
    """By the disk's identity."""
    windows: dict[str, int] = field(default_factory=dict)
    """By identity, how many windows more a disk was slow than it was not, up to PATIENCE."""
    slow: dict[str, str] = field(default_factory=dict)
    """Those that are slow, by identity, each with how slow."""


def observe(turn: Turn, _groups: GroupsRun) -> LatenciesSeen:
    """Compare the disks of RAID groups once a minute, and tell which are slow."""
    memory = turn.memory.of(LatencyMemory)
    aggregates = raid.aggregates(turn)
    now = time.monotonic()
    if memory.looked is None or now - memory.looked >= WINDOW:
        names = {
            member.disk_uid: disks.path(turn, member.disk_uid).removeprefix("/dev/")
            for aggregate in aggregates
            for member in aggregate.members
        }
        served = disk_latency.served(turn.host, set(names.values()) - {""}) if names else {}
        current = {uid: served[name] for uid, name in names.items() if name in served}
        latencies = _latencies(memory.served, current)
        for aggregate in aggregates:
            _compare(turn, aggregate, latencies)
        memory.served, memory.looked = current, now
    for aggregate in aggregates:
        for member in aggregate.members:
            if how := memory.slow.get(member.disk_uid):
                _tell(turn, member, how)
    return LatenciesSeen(turn.outcomes)


def _latencies(before: Mapping[str, Served], now: Mapping[str, Served]) -> dict[str, float]:
    """Return the mean milliseconds of a request of each disk that served enough of them."""
    latencies = {}
    for uid in before.keys() & now.keys():
        requests = now[uid].requests - before[uid].requests
        if requests >= FEWEST:
            latencies[uid] = (now[uid].milliseconds - before[uid].milliseconds) / requests
    return latencies


def _compare(turn: Turn, aggregate: Aggregate, latencies: Mapping[str, float]) -> None:
    """Count for each disk of the RAID groups that only serve whether it is slow."""
    states = {
        group["group"]: group["state"]
        for group in turn.seen.of(Aggregate.kind, aggregate.uuid).get("raid", ())
    }
    memory = turn.memory.of(LatencyMemory)
    for member in aggregate.members:
        uid = member.disk_uid
        others = [
            latencies[other.disk_uid]
            for other in aggregate.members
            if other.raid_group == member.raid_group
            and other is not member
            and other.disk_uid in latencies
        ]
        if states.get(member.raid_group) != "clean" or uid not in latencies or not others:
            continue
        usual = statistics.median(others)
        is_slow = latencies[uid] >= max(NOTICED, TIMES * usual)
        count = memory.windows.get(uid, 0) + (1 if is_slow else -1)
        memory.windows[uid] = min(PATIENCE, max(0, count))
        if memory.windows[uid] == PATIENCE and uid not in memory.slow:
            memory.slow[uid] = f"{latencies[uid]:.0f} ms, the others {usual:.1f} ms"
        elif memory.windows[uid] == 0:
            memory.slow.pop(uid, None)


def _tell(turn: Turn, member: AggregateDisk, how: str) -> None:
    disk = member.disk
    text = (
        f'Disk {disk.name} of aggregate "{member.aggregate.name}" answers far slower than the '
        f"others of its RAID group: {how}."
    )
    turn.conditions[f"disk.slow:{disk.uid}"] = Condition(ERROR, "disk.slow", text, disk.owner)
