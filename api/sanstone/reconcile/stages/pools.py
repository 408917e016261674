"""Pools of aggregates: LVM's volume group and thin pool on the RAID groups."""

from __future__ import annotations

from sanstone.core import events
from sanstone.core.change import Removal
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import dm, lvm, md
from sanstone.model.aggregates import Aggregate
from sanstone.reconcile.stages import raid
from sanstone.reconcile.turn import Turn

THRESHOLDS = (
    (98, events.EMERGENCY, "full"),
    (90, events.ALERT, "nearly full"),
    (80, events.NOTICE, "filling"),
)


def reconcile(turn: Turn) -> None:
    """Have the pool of every aggregate active, and tell the turn of those that come and go."""
    memory = turn.memory
    for aggregate in raid.aggregates(turn):
        if not turn.block(aggregate.owner, aggregate.owner):
            with turn.attempt(aggregate.owner, raid.FAILED, f'Aggregate "{aggregate.name}"'):
                _ensure(turn, aggregate)
        _observe(turn, aggregate)
    turn.pools = memory.active_pools ^ memory.pools.keys()
    memory.active_pools = set(memory.pools)


def _ensure(turn: Turn, aggregate: Aggregate) -> None:
    facts = turn.known(Aggregate.kind)[aggregate.uuid]
    wanted = raid.arrays(turn, aggregate)
    statuses = [
        status for array in wanted if (status := md.status(turn.host, aggregate.uuid, array.number))
    ]
    count = len(statuses)
    if turn.memory.pools.get(aggregate.uuid) == count:
        return
    # The driver completes what it takes for an interrupted creation, so it must see all groups.
    if count < len(wanted):
        raise HostError(f"only {count} of {len(wanted)} RAID groups run")
    volumes = tuple(lvm.PhysicalVolume(s.device, s.full_stripe) for s in statuses)
    group = lvm.Group(aggregate.uuid, volumes)
    if facts.get("groups", 0) >= count:
        did = lvm.ensure_active(turn.host, group)
    else:
        did = _make(turn, aggregate, group, facts.get("groups", 0))
    facts["groups"] = count
    turn.memory.pools[aggregate.uuid] = count
    if did is not Ensured.UNCHANGED:
        turn.did(f"pool of aggregate {aggregate.name}: {did.value}")
        turn.disks_changed = True


def _make(turn: Turn, aggregate: Aggregate, group: lvm.Group, before: int) -> Ensured:
    """Make a volume group, or let one of `before` arrays grow, which has no way back."""
    if before:
        turn.irreversible.add(aggregate.owner)
    try:
        return lvm.ensure_created(turn.host, group)
    except HostError:
        reports = lvm.report(turn.host, group.devices)
        if all(len(found.devices) <= before for found in reports):
            turn.irreversible.discard(aggregate.owner)
        raise


def _observe(turn: Turn, aggregate: Aggregate) -> None:
    facts = turn.known(Aggregate.kind)[aggregate.uuid]
    status = dm.pool_status(turn.host, names.pool_device(aggregate.uuid))
    if status is None:
        facts["state"] = "offline"
        turn.memory.pools.pop(aggregate.uuid, None)
        return
    facts |= {
        "state": "online" if status.mode == "rw" else "restricted",
        "size": status.size,
        "used": status.used,
        "available": status.size - status.used,
        "metadata_used_percent": round(100 * status.metadata_used / status.metadata_size, 1),
    }
    if status.mode != "rw" or status.needs_check:
        text = f'The pool of aggregate "{aggregate.name}" is in mode {status.mode}.'
        turn.conditions[f"pool.mode:{aggregate.uuid}"] = (events.EMERGENCY, "pool.mode", text)
    for what, used, size in (
        ("space", status.used, status.size),
        ("metadata", status.metadata_used, status.metadata_size),
    ):
        _warn(turn, aggregate, what, 100 * used // size)


def _warn(turn: Turn, aggregate: Aggregate, what: str, percent: int) -> None:
    for threshold, severity, word in THRESHOLDS:
        if percent >= threshold:
            text = f'Aggregate "{aggregate.name}" is {word}: over {threshold} % of its {what} used.'
            turn.conditions[f"pool.{what}:{aggregate.uuid}"] = (severity, f"pool.{what}", text)
            return


def active(turn: Turn, aggregate_uuid: str) -> bool:
    """Return whether the pool of an aggregate can be used."""
    return aggregate_uuid in turn.memory.pools


def remove(turn: Turn, removal: Removal) -> None:
    """Destroy an aggregate: pool, volume group and RAID groups. Raises HostError."""
    uuid, raid_type = removal.data["uuid"], removal.data["raid_type"]
    groups = removal.data["groups"]
    devices = raid.assembled(turn, uuid, raid_type, groups)
    turn.memory.pools.pop(uuid, None)
    if devices:
        turn.irreversible.add(removal.owner)
        volumes = tuple(lvm.PhysicalVolume(device, 0) for device in devices)
        lvm.ensure_removed(turn.host, lvm.Group(uuid, volumes))
    raid.remove(turn, uuid, raid_type, groups)
    turn.known(Aggregate.kind).pop(uuid, None)
