"""Pools of aggregates: LVM's volume group and thin pool on the RAID groups."""

from __future__ import annotations

from sanstone.core import events
from sanstone.core.change import Removal
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import dm, lvm, md
from sanstone.reconcile.stages import raid
from sanstone.reconcile.state import Pass
from sanstone.reconcile.tasks import configuration
from sanstone.resources.storage.aggregate import Aggregate

THRESHOLDS = (
    (98, events.EMERGENCY, "full"),
    (90, events.ALERT, "nearly full"),
    (80, events.NOTICE, "filling"),
)


def reconcile(this: Pass) -> None:
    """Have the pool of every aggregate active."""
    for aggregate in raid.aggregates(this):
        if aggregate.owner not in this.waiting and not this.block(aggregate.owner, aggregate.owner):
            with this.attempt(aggregate.owner, raid.FAILED, f'Aggregate "{aggregate.name}"'):
                _ensure(this, aggregate)
        _observe(this, aggregate)


def _ensure(this: Pass, aggregate: Aggregate) -> None:
    facts = this.known(Aggregate.kind)[aggregate.uuid]
    wanted = raid.arrays(this, aggregate)
    statuses = [
        status for array in wanted if (status := md.status(this.host, aggregate.uuid, array.number))
    ]
    count = len(statuses)
    if this.memory.pools.get(aggregate.uuid) == count:
        return
    # The driver completes what it takes for an interrupted creation, so it must see all groups.
    if count < len(wanted):
        raise HostError(f"only {count} of {len(wanted)} RAID groups run")
    volumes = tuple(lvm.PhysicalVolume(s.device, s.full_stripe) for s in statuses)
    group = lvm.Group(aggregate.uuid, volumes)
    if facts.get("groups", 0) >= count:
        did = lvm.ensure_active(this.host, group)
    else:
        did = _make(this, aggregate, group, facts.get("groups", 0))
    facts["groups"] = count
    this.memory.pools[aggregate.uuid] = count
    if did is not Ensured.UNCHANGED:
        this.did(f"pool of aggregate {aggregate.name}: {did.value}")
        this.disks_changed = True


def _make(this: Pass, aggregate: Aggregate, group: lvm.Group, before: int) -> Ensured:
    """Make a volume group, or let one of `before` arrays grow, which has no way back."""
    if before:
        this.irreversible.add(aggregate.owner)
    try:
        return lvm.ensure_created(this.host, group)
    except HostError:
        reports = lvm.report(this.host, group.devices)
        if all(len(found.devices) <= before for found in reports):
            this.irreversible.discard(aggregate.owner)
        raise


def _observe(this: Pass, aggregate: Aggregate) -> None:
    facts = this.known(Aggregate.kind)[aggregate.uuid]
    status = dm.pool_status(this.host, names.pool_device(aggregate.uuid))
    if status is None:
        facts["state"] = "offline"
        this.memory.pools.pop(aggregate.uuid, None)
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
        this.conditions[f"pool.mode:{aggregate.uuid}"] = (events.EMERGENCY, "pool.mode", text)
    for what, used, size in (
        ("space", status.used, status.size),
        ("metadata", status.metadata_used, status.metadata_size),
    ):
        _warn(this, aggregate, what, 100 * used // size)


def _warn(this: Pass, aggregate: Aggregate, what: str, percent: int) -> None:
    for threshold, severity, word in THRESHOLDS:
        if percent >= threshold:
            text = f'Aggregate "{aggregate.name}" is {word}: over {threshold} % of its {what} used.'
            this.conditions[f"pool.{what}:{aggregate.uuid}"] = (severity, f"pool.{what}", text)
            return


def active(this: Pass, aggregate_uuid: str) -> bool:
    """Return whether the pool of an aggregate can be used."""
    return aggregate_uuid in this.memory.pools


def remove(this: Pass, removal: Removal) -> None:
    """Destroy an aggregate: pool, volume group and RAID groups. Raises HostError."""
    uuid, raid_type = removal.data["uuid"], removal.data["raid_type"]
    groups = removal.data["groups"]
    devices = raid.assembled(this, uuid, raid_type, groups)
    this.memory.pools.pop(uuid, None)
    if devices:
        this.irreversible.add(removal.owner)
        volumes = tuple(lvm.PhysicalVolume(device, 0) for device in devices)
        with configuration.writing_copies:
            lvm.ensure_removed(this.host, lvm.Group(uuid, volumes))
    raid.remove(this, uuid, raid_type, groups)
    this.known(Aggregate.kind).pop(uuid, None)
