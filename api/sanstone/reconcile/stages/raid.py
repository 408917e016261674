"""Create, assemble, observe and dissolve the RAID groups of aggregates.

At a boot, disks may appear late. A RAID group that lacks a disk is started degraded only after a
grace time, so that a slow enclosure does not cost a rebuild.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import asdict
from uuid import UUID, uuid5

from sqlalchemy import select

from sanstone.core.database.change import Removal
from sanstone.core.database.statements import every
from sanstone.core.events import ALERT, EMERGENCY, Condition
from sanstone.core.jobs import waiting
from sanstone.core.long_jobs import LongJob
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import block, md
from sanstone.kernel.storage.stack import over_md, under_md
from sanstone.model.aggregates import Aggregate, AggregateDisk
from sanstone.reconcile import layers
from sanstone.reconcile.long_jobs import raid_creation
from sanstone.reconcile.results import DisksRead, GroupsRun
from sanstone.reconcile.stages import aggregate_holds, disks, growth, long_jobs, scrub
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.turn import Turn

GRACE = 30.0
"""Seconds after the reconciler's start during which RAID groups wait for missing disks."""
FAILED = "460770"
REBUILD = "raid.rebuild"
"""A long job that md works off."""


def aggregates(turn: Turn) -> Sequence[Aggregate]:
    """Return the aggregates that the turn's node owns, by name."""
    return turn.once(_aggregates)


def _aggregates(turn: Turn) -> Sequence[Aggregate]:
    return turn.own(Aggregate, every(Aggregate, Aggregate.name)).scalars().all()


def numbers(aggregate: Aggregate) -> list[int]:
    """Return the numbers of the desired RAID groups of an aggregate."""
    return sorted({member.raid_group for member in aggregate.members})


def _array(turn: Turn, aggregate: Aggregate, number: int) -> md.Array:
    """Return a desired RAID group, with the members that md can have now."""
    desired_layers = layers.of_aggregate(aggregate.uuid).under_md
    paths = (
        under_md.member(turn.host, aggregate.uuid, uid, disks.path(turn, uid), desired_layers)
        for uid in _identities(aggregate, number)
    )
    return md.Array(aggregate.uuid, number, aggregate.raid_type, tuple(filter(None, paths)))


def _identities(aggregate: Aggregate, number: int) -> list[str]:
    return [m.disk_uid for m in aggregate.members if m.raid_group == number]


def reconcile(turn: Turn, _disks: DisksRead) -> GroupsRun:
    """Create, assemble and complete every RAID group of every aggregate."""
    for aggregate in aggregates(turn):
        turn.seen.every(Aggregate.kind).setdefault(aggregate.uuid, {})
        with turn.attempt(aggregate.owner, FAILED, f'Aggregate "{aggregate.name}"'):
            aggregate_holds.require_free(turn, aggregate)
            _ensure(turn, aggregate)
        with turn.attempt(aggregate.owner, FAILED, f'Aggregate "{aggregate.name}"'):
            scrub.ensure(turn, aggregate, numbers(aggregate))
        with turn.attempt(aggregate.owner, FAILED, f'Aggregate "{aggregate.name}"'):
            _observe(turn, aggregate)
    return GroupsRun(turn.outcomes)


def _ensure(turn: Turn, aggregate: Aggregate) -> None:
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    facts.setdefault("forced_starts", aggregate.forced_starts)
    facts["dirty"] = []
    for number in numbers(aggregate):
        turn.progress()
        new = number >= facts.get("groups", 0)
        if _running(turn, aggregate.uuid, number):
            # A long job that created the group changed which disks are in use, too.
            uuid = names.array_uuid(aggregate.uuid, number)
            turn.memory.of(DisksMemory).changed |= long_jobs.take_in(turn, uuid)
        elif new and not _is_created(turn, aggregate, _array(turn, aggregate, number)):
            continue
        else:
            # The row alone is no proof that it exists: the disks decide.
            _start(turn, aggregate, number, new=new)
        if _running(turn, aggregate.uuid, number):
            _complete(turn, aggregate, number, new=new)
    # The order counts for this start alone.
    facts["forced_starts"] = aggregate.forced_starts


def _start(turn: Turn, aggregate: Aggregate, number: int, *, new: bool) -> None:
    """Start a RAID group, from the layers on its disks on."""
    _activate_disks(turn, aggregate, number, new=new)
    array = _array(turn, aggregate, number)
    if new:
        did = md.ensure_created(turn.host, array)
    else:
        in_grace = time.monotonic() < turn.memory.started + GRACE
        did = _ensure_running(turn, aggregate, array, degraded=not in_grace)
    if did is not Ensured.UNCHANGED:
        turn.did(f"raid group {array.device}: {did.value}")
        turn.memory.of(DisksMemory).changed = True


