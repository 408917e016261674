"""Thin devices of LUNs and namespaces: created, activated, grown, and destroyed on request.

A thin volume is created once. If it is absent later, that is a fault, and it is never replaced by a
new and empty one. The observation of a device records the thin id with which it was created: if
another id is desired, the content is to be replaced.

Thin ids are assigned in the order of requests, and a copy has a higher id than its source. So LUNs,
namespaces and snapshots are created in the order of their ids.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, literal, or_, select

from sanstone.core import observed
from sanstone.core.database.change import CONTENT, THIN, Removal
from sanstone.core.database.statements import columns
from sanstone.core.events import ERROR, Condition
from sanstone.core.long_jobs import LongJob, of_kinds
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import thin, thin_content
from sanstone.kernel.storage.mapped import SECTOR
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.target import reservations
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace, SubsystemMap
from sanstone.model.policies import QosPolicy
from sanstone.model.san import Lun, LunMap
from sanstone.model.volumes import Snapshot, Volume
from sanstone.reconcile import limits
from sanstone.reconcile.export import Export
from sanstone.reconcile.long_jobs import thin_deletion
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import (
    DevicesActive,
    NvmeServed,
    PoolsActive,
    ScsiServed,
    StaleDevicesRemoved,
)
from sanstone.reconcile.role import Role, StandbyMemory
from sanstone.reconcile.stages import long_jobs, pools, reserves, snapshots
from sanstone.reconcile.tasks.sampler import begin_to_count
from sanstone.reconcile.turn import PERIOD, VERIFIED, Turn

SMALLEST_SHARD = 128
"""Minimum number of LUNs and namespaces that are verified in one turn."""
DELETED_AT_ONCE = 1 << 30
"""Mapped bytes up to which a volume is deleted within a turn. With the smallest chunks these are
16,384 mappings in at most 130 nodes of metadata (a leaf has 126 to 252), which a rotating disk
reads in about a second."""
IN_POOLS = THIN, CONTENT
"""Kinds of removals that destroy a thin volume."""
TARGETS = "nvme", "scsi"
"""The stages that serve hosts."""
MAPS = LunMap.kind, SubsystemMap.kind
KINDS = frozenset((Lun.kind, Namespace.kind, Volume.kind, Snapshot.kind, QosPolicy.kind, *MAPS))
"""Kinds of owners that the stage processes one by one."""


@dataclass
class DevicesMemory(StageMemory):
    """The devices of LUNs and namespaces, by UUID."""

    live: dict[str, over_thin.ThinDevice] = field(default_factory=dict)
    """Live devices, as they were activated or verified last."""
    ready: set[str] = field(default_factory=set)
    """LUNs and namespaces that can be exported now."""
    unverified: deque[str] = field(default_factory=deque)
    """Owners of the LUNs and namespaces still to be verified in the current round."""
    shard: int = SMALLEST_SHARD
    """How many LUNs and namespaces one turn verifies."""

    def forget(self) -> DevicesMemory:
        """Have all live devices read again."""
        self.live.clear()
        return self


def exports(
    turn: Turn, uuids: Collection[str] | None = None, role: Role = Role.ACTIVE
) -> Sequence[Export]:
    """Return the LUNs and namespaces for which the turn's node has a role.

    They are all, or those with some UUIDs.
    """
    return [export for export in _exports(turn, uuids) if turn.role(export.node) is role]


def _exports(turn: Turn, uuids: Collection[str] | None) -> Sequence[Export]:
    if uuids is None:
        return turn.once(_every)
    known = turn.once(_looked_up)
    if missing := set(uuids) - known.keys():
        known |= dict.fromkeys(missing)
        known |= {export.uuid: export for export in _query(turn, missing)}
    return [export for uuid in uuids if (export := known[uuid])]


def _every(turn: Turn) -> Sequence[Export]:
    return _query(turn, None)


def _looked_up(_turn: Turn) -> dict[str, Export | None]:
    """Return the LUNs and namespaces by UUID that a turn has looked up; None for no such."""
    return {}


def _query(turn: Turn, uuids: Collection[str] | None) -> list[Export]:
    """Read the desired LUNs and namespaces from the database."""
    rows = []
    for kind in (Lun, Namespace):
        if uuids is None:
            selected = turn.session.execute(_every_export(kind))
        else:
            selected = turn.session.execute(_some_exports(kind), {"uuids": list(uuids)})
        rows += [Export(*row) for row in selected]
    return rows


@cache
def _every_export(kind: type[Lun] | type[Namespace]) -> Select[Any]:
    block_size = Namespace.block_size if kind is Namespace else literal(SECTOR)
    return (
        select(
            literal(kind.kind),
            *(kind.uuid, kind.name, kind.size, kind.thin_id),
            *(kind.source_thin_id, kind.source_device, block_size, kind.enabled),
            *(Volume.uuid, Volume.state, Volume.size, Volume.guarantee),
            *(Aggregate.uuid, Aggregate.name, Aggregate.node_uuid, Aggregate.home_node_uuid),
            *(kind.qos_policy_uuid, Volume.qos_policy_uuid, Volume.svm_uuid),
        )
        .join(Volume, Volume.uuid == kind.volume_uuid)
        .join(Aggregate, Aggregate.uuid == Volume.aggregate_uuid)
    )


@cache
def _some_exports(kind: type[Lun] | type[Namespace]) -> Select[Any]:
    return _every_export(kind).where(kind.uuid.in_(bindparam("uuids", expanding=True)))


def reconcile(turn: Turn, pools_active: PoolsActive) -> DevicesActive:
    """Activate the devices of LUNs and namespaces in active pools, and take new snapshots.

    Devices of what the partner owns stand by.
    """
    verified, finds_stale = frozenset[str](), False
    if turn.looks:
        verified, finds_stale = _add_shard(turn)
    if turn.whole:
        turn.judge()
        turn.memory.of(DevicesMemory).ready.clear()
        turn.memory.of(StandbyMemory).luns.clear()
        turn.memory.of(StandbyMemory).namespaces.clear()
        uuids, live = None, over_thin.devices(turn.host)
    else:
        uuids = _uuids_in_scope(turn, pools_active.turned)
        found = _exports(turn, uuids)
        turn.scope.add(export.owner for export in found)
        turn.judge(turn.scope.owners)
        live = {export.uuid for export in found if over_thin.exists(turn.host, export.uuid)}
    selected = exports(turn, uuids)
    for kind, former in ((Lun.kind, Namespace.kind), (Namespace.kind, Lun.kind)):
        _load_observations(turn, kind, former, [e.uuid for e in selected if e.kind == kind])
    pending = snapshots.pending(turn, pools_active.turned)
    for export in sorted(selected, key=lambda export: export.thin_id):
        while pending and pending[0].thin_id < export.thin_id:
            snapshots.take(turn, pending.pop(0))
        _activate(turn, export, live)
    for group in pending:
        snapshots.take(turn, group)
    for export in exports(turn, uuids, Role.STANDBY):
        _stand_by(turn, export, live)
    reserves.ensure(turn, [e for e in selected if e.uuid in live], pools_active.turned)
    if turn.looks:
        _observe(turn, (export for export in selected if export.uuid in verified))
    return DevicesActive(turn.outcomes, verified, finds_stale)


def _load_observations(turn: Turn, kind: str, former: str, uuids: Collection[str]) -> None:
    """Load the observations of LUNs or namespaces, and the earlier ones of the `former` kind.

    Without those a converted device with a missing thin volume would become an empty one.
    """
    turn.seen.load(kind, uuids)
    unknown = [uuid for uuid in uuids if not turn.seen.knows(kind, uuid)]
    rows = observed.load_some(turn.session, turn.node_uuid, former, unknown)
    for uuid, row in rows.items():
        turn.seen.of(kind, uuid).update(row.data)


def _add_shard(turn: Turn) -> tuple[frozenset[str], bool]:
    """Add the LUNs and namespaces to the scope that this turn verifies, and return their UUIDs.

    A round covers all that exist when it begins; the next begins when it is complete. Return also
    whether one begins.
    """
    memory = turn.memory.of(DevicesMemory)
    is_new = not memory.unverified
    if is_new:
        for kind in (Lun, Namespace):
            uuids = turn.session.scalars(columns(kind.uuid))
            memory.unverified.extend(f"{kind.kind}:{uuid}" for uuid in uuids)
        turns = math.ceil(len(memory.unverified) * PERIOD / VERIFIED)
        memory.shard = max(SMALLEST_SHARD, turns)
    count = min(memory.shard, len(memory.unverified))
    owners = [memory.unverified.popleft() for _ in range(count)]
    verified = frozenset(owner.partition(":")[2] for owner in owners)
    turn.scope.add(owners)
    for uuid in verified:
        memory.live.pop(uuid, None)
    return verified, is_new


def _uuids_in_scope(turn: Turn, turned: Collection[str]) -> set[str]:
    """Return the UUIDs of the LUNs and namespaces in the scope.

    They include those in the scope's volumes, those for which its policies hold, and those in pools
    that became active or inactive (`turned`).
    """
    scope = turn.scope
    uuids = scope.keys(Lun.kind, Namespace.kind)
    for table in (LunMap, SubsystemMap):
        uuids |= {table.device_of(key) for key in scope.keys(table.kind)}
    volumes = {key.partition("/")[0] for key in scope.keys(Volume.kind)}
    if policies := scope.keys(QosPolicy.kind):
        uuids |= limits.limited_by(turn, policies)
    if volumes or turned:
        for kind in (Lun, Namespace):
            within = {"volumes": list(volumes), "pools": list(turned)}
            uuids |= set(turn.session.scalars(_within(kind), within))
    return uuids


@cache
def _within(kind: type[Lun] | type[Namespace]) -> Select[tuple[str]]:
    """Return the statement for those in some volumes and in some pools."""
    in_volumes = Volume.uuid.in_(bindparam("volumes", expanding=True))
    in_pools = Volume.aggregate_uuid.in_(bindparam("pools", expanding=True))
    query = select(kind.uuid).join(Volume, Volume.uuid == kind.volume_uuid)
    return query.where(or_(in_volumes, in_pools))


def _activate(turn: Turn, export: Export, live: set[str]) -> None:
    """Activate the device of a LUN or namespace, and record whether it can be exported."""
    desired = export.device(limits.groups(turn, export))
    memory, is_starting = turn.memory.of(DevicesMemory), False
    if not pools.active(turn, export.aggregate):
        if not turn.block(export.owner, f"{Aggregate.kind}:{export.aggregate}"):
            turn.fail(export.owner, pools.not_online(export.aggregate_name))
            is_starting = True
    elif export.uuid not in live or memory.live.get(export.uuid) != desired:
        memory.live.pop(export.uuid, None)
        with turn.attempt(export.owner, subject=export.name):
            _ensure(turn, export, desired)
            memory.live[export.uuid] = desired
            live.add(export.uuid)
    is_standby = (
        export.uuid in live
        and memory.live.get(export.uuid) != desired
        and over_thin.is_standby(turn.host, export.uuid)
    )
    # A live device stays exported whatever is wrong: hosts may be using it. Not so a namespace that
    # fails at a takeover: its whole group would stay inaccessible with it.
    is_kept = not is_standby or is_starting or export.kind == Lun.kind
    _note_standby(turn, export, is_standby=is_standby and is_kept)
    _note_ready(turn, export, is_live=export.uuid in live and is_kept)


def _stand_by(turn: Turn, export: Export, live: set[str]) -> None:
    """Have a device without data for what the partner owns, and record whether it can be exported.

    One that has its data, as after a giveback, stays until hosts know that the paths here are
    inaccessible (`remove_stale`).
    """
    memory = turn.memory.of(DevicesMemory)
    has_data = export.uuid in live and not over_thin.is_standby(turn.host, export.uuid)
    if has_data:
        memory.live.pop(export.uuid, None)
    elif export.uuid not in live or memory.live.get(export.uuid) != export.on_standby:
        _withdraw(turn, export)
    # As one with its data, a live device stays exported whatever is wrong.
    is_live = export.uuid in live or export.uuid in memory.live
    _note_standby(turn, export, is_standby=True)
    _note_ready(turn, export, is_live=is_live)


def _withdraw(turn: Turn, export: Export) -> None:
    """Have a device without data, in the place of one with its data if there is one."""
    memory = turn.memory.of(DevicesMemory)
    memory.live.pop(export.uuid, None)
    with turn.attempt(export.owner, subject=export.name):
        outcome = over_thin.ensure(turn.host, export.on_standby)
        memory.live[export.uuid] = export.on_standby
        if outcome is not Ensured.UNCHANGED:
            turn.did(f"device of {export.name} on standby: {outcome.value}", export.owner, outcome)


def _note_standby(turn: Turn, export: Export, *, is_standby: bool) -> None:
    """Note whether a device has no data behind it here, or is about to have none."""
    memory = turn.memory.of(StandbyMemory)
    memory.discard(export.uuid)
    if is_standby and export.kind == Lun.kind:
        memory.luns.add(export.uuid)
    elif is_standby:
        memory.namespaces[export.uuid] = export.home


def _note_ready(turn: Turn, export: Export, *, is_live: bool) -> None:
    """Note whether a LUN or namespace can be exported."""
    ready = turn.memory.of(DevicesMemory).ready
    if is_live and export.enabled and export.volume_state == "online":
        ready.add(export.uuid)
    else:
        ready.discard(export.uuid)


def _observe(turn: Turn, verified: Iterable[Export]) -> None:
    """Observe the space that devices use."""
    for export in verified:
        if export.uuid in turn.memory.of(DevicesMemory).live:
            with turn.attempt(export.owner, subject=export.name):
                used = over_thin.used(turn.host, export.uuid)
                turn.seen.of(export.kind, export.uuid)["used"] = used


def _ensure(turn: Turn, export: Export, desired: over_thin.ThinDevice) -> None:
    """Make the device of a LUN or namespace the desired one. Raises HostError."""
    observation = turn.seen.of(export.kind, export.uuid)
    new = observation.get("thin_id") != desired.thin_id
    if new:
        _create(turn, export, desired)
    outcome = over_thin.ensure(turn.host, desired, new=new)
    if new:
        observation |= {"thin_id": desired.thin_id, "used": 0}
    if outcome is not Ensured.UNCHANGED:
        turn.did(f"device of {export.name}: {outcome.value}", export.owner, outcome)
    if outcome is Ensured.CREATED:
        begin_to_count(turn.host, export.uuid)


def _create(turn: Turn, export: Export, desired: over_thin.ThinDevice) -> None:
    """Create a LUN's or namespace's thin volume, empty or as a copy. Raises HostError."""
    if export.source_thin_id is None:
        thin.ensure_thin(turn.host, desired.pool, desired.thin_id)
        return
    source = export.source_thin_id, export.source_device
    thin_content.ensure(turn.host, thin_content.Copy(desired.pool, desired.thin_id, *source))


def remove_stale(
    turn: Turn,
    pools_active: PoolsActive,
    active: DevicesActive,
    _nvme: NvmeServed,
    _scsi: ScsiServed,
) -> StaleDevicesRemoved:
    """Remove live devices that no LUN or namespace needs. Their data stays in the pool.

    Those of what the partner owns lose their data, once hosts know that.
    """
    is_complete = turn.whole or active.finds_stale
    touched = _uuids_in_scope(turn, pools_active.turned)
    uuids = None if is_complete else touched
    existing, others = exports(turn, uuids), exports(turn, uuids, Role.STANDBY)
    desired = {export.uuid for export in (*existing, *others)}
    stale = touched - desired
    if is_complete:
        stale |= over_thin.devices(turn.host) - desired
    turn.judge(None if is_complete else stale | {export.owner for export in others})
    memory = turn.memory.of(DevicesMemory)
    for export in others if _hosts_know(turn) else ():
        if export.uuid not in memory.live and over_thin.exists(turn.host, export.uuid):
            _withdraw(turn, export)
    for uuid in stale:
        try:
            outcome = over_thin.ensure_none(turn.host, uuid)
        except HostError as error:
            text = f"Device {uuid} is not wanted any more and cannot be removed: {error}"
            turn.tell(uuid, f"device.stale:{uuid}", Condition(ERROR, "device.stale", text))
            continue
        memory.live.pop(uuid, None)
        turn.memory.of(StandbyMemory).discard(uuid)
        if outcome is not Ensured.UNCHANGED:
            turn.did(f"device {uuid}: removed")
    memory.ready -= stale
    for kind in (Lun.kind, Namespace.kind):
        known = turn.seen.every(kind).keys() if turn.whole else stale | turn.scope.keys(kind)
        for uuid in known - {export.uuid for export in existing if export.kind == kind}:
            turn.seen.drop(kind, uuid)
    return StaleDevicesRemoved(turn.outcomes)


def _hosts_know(turn: Turn) -> bool:
    """Return whether hosts know from the targets which paths here are inaccessible."""
    return all(fault.blocked for fault in turn.failures.of_stages(*TARGETS))


def remove(turn: Turn, removal: Removal) -> bool:
    """Destroy a thin device with its data. Return whether it is gone. Raises HostError."""
    data = removal.data
    over_thin.ensure_none(turn.host, data["uuid"])
    turn.memory.of(DevicesMemory).live.pop(data["uuid"], None)
    if not _is_destroyed(turn, removal):
        return False
    if "serial" in data:
        reservations.forget(turn.host, data["serial"])
    return True


def remove_reservations(turn: Turn, removal: Removal) -> bool:
    """Delete the saved reservations of a LUN that became a namespace. Return that they are gone.

    Not before the namespace is there: the change may be reverted. Raises HostError.
    """
    if removal.owner in turn.failures:
        raise HostError("the namespace that takes the LUN's place is not there yet")
    reservations.forget(turn.host, removal.data["serial"])
    return True


def remove_content(turn: Turn, removal: Removal) -> bool:
    """Destroy the former content of a device that has another by now. Return whether it is gone.

    While any device lacks its new content, none is destroyed: the change that replaces it may be
    reverted. Raises HostError.
    """
    if any(other.kind == CONTENT and other.owner in turn.failures for other in turn.removals.sound):
        raise HostError("the content that takes its place is not there yet")
    return _is_destroyed(turn, removal)


def _is_destroyed(turn: Turn, removal: Removal) -> bool:
    """Destroy a thin volume, by a long job if that takes long. Return whether it is gone.

    Raises HostError.
    """
    aggregate, thin_id = removal.data["aggregate"], removal.data["thin_id"]
    if not pools.active(turn, aggregate):
        raise HostError("the aggregate that holds the data is not online")
    turn.irreversible.add(removal.owner)
    pool, order = names.pool_device(aggregate), turn.session.get(LongJob, removal.uuid)
    if order is None:
        volume = thin.volume(turn.host, pool, thin_id, removal.uuid)
        if volume and volume.occupied > DELETED_AT_ONCE:
            order = _order(removal, volume)
        elif volume:
            thin.ensure_no_thin(turn.host, pool, thin_id)
    if order and not long_jobs.ensure_done(turn, order, start=_is_next(turn, removal)):
        return False
    turn.did(f"thin device {thin_id} of {aggregate}: destroyed")
    return True


def _order(removal: Removal, volume: thin.Volume) -> LongJob:
    """Return the order for a long job that destroys a thin volume."""
    data = removal.data
    return LongJob(
        uuid=removal.uuid,
        kind=thin_deletion.KIND,
        owner=removal.owner,
        message="The data are destroyed",
        data=thin_deletion.order(removal.uuid, data["aggregate"], data["thin_id"], volume),
        # A device with its new content is exported already: its change need not wait.
        binding=removal.kind != CONTENT,
    )


def _is_next(turn: Turn, removal: Removal) -> bool:
    """Return whether a removal's volume is to be destroyed now: one at a time in each pool."""
    return turn.once(_destroyed).get(removal.data["aggregate"]) == removal.uuid


def _destroyed(turn: Turn) -> dict[str, str]:
    """Return by aggregate the removal with the volume that is being destroyed."""
    aggregates = {
        other.uuid: other.data["aggregate"]
        for other in turn.removals.sound
        if other.kind in IN_POOLS
    }
    destroyed: dict[str, str] = {}
    for job in of_kinds(turn.session, [thin_deletion.KIND]):
        if job.is_open and job.uuid in aggregates:
            destroyed.setdefault(aggregates[job.uuid], job.uuid)
    return destroyed
