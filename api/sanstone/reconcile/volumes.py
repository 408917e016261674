"""Thin devices of LUNs and namespaces: made, activated, grown, and destroyed on request.

A thin volume is created once. Afterwards its absence is a fault to be seen, never a reason to make
a new and empty one in its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from sanstone.core.change import Removal
from sanstone.kernel import dm, names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.reconcile import pools
from sanstone.reconcile.state import Pass
from sanstone.resources.lun import Lun
from sanstone.resources.namespace import Namespace
from sanstone.resources.volume import Volume

Row = Lun | Namespace


def rows(this: Pass) -> Iterator[Row]:
    """Return the wanted LUNs and namespaces."""
    luns = select(Lun).options(joinedload(Lun.volume).joinedload(Volume.aggregate))
    yield from this.session.scalars(luns)
    namespaces = select(Namespace).options(
        joinedload(Namespace.volume).joinedload(Volume.aggregate)
    )
    yield from this.session.scalars(namespaces)


def reconcile(this: Pass) -> None:
    """Have the device of every LUN and namespace live whose pool is."""
    live = dm.devices(this.host)
    for row in rows(this):
        aggregate = row.volume.aggregate
        if not pools.active(this, aggregate.uuid):
            if not this.block(row.owner, aggregate.owner):
                this.fail(row.owner, f'Aggregate "{aggregate.name}" is not online.')
            continue
        wanted = dm.ThinDevice(
            uuid=row.uuid,
            pool=names.pool_device(aggregate.uuid),
            thin_id=row.thin_id,
            size=row.size,
            block_size=row.block_size if isinstance(row, Namespace) else 512,
        )
        if row.uuid in live and this.memory.devices.get(row.uuid) == wanted:
            continue
        this.memory.devices.pop(row.uuid, None)
        with this.attempt(row.owner):
            _ensure(this, row, wanted)
            this.memory.devices[row.uuid] = wanted
    if this.full:
        _observe(this)


def _ensure(this: Pass, row: Row, wanted: dm.ThinDevice) -> None:
    facts = this.known(row.kind).setdefault(row.uuid, {})
    if not facts.get("exists"):
        dm.ensure_thin(this.host, wanted.pool, wanted.thin_id)
        facts |= {"exists": True, "used": 0}
    did = dm.ensure_device(this.host, wanted)
    if did is not Ensured.UNCHANGED:
        this.did(f"device of {row.name}: {did.value}")
    if did is Ensured.CHANGED:
        this.resized.add(row.uuid)


def _observe(this: Pass) -> None:
    for row in rows(this):
        if row.uuid in this.memory.devices:
            with this.attempt(row.owner):
                this.known(row.kind)[row.uuid]["used"] = dm.used(this.host, row.uuid)


def ready(this: Pass, row: Row) -> bool:
    """Return whether a LUN or namespace can be exported now."""
    return row.enabled and row.volume.state == "online" and row.uuid in this.memory.devices


def remove_stale(this: Pass) -> None:
    """Take away live devices that nothing wants; what they hold stays in the pool."""
    wanted = {row.uuid for row in rows(this)}
    for uuid in dm.devices(this.host) - wanted:
        try:
            dm.ensure_no_device(this.host, uuid)
        except HostError as error:
            text = f"Device {uuid} is not wanted any more and cannot be removed: {error}"
            this.conditions[f"device.stale:{uuid}"] = ("error", "device.stale", text)
            continue
        this.memory.devices.pop(uuid, None)
        this.did(f"device {uuid}: removed")
    for kind in (Lun.kind, Namespace.kind):
        facts = this.known(kind)
        for uuid in facts.keys() - wanted:
            del facts[uuid]


def remove(this: Pass, removal: Removal) -> None:
    """Destroy a thin device with its data. Raises HostError."""
    data = removal.data
    dm.ensure_no_device(this.host, data["uuid"])
    this.memory.devices.pop(data["uuid"], None)
    if not pools.active(this, data["aggregate"]):
        raise HostError("the aggregate that holds the data is not online")
    this.destroyed.add(removal.owner)
    dm.ensure_no_thin(this.host, names.pool_device(data["aggregate"]), data["thin_id"])
    this.did(f"thin device {data['thin_id']} of {data['aggregate']}: destroyed")