def _ensure_running(
    turn: Turn, aggregate: Aggregate, array: md.Array, *, degraded: bool
) -> Ensured:
    """Start a RAID group; one that is dirty and degraded on an administrator's order alone."""
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    is_ordered = degraded and facts["forced_starts"] != aggregate.forced_starts
    try:
        return md.ensure_running(turn.host, array, degraded=degraded, dirty=is_ordered)
    except md.DirtyError:
        if degraded:
            facts["dirty"].append(array.number)
            text = (
                f'Aggregate "{aggregate.name}": RAID group {array.number} lacks disks, and was '
                "written to when the power was cut. It does not start by itself: what hosts wrote "
                "in that moment may be lost, or damage what lies beside it."
            )
            key = f"raid.dirty:{aggregate.uuid}/{array.number}"
            turn.conditions[key] = Condition(EMERGENCY, "raid.dirty", text, aggregate.owner)
        raise


def _complete(turn: Turn, aggregate: Aggregate, number: int, *, new: bool) -> None:
    """Have a RAID group that runs be of the desired disks, and what lies on it as long as it is.

    Nothing is kept of what lies on a `new` one, which the pool does not have yet.
    """
    declared = layers.of_aggregate(aggregate.uuid)
    _activate_disks(turn, aggregate, number, new=True)
    array = _array(turn, aggregate, number)
    has_changed = _ensure_members(turn, array)
    if not growth.ensure(turn, aggregate, array, len(_identities(aggregate, number))):
        _follow_rebuild(turn, aggregate, array, is_new=has_changed)
    over_md.ensure(turn.host, aggregate.uuid, number, declared.over_md, new=new)
    if declared.under_md:
        identities = [member.disk_uid for member in aggregate.members]
        under_md.ensure_unused_removed(turn.host, aggregate.uuid, identities)


def _activate_disks(turn: Turn, aggregate: Aggregate, number: int, *, new: bool) -> None:
    """Activate the layers on the disks of a RAID group that are there.

    One that cannot be activated counts as missing, and is reported.
    """
    desired_layers = layers.of_aggregate(aggregate.uuid).under_md
    for uid in _identities(aggregate, number) if desired_layers else ():
        path = disks.path(turn, uid)
        try:
            if path:
                under_md.ensure(turn.host, aggregate.uuid, uid, path, desired_layers, new=new)
        except HostError as error:
            text = f'Aggregate "{aggregate.name}": disk {path} cannot be used: {error}'
            key = f"raid.disk:{uid}"
            turn.conditions[key] = Condition(ALERT, "raid.disk", text, aggregate.owner)


def _is_created(turn: Turn, aggregate: Aggregate, array: md.Array) -> bool:
    """Create a RAID group by a long job; return whether that is done.

    Disks that clear themselves take hours, and many disks take seconds in any case.
    """
    members = _identities(aggregate, array.number)
    order = LongJob(
        uuid=array.uuid,
        kind=raid_creation.KIND,
        owner=aggregate.owner,
        message=f"RAID group {array.number} is created",
        data=raid_creation.order(array, members),
        cancelable=True,
    )
    return long_jobs.ensure_done(turn, order)


def _running(turn: Turn, aggregate: str, number: int) -> md.ArrayStatus | None:
    status = md.status(turn.host, aggregate, number)
    return status if status and status.state != "inactive" else None


def _ensure_members(turn: Turn, array: md.Array) -> bool:
    """Add disks that returned or were assigned to a RAID group; remove replaced ones.

    Return whether anything was changed.
    """
    desired = {path.rpartition("/")[2] for path in array.disks}
    if desired == {member.device for member in md.members(turn.host, array.device)}:
        return False
    try:
        # md gives a disk no place while it scrubs.
        md.pause_scrub(turn.host, array.device)
        did = md.ensure_members(turn.host, array)
    finally:
        _keep_rebuilding(turn, array, desired)
    if did is not Ensured.UNCHANGED:
        turn.did(f"members of raid group {array.device}: {did.value}")
        turn.memory.of(DisksMemory).changed = True
    return did is not Ensured.UNCHANGED


def _follow_rebuild(turn: Turn, aggregate: Aggregate, array: md.Array, *, is_new: bool) -> None:
    """Have the job that changed the disks of a RAID group last until it is rebuilt onto them.

    A rebuild that no job began, as onto a disk that came back, is not followed: jobs that come
    later would wait for it. Raises ArrayError when a disk fails while the group is rebuilt onto it.
    """
    uuid = str(uuid5(UUID(array.uuid), REBUILD))
    if not long_jobs.is_followed(turn, uuid):
        has_job = is_new and any(aggregate.owner in job.touched for job in waiting(turn.session))
        if not has_job:
            return
    status = _running(turn, array.aggregate, array.number)
    desired = {path.rpartition("/")[2] for path in array.disks}
    states = {m.device: m.state for m in status.members if m.device in desired} if status else {}
    failed = sorted(device for device, state in states.items() if state in ("faulty", "gone"))
    if failed or status is None or states.keys() < desired:
        long_jobs.end(turn, uuid)
        if failed:
            raise md.ArrayError("{}: {} failed while it was rebuilt", array.name, failed[0])
    elif all(state in ("in_sync", "replacing") for state in states.values()):
        long_jobs.end(turn, uuid)
    else:
        order = LongJob(
            uuid=uuid,
            kind=REBUILD,
            owner=aggregate.owner,
            message=f"RAID group {array.number} is rebuilt",
        )
        is_rebuilt = status.state == "rebuilding"
        percent = int(status.percent) if is_rebuilt and status.percent is not None else None
        long_jobs.follow(turn, order, percent)


