"""Pools of aggregates: LVM's volume group and thin pool on the RAID groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sanstone.core import events
from sanstone.core.database.change import Removal
from sanstone.core.events import Condition
from sanstone.core.long_jobs import LongJob
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import lvm, mapped, md, thin
from sanstone.model.aggregates import Aggregate
from sanstone.reconcile.long_jobs import aggregate_removal, pool_work
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import GroupsRun, PoolsActive
from sanstone.reconcile.stages import long_jobs, pool_forecast, pool_promises, raid
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.turn import Turn

THRESHOLDS = (
    (98, events.EMERGENCY, "full"),
    (90, events.ALERT, "nearly full"),
    (80, events.NOTICE, "filling"),
)
CONDITIONS = (
    *("pool.mode", "pool.space", "pool.metadata", "pool.forecast"),
    *("pool.overcommitted", "pool.unguarded"),
)
"""Names of the conditions of a pool, which can be seen while it is active."""
CHECKED_AT_ONCE = 128 << 20
"""Bytes of used metadata that thin_check reads in less than a second."""


@dataclass
class PoolsMemory(StageMemory):
    """The pools that are active."""

    groups: dict[str, int] = field(default_factory=dict)
    """By active aggregate: the number of its RAID groups."""
    active_before: set[str] = field(default_factory=set)
    """Aggregates with an active pool at the end of the stage in the last turn."""

    def forget_inventory(self) -> None:
        """Have the pools looked at again."""
        self.groups.clear()


def reconcile(turn: Turn, _groups: GroupsRun) -> PoolsActive:
    """Create and activate the pool of every aggregate."""
    memory = turn.memory.of(PoolsMemory)
    for aggregate in raid.aggregates(turn):
        with turn.attempt(aggregate.owner, raid.FAILED, f'Aggregate "{aggregate.name}"'):
            if aggregate.owner in turn.jobs.waiting or turn.block(aggregate.owner, aggregate.owner):
                _keep(turn, aggregate)
            else:
                _ensure(turn, aggregate)
        with turn.attempt(aggregate.owner, raid.FAILED, f'Aggregate "{aggregate.name}"'):
            _observe(turn, aggregate)
    turned = frozenset(memory.active_before ^ memory.groups.keys())
    memory.active_before = set(memory.groups)
    return PoolsActive(turn.outcomes, turned)


def _ensure(turn: Turn, aggregate: Aggregate) -> None:
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    desired = raid.numbers(aggregate)
    running = {n: md.status(turn.host, aggregate.uuid, n) for n in desired}
    sizes = {number: status.size for number, status in running.items() if status}
    numbers, count = list(sizes), len(sizes)
    size = sum(sizes.values())
    is_wider = facts.get("groups", 0) == count and facts.get("arrays_size", size) < size
    if _groups(turn).get(aggregate.uuid) == count and not is_wider:
        facts.setdefault("arrays_size", size)
        return
    group = pool_work.group(turn.host, aggregate.uuid, desired)
    if facts.get("groups", 0) >= count and not is_wider:
        did = _activate(turn, aggregate, group, numbers)
    else:
        did = _make(turn, aggregate, group, numbers)
    if did is None:
        return
    facts["groups"], facts["arrays_size"] = count, size
    _groups(turn)[aggregate.uuid] = count
    if did is not Ensured.UNCHANGED:
        turn.did(f"pool of aggregate {aggregate.name}: {did.value}", aggregate.owner, did)
        turn.memory.of(DisksMemory).changed = True


def _keep(turn: Turn, aggregate: Aggregate) -> None:
    """Activate a pool on the RAID groups that it has, even if those it is to gain are not ready."""
    count = turn.seen.every(Aggregate.kind)[aggregate.uuid].get("groups", 0)
    if count == 0 or aggregate.uuid in _groups(turn):
        return
    numbers = raid.numbers(aggregate)[:count]
    if not all(md.status(turn.host, aggregate.uuid, number) for number in numbers):
        return  # The RAID stage has reported it.
    group = pool_work.group(turn.host, aggregate.uuid, numbers)
    active = lvm.is_active(turn.host, group)
    if active or _activate(turn, aggregate, group, numbers) is not None:
        _groups(turn)[aggregate.uuid] = count


def _order(aggregate: Aggregate, kind: str, numbers: Sequence[int], message: str) -> LongJob:
    return LongJob(
        uuid=aggregate.uuid,
        kind=kind,
        owner=aggregate.owner,
        message=message,
        data=pool_work.order(aggregate.uuid, numbers),
    )


def _activate(
    turn: Turn, aggregate: Aggregate, group: lvm.Group, numbers: Sequence[int]
) -> Ensured | None:
    """Activate a pool. Return None while a long job checks its metadata.

    A small pool is checked in the turn, which spares a boot the start of a process.
    """
    if lvm.is_active(turn.host, group):
        done = long_jobs.take_in(turn, aggregate.uuid)
        return Ensured.CHANGED if done else Ensured.UNCHANGED
    if not _checked_at_once(turn, aggregate):
        order = _order(aggregate, pool_work.ACTIVATE, numbers, "The pool's metadata are checked")
        if not long_jobs.ensure_done(turn, order):
            return None
    return lvm.ensure_active(turn.host, group)


def _checked_at_once(turn: Turn, aggregate: Aggregate) -> bool:
    """Return whether a pool, as last observed, uses at most CHECKED_AT_ONCE of its metadata."""
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    size = facts.get("size", 0)
    metadata = lvm.metadata_size(size, lvm.chunk_size(size))
    return int(metadata * facts.get("metadata_used_percent", 0) / 100) <= CHECKED_AT_ONCE


def _make(
    turn: Turn, aggregate: Aggregate, group: lvm.Group, numbers: Sequence[int]
) -> Ensured | None:
    """Create a pool, or extend it over further RAID groups or wider ones, which cannot be undone.

    Return None while a long job does it.
    """
    before = turn.seen.every(Aggregate.kind)[aggregate.uuid].get("groups", 0)
    message = f"The pool is {'grown' if before else 'created'}"
    if before:
        if aggregate.uuid not in _groups(turn):
            _serve(turn, aggregate, group, before)
        turn.irreversible.add(aggregate.owner)
    try:
        if not long_jobs.ensure_done(turn, _order(aggregate, pool_work.CREATE, numbers, message)):
            return None
        # The row alone is no proof: the disks decide.
        lvm.ensure_created(turn.host, group)
    except HostError:
        reports = lvm.report(turn.host, group.devices)
        if len(numbers) > before and all(len(report.devices) <= before for report in reports):
            turn.irreversible.discard(aggregate.owner)
        raise
    return Ensured.CHANGED


def _serve(turn: Turn, aggregate: Aggregate, group: lvm.Group, count: int) -> None:
    """Activate a pool of `count` RAID groups, so that it serves hosts while it is extended.

    A pool with metadata that take long to check is left to the long job, which activates it.
    """
    if lvm.is_active(turn.host, group) or _checked_at_once(turn, aggregate):
        lvm.ensure_active(turn.host, group)
        _groups(turn)[aggregate.uuid] = count


def _status(turn: Turn, aggregate: Aggregate) -> thin.PoolStatus | None:
    """Return the state of a pool, or None when it is not active. Raises HostError.

    LVM makes a pool out of a linear device: a device of another type is an error only if no long
    job is at work on it.
    """
    try:
        return thin.pool_status(turn.host, names.pool_device(aggregate.uuid))
    except mapped.DeviceError:
        if aggregate.owner in turn.jobs.waiting:
            return None
        raise


def _observe(turn: Turn, aggregate: Aggregate) -> None:
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    status = _status(turn, aggregate)
    if status is None:
        facts["state"] = "offline"
        turn.keep(*(f"{name}:{aggregate.uuid}" for name in CONDITIONS))
        _groups(turn).pop(aggregate.uuid, None)
        return
    facts |= {
        "state": "online" if status.mode == "rw" else "restricted",
        **pool_promises.space(status),
        "metadata_used_percent": round(100 * status.metadata_used / status.metadata_size, 1),
    }
    if status.mode != "rw" or status.needs_check:
        text = f'The pool of aggregate "{aggregate.name}" is in mode {status.mode}.'
        turn.conditions[f"pool.mode:{aggregate.uuid}"] = Condition(
            events.EMERGENCY, "pool.mode", text, aggregate.owner
        )
    for area, used, size in (
        ("space", status.used, status.size),
        ("metadata", status.metadata_used, status.metadata_size),
    ):
        _warn(turn, aggregate, area, 100 * used // size)
    pool_forecast.warn(turn, aggregate)
    pool_promises.warn(turn, aggregate, status)


def _warn(turn: Turn, aggregate: Aggregate, area: str, percent: int) -> None:
    for threshold, severity, word in THRESHOLDS:
        if percent >= threshold:
            text = f'Aggregate "{aggregate.name}" is {word}: over {threshold} % of its {area} used.'
            turn.conditions[f"pool.{area}:{aggregate.uuid}"] = Condition(
                severity, f"pool.{area}", text, aggregate.owner
            )
            return


def _groups(turn: Turn) -> dict[str, int]:
    """Return the active aggregates, each with the number of its RAID groups."""
    return turn.memory.of(PoolsMemory).groups


def active(turn: Turn, aggregate_uuid: str) -> bool:
    """Return whether the pool of an aggregate is active."""
    return aggregate_uuid in _groups(turn)


def not_online(name: str) -> HostError:
    """Return why nothing can be done in an aggregate that has no active pool."""
    return HostError('Aggregate "{}" is not online.', name)


def remove(turn: Turn, removal: Removal) -> bool:
    """Destroy an aggregate by a long job: pool, volume group and RAID groups. Raises HostError.

    Return whether that is done. It begins once all removals in the pool that are under way have
    ended.
    """
    uuid, raid_type = removal.data["uuid"], removal.data["raid_type"]
    groups = removal.data["groups"]
    in_use = active(turn, uuid) and any(_is_in(turn, other, uuid) for other in turn.removals.sound)
    if not in_use:
        arrays = (names.array_uuid(uuid, number) for number in range(len(groups)))
        for order_uuid in (uuid, *arrays):
            long_jobs.abandon(turn, order_uuid)
        _groups(turn).pop(uuid, None)
        turn.irreversible.add(removal.owner)
    order = LongJob(
        uuid=removal.uuid,
        kind=aggregate_removal.KIND,
        owner=removal.owner,
        message="The aggregate is taken apart",
        data=aggregate_removal.order(uuid, raid_type, groups),
    )
    if not long_jobs.ensure_done(turn, order, start=not in_use):
        return False
    turn.did(f"aggregate {uuid}: removed")
    turn.seen.every(Aggregate.kind).pop(uuid, None)
    turn.memory.of(DisksMemory).changed = True
    return True


def _is_in(turn: Turn, removal: Removal, aggregate: str) -> bool:
    """Return whether a removal is under way in the pool of an aggregate."""
    job = turn.session.get(LongJob, removal.uuid)
    return job is not None and job.is_open and removal.data.get("aggregate") == aggregate
