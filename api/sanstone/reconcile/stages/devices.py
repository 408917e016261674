"""Thin devices of LUNs and namespaces: made, activated, grown, and destroyed on request.

A thin volume is created once. Afterwards its absence is a fault to be seen, never a reason to make
a new and empty one in its place. What is observed of a device says with which thin id it was made:
when another is wanted, its content is to be replaced.

Thin ids are handed out in the order of requests, and what is made of something else has a higher
one. So LUNs, namespaces and snapshots are made in the order of their ids.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import literal, or_, select

from sanstone.core.change import Removal
from sanstone.core.long_jobs import LongJob, of_kinds
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import dm, thin_content
from sanstone.kernel.storage.layers.block_size import BlockSize
from sanstone.kernel.target import reservations
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace, SubsystemMap
from sanstone.model.san import Lun, LunMap
from sanstone.model.volumes import Snapshot, Volume
from sanstone.reconcile.long_jobs import thin_deletion
from sanstone.reconcile.memory import SMALLEST_SHARD
from sanstone.reconcile.stages import long_jobs, pools, snapshots
from sanstone.reconcile.tasks.sampler import begin_to_count
from sanstone.reconcile.turn import PERIOD, VERIFIED, Turn

SECTOR = 512
DELETED_AT_ONCE = 1 << 30
"""Mapped bytes of a volume that is deleted within a turn. With the smallest chunks that is 16,384
mappings in at most 130 nodes of metadata (a leaf has 126 to 252), which a rotating disk reads in
about a second."""
THIN = "thin", "content"
"""Removals of thin volumes."""
MAPS = LunMap.kind, SubsystemMap.kind
KINDS = frozenset((Lun.kind, Namespace.kind, Volume.kind, Snapshot.kind, *MAPS))
"""Owners of these kinds are acted on one by one."""


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
        layers = () if self.block_size == SECTOR else (BlockSize(self.block_size),)
        return dm.ThinDevice(self.uuid, pool, self.thin_id, self.size, layers)


def exports(turn: Turn, uuids: Collection[str] | None = None) -> list[Export]:
    """Return the desired LUNs and namespaces, or some of them."""
    rows = []
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
        if uuids is not None:
            query = query.where(kind.uuid.in_(uuids))
        rows += [Export(*row) for row in turn.session.execute(query)]
    return rows


def reconcile(turn: Turn) -> None:
    """Have the device of each LUN and namespace live whose pool is, and take new snapshots."""
    if turn.looks:
        _choose_shard(turn)
    if turn.whole:
        turn.judge()
        turn.memory.ready.clear()
        chosen = exports(turn)
        live = dm.devices(turn.host)
    else:
        chosen = exports(turn, _touched(turn))
        turn.scope.add(export.owner for export in chosen)
        turn.judge(turn.scope.owners)
        live = {export.uuid for export in chosen if dm.exists(turn.host, export.uuid)}
    for kind in (Lun.kind, Namespace.kind):
        turn.load_observations(kind, [export.uuid for export in chosen if export.kind == kind])
    pending = snapshots.pending(turn)
    for export in sorted(chosen, key=lambda export: export.thin_id):
        while pending and pending[0].thin_id < export.thin_id:
            snapshots.take(turn, pending.pop(0))
        _bring_up(turn, export, live)
    for group in pending:
        snapshots.take(turn, group)
    if turn.looks:
        _observe(turn, (export for export in chosen if export.uuid in turn.verified))


def _choose_shard(turn: Turn) -> None:
    """Take into the scope which LUNs and namespaces this turn reads again.

    A round goes over all that there are, and the next one begins when it is through.
    """
    memory = turn.memory
    if not memory.unverified:
        for kind in (Lun, Namespace):
            uuids = turn.session.scalars(select(kind.uuid))
            memory.unverified.extend(f"{kind.kind}:{uuid}" for uuid in uuids)
        turns = math.ceil(len(memory.unverified) * PERIOD / VERIFIED)
        memory.shard = max(SMALLEST_SHARD, turns)
        turn.finds_stale_devices = True
    count = min(memory.shard, len(memory.unverified))
    owners = [memory.unverified.popleft() for _ in range(count)]
    turn.verified = {owner.partition(":")[2] for owner in owners}
    turn.scope.add(owners)
    for uuid in turn.verified:
        memory.devices.pop(uuid, None)


def _touched(turn: Turn) -> set[str]:
    """Return the UUIDs of the LUNs and namespaces that the scope is about."""
    scope = turn.scope
    uuids = scope.keys(Lun.kind, Namespace.kind)
    uuids |= {key.partition("/")[0] for key in scope.keys(LunMap.kind)}
    uuids |= {key.partition("/")[2] for key in scope.keys(SubsystemMap.kind)}
    volumes = scope.keys(Volume.kind)
    if volumes or turn.pools:
        for kind in (Lun, Namespace):
            query = select(kind.uuid).join(Volume, Volume.uuid == kind.volume_uuid)
            there = or_(Volume.uuid.in_(volumes), Volume.aggregate_uuid.in_(turn.pools))
            uuids |= set(turn.session.scalars(query.where(there)))
    return uuids


def _bring_up(turn: Turn, export: Export, live: set[str]) -> None:
    desired, memory = export.device, turn.memory
    if not pools.active(turn, export.aggregate):
        if not turn.block(export.owner, f"{Aggregate.kind}:{export.aggregate}"):
            turn.fail(export.owner, f'Aggregate "{export.aggregate_name}" is not online.')
    elif export.uuid not in live or memory.devices.get(export.uuid) != desired:
        memory.devices.pop(export.uuid, None)
        with turn.attempt(export.owner, subject=export.name):
            _ensure(turn, export, desired)
            memory.devices[export.uuid] = desired
            live.add(export.uuid)
    # A live device stays exported whatever is wrong: hosts may be using it.
    if export.uuid in live and export.enabled and export.volume_state == "online":
        memory.ready.add(export.uuid)
    else:
        memory.ready.discard(export.uuid)


def _observe(turn: Turn, verified: Iterable[Export]) -> None:
    for export in verified:
        if export.uuid in turn.memory.devices:
            with turn.attempt(export.owner, subject=export.name):
                used = dm.used(turn.host, export.uuid)
                turn.observation(export.kind, export.uuid)["used"] = used


def _ensure(turn: Turn, export: Export, desired: dm.ThinDevice) -> None:
    facts = turn.observation(export.kind, export.uuid)
    new = facts.get("thin_id") != desired.thin_id
    if new:
        _create(turn, export, desired)
    did = dm.ensure_device(turn.host, desired)
    if new:
        facts |= {"thin_id": desired.thin_id, "used": 0}
    if did is not Ensured.UNCHANGED:
        turn.did(f"device of {export.name}: {did.value}")
    if did is Ensured.CREATED:
        begin_to_count(turn.host, export.uuid)
    if did is Ensured.CHANGED:
        turn.resized.add(export.uuid)


def _create(turn: Turn, export: Export, desired: dm.ThinDevice) -> None:
    if export.source_thin_id is None:
        dm.ensure_thin(turn.host, desired.pool, desired.thin_id)
        return
    source = export.source_thin_id, export.source_device
    thin_content.ensure(turn.host, thin_content.Copy(desired.pool, desired.thin_id, *source))


def remove_stale(turn: Turn) -> None:
    """Take away live devices that nothing needs; what they hold stays in the pool."""
    lists = turn.whole or turn.finds_stale_devices
    touched = _touched(turn)
    desired = {export.uuid for export in exports(turn, None if lists else touched)}
    stale = touched - desired
    if lists:
        stale |= dm.devices(turn.host) - desired
    turn.judge(None if lists else stale)
    for uuid in stale:
        try:
            did = dm.ensure_no_device(turn.host, uuid)
        except HostError as error:
            text = f"Device {uuid} is not wanted any more and cannot be removed: {error}"
            turn.tell(uuid, f"device.stale:{uuid}", ("error", "device.stale", text))
            continue
        turn.memory.devices.pop(uuid, None)
        if did is not Ensured.UNCHANGED:
            turn.did(f"device {uuid}: removed")
    for kind in (Lun.kind, Namespace.kind):
        for uuid in turn.observed(kind).keys() - desired if turn.whole else stale:
            turn.drop_observation(kind, uuid)
            turn.memory.ready.discard(uuid)


def remove(turn: Turn, removal: Removal) -> bool:
    """Destroy a thin device with its data. Return whether it is gone. Raises HostError."""
    data = removal.data
    dm.ensure_no_device(turn.host, data["uuid"])
    turn.memory.devices.pop(data["uuid"], None)
    if not _is_destroyed(turn, removal):
        return False
    if "serial" in data:
        reservations.forget(turn.host, data["serial"])
    return True


def remove_content(turn: Turn, removal: Removal) -> bool:
    """Destroy what a device held before its content was replaced. Raises HostError.

    Nothing is destroyed as long as any such device lacks its new content: the change that wanted
    it may be taken back. Return whether it is gone.
    """
    if any(other.what == "content" and other.owner in turn.failures for other in turn.removals):
        raise HostError("the content that takes its place is not there yet")
    return _is_destroyed(turn, removal)


def _is_destroyed(turn: Turn, removal: Removal) -> bool:
    """Destroy a thin volume; where that takes long, by a process of its own. Raises HostError."""
    aggregate, thin_id = removal.data["aggregate"], removal.data["thin_id"]
    if not pools.active(turn, aggregate):
        raise HostError("the aggregate that holds the data is not online")
    turn.irreversible.add(removal.owner)
    pool, order = names.pool_device(aggregate), turn.session.get(LongJob, removal.uuid)
    if order is None:
        volume = dm.volume(turn.host, pool, thin_id, removal.uuid)
        if volume and volume.occupied > DELETED_AT_ONCE:
            order = _order(removal, volume)
        elif volume:
            dm.ensure_no_thin(turn.host, pool, thin_id)
    if order and not long_jobs.ensure_done(turn, order, start=_comes_next(turn, removal)):
        return False
    turn.did(f"thin device {thin_id} of {aggregate}: destroyed")
    return True


def _order(removal: Removal, volume: dm.Volume) -> LongJob:
    data = removal.data
    return LongJob(
        uuid=removal.uuid,
        kind=thin_deletion.KIND,
        owner=removal.owner,
        message="The data are destroyed",
        data=thin_deletion.order(removal.uuid, data["aggregate"], data["thin_id"], volume),
        # A device whose content was replaced serves already.
        binding=removal.what != "content",
    )


def _comes_next(turn: Turn, removal: Removal) -> bool:
    """Return whether a volume is the one to be destroyed now: in each pool one after the other."""
    if not turn.destroying:
        under_way = of_kinds(turn.session, [thin_deletion.KIND])
        pools_of = {
            each.uuid: each.data["aggregate"] for each in turn.removals if each.what in THIN
        }
        for job in under_way:
            if job.is_open and job.uuid in pools_of:
                turn.destroying.setdefault(pools_of[job.uuid], job.uuid)
    return turn.destroying.get(removal.data["aggregate"]) == removal.uuid