def _keep_rebuilding(turn: Turn, array: md.Array, desired: Collection[str]) -> None:
    """Have the disks stay desired that the group is rebuilt onto, whatever else fails.

    Their change cannot be taken back: the disk in that place before is gone.
    """
    rebuilt = {m.device for m in md.members(turn.host, array.device) if m.state == "rebuilding"}
    if rebuilt & set(desired):
        turn.irreversible.add(f"{Aggregate.kind}:{array.aggregate}")


def _observe(turn: Turn, aggregate: Aggregate) -> None:
    facts = turn.seen.every(Aggregate.kind)[aggregate.uuid]
    facts["raid"] = []
    sectors: list[int] = []
    for number in numbers(aggregate):
        status = md.status(turn.host, aggregate.uuid, number)
        is_dirty = number in facts.get("dirty", ())
        # An array that md refused to start may be left partly assembled.
        if status is None or is_dirty:
            state = "dirty" if is_dirty else "offline"
            facts["raid"].append({"group": number, "state": state})
            turn.keep(f"raid.degraded:{aggregate.uuid}/{number}")
            continue
        sectors.append(status.sector_size)
        _tell_misfits(turn, aggregate, status)
        facts["raid"].append(
            {
                "group": number,
                "state": status.state,
                "degraded": status.missing_disks,
                "resync_percent": status.percent,
                "seconds_left": status.seconds_left,
                "members": [
                    asdict(m) | {"device": f"/dev/{_disk_of(turn, m)}"} for m in status.members
                ],
            }
        )
        if status.missing_disks:
            text = (
                f'Aggregate "{aggregate.name}": RAID group {number} runs without '
                f"{status.missing_disks} of its {status.raid_disks} disks."
            )
            key = f"raid.degraded:{aggregate.uuid}/{number}"
            turn.conditions[key] = Condition(ALERT, "raid.degraded", text, aggregate.owner)
    if sectors:
        facts["sector_size"] = max(sectors)


def _disk_of(turn: Turn, member: md.Member) -> str:
    """Return the kernel's name of the disk that a member is, or lies on."""
    return block.disk_under(turn.host, member.device) or member.device


def _tell_misfits(turn: Turn, aggregate: Aggregate, status: md.ArrayStatus) -> None:
    """Tell of members with larger sectors than their RAID group, which has them at its next start.

    None comes into a group any more (`md`), but one may be there from an earlier release.
    """
    in_group = {_disk_of(turn, member) for member in status.members}
    for disk in (turn.memory.of(DisksMemory).present or {}).values():
        size = disk.logical_block_size
        if disk.name in in_group and size > status.sector_size:
            text = (
                f'Aggregate "{aggregate.name}": disk {disk.path} has sectors of {size} bytes, its '
                f"RAID group of {status.sector_size}. When the array starts again, hosts will not "
                "find their data."
            )
            key = f"raid.sectors:{disk.identity}"
            turn.conditions[key] = Condition(ALERT, "raid.sectors", text, aggregate.owner)


def clear(turn: Turn, removal: Removal) -> bool:
    """Clear a disk that was to join an aggregate and did not; return True. Raises HostError.

    If its RAID group has no other desired disk, the group is dissolved. A disk that the group works
    with is left to it: it took the place of one that is gone.
    """
    uuid, number, [[uid]] = (removal.data[key] for key in ("uuid", "number", "groups"))
    if path := disks.path(turn, uid):
        desired_layers = layers.of_aggregate(uuid).under_md
        member = under_md.member(turn.host, uuid, uid, path, desired_layers)
        array = md.Array(uuid, number, removal.data["raid_type"], (member,) if member else ())
        long_jobs.abandon(turn, array.uuid)
        others = select(AggregateDisk).filter_by(aggregate_uuid=uuid, raid_group=number)
        if turn.session.scalar(others.limit(1)):
            _require_idle(turn, array)
            md.ensure_erased(turn.host, array.uuid, array.disks)
        else:
            md.ensure_removed(turn.host, array)
        if desired_layers:
            under_md.ensure_erased(turn.host, uuid, uid, path)
        turn.did(f"disk {path}: cleared")
        turn.memory.of(DisksMemory).changed = True
    return True


def _require_idle(turn: Turn, array: md.Array) -> None:
    """Raise ArrayError when a RAID group that runs works with a disk."""
    if _running(turn, array.aggregate, array.number) is None:
        return
    for member in md.members(turn.host, array.device):
        path = f"/dev/{member.device}"
        if member.state != "spare" and path in array.disks:
            raise md.ArrayError(
                "{}: {} is in use by it; make it a disk of the aggregate again", array.name, path
            )
