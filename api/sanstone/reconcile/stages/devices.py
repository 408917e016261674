"""Thin devices of LUNs and namespaces: made, activated, grown, and destroyed on request.

A thin volume is created once. Afterwards its absence is a fault to be seen, never a reason to make
a new and empty one in its place. What is observed of a device says with which thin id it was made:
when another is wanted, its content is to be replaced.

Thin ids are handed out in the order of requests, and what is made of something else has a higher
one. So LUNs, namespaces and snapshots are made in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import literal, select

from sanstone.core.change import Removal
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import dm, thin_content
from sanstone.kernel.target import reservations
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import Volume
from sanstone.reconcile.stages import pools, snapshots
from sanstone.reconcile.state import Pass
from sanstone.reconcile.tasks.sampler import begin_to_count

SECTOR = 512
OBSERVED = 128
"""Devices whose use of the pool is read in one pass. Of more, each has its turn."""


class Export(NamedTuple):
    """A wanted LUN or namespace, in plain columns: there may be thousands."""

    kind: str
    uuid: str
    name: str
    size: int
    thin_id: int
    source_thin_id: int | None
    source_device: str
    block_size: int
    enabled: bool
    volume_state: str
    aggregate: str
    aggregate_name: str

    @property
    def owner(self) -> str:
        """Return `<kind>:<uuid>`."""
        return f"{self.kind}:{self.uuid}"

    @property
    def device(self) -> dm.ThinDevice:
        """Return the device that is exported."""
        pool = names.pool_device(self.aggregate)
        return dm.ThinDevice(self.uuid, pool, self.thin_id, self.size, self.block_size)


def exports(this: Pass) -> list[Export]:
    """Return the wanted LUNs and namespaces."""
    found = []
    for kind, block_size in ((Lun, literal(SECTOR)), (Namespace, Namespace.block_size)):
        query = (
            select(
                literal(kind.kind),
                *(kind.uuid, kind.name, kind.size, kind.thin_id),
                *(kind.source_thin_id, kind.source_device, block_size, kind.enabled),
                *(Volume.state, Aggregate.uuid, Aggregate.name),
            )
            .join(Volume, Volume.uuid == kind.volume_uuid)
            .join(Aggregate, Aggregate.uuid == Volume.aggregate_uuid)
        )
        found += [Export(*row) for row in this.session.execute(query)]
    return found


def reconcile(this: Pass) -> None:
    """Have the device of every LUN and namespace live whose pool is, and take new snapshots."""
    live = dm.devices(this.host)
    pending = snapshots.pending(this)
    all_exports = exports(this)
    for export in sorted(all_exports, key=lambda export: export.thin_id):
        while pending and pending[0].thin_id < export.thin_id:
            snapshots.take(this, pending.pop(0))
        _bring_up(this, export, live)
    for group in pending:
        snapshots.take(this, group)
    if not this.quick:
        _observe(this, [each for each in all_exports if each.uuid in this.memory.devices])


def _bring_up(this: Pass, export: Export, live: set[str]) -> None:
    wanted = export.device
    if not pools.active(this, export.aggregate):
        if not this.block(export.owner, f"{Aggregate.kind}:{export.aggregate}"):
            this.fail(export.owner, f'Aggregate "{export.aggregate_name}" is not online.')
    elif export.uuid not in live or this.memory.devices.get(export.uuid) != wanted:
        this.memory.devices.pop(export.uuid, None)
        with this.attempt(export.owner, subject=export.name):
            _ensure(this, export, wanted)
            this.memory.devices[export.uuid] = wanted
            live.add(export.uuid)
    # A live device stays exported whatever is wrong: hosts may be using it.
    if export.uuid in live and export.enabled and export.volume_state == "online":
        this.ready.add(export.uuid)


def _observe(this: Pass, active: Sequence[Export]) -> None:
    first = this.memory.next_observed % max(len(active), 1)
    turn = [*active[first:], *active[:first]][:OBSERVED]
    this.memory.next_observed = first + len(turn)
    for export in turn:
        with this.attempt(export.owner, subject=export.name):
            used = dm.used(this.host, export.uuid)
            this.known(export.kind)[export.uuid]["used"] = used


def _ensure(this: Pass, export: Export, wanted: dm.ThinDevice) -> None:
    facts = this.known(export.kind).setdefault(export.uuid, {})
    new = facts.get("thin_id") != wanted.thin_id
    if new:
        _create(this, export, wanted)
    did = dm.ensure_device(this.host, wanted)
    if new:
        facts |= {"thin_id": wanted.thin_id, "used": 0}
    if did is not Ensured.UNCHANGED:
        this.did(f"device of {export.name}: {did.value}")
    if did is Ensured.CREATED:
        begin_to_count(this.host, export.uuid)
    if did is Ensured.CHANGED:
        this.resized.add(export.uuid)


def _create(this: Pass, export: Export, wanted: dm.ThinDevice) -> None:
    if export.source_thin_id is None:
        dm.ensure_thin(this.host, wanted.pool, wanted.thin_id)
        return
    source = export.source_thin_id, export.source_device
    thin_content.ensure(this.host, thin_content.Copy(wanted.pool, wanted.thin_id, *source))


def remove_stale(this: Pass) -> None:
    """Take away live devices that nothing wants; what they hold stays in the pool."""
    wanted = {export.uuid for export in exports(this)}
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
    this.irreversible.add(removal.owner)
    dm.ensure_no_thin(this.host, names.pool_device(data["aggregate"]), data["thin_id"])
    if "serial" in data:
        reservations.forget(this.host, data["serial"])
    this.did(f"thin device {data['thin_id']} of {data['aggregate']}: destroyed")


def remove_content(this: Pass, removal: Removal) -> None:
    """Destroy what a device held before its content was replaced. Raises HostError.

    Nothing is destroyed as long as any such device lacks its new content: the change that wanted
    it may be taken back.
    """
    data = removal.data
    if any(other.what == "content" and other.owner in this.failures for other in this.removals):
        raise HostError("the content that takes its place is not there yet")
    if not pools.active(this, data["aggregate"]):
        raise HostError("the aggregate that holds the data is not online")
    this.irreversible.add(removal.owner)
    dm.ensure_no_thin(this.host, names.pool_device(data["aggregate"]), data["thin_id"])
    this.did(f"thin device {data['thin_id']} of {data['aggregate']}: destroyed")
