"""RAID groups of aggregates: made, assembled, watched and taken apart.

At a boot, disks may come late: a group with a disk missing is started degraded only after a grace
time, so that a slow enclosure does not cost a rebuild.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import select

from sanstone.core import events
from sanstone.core.change import Removal
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.storage import md
from sanstone.reconcile.long_jobs import raid_creation
from sanstone.reconcile.stages import disks, long_jobs
from sanstone.reconcile.state import Pass
from sanstone.resources.storage.aggregate import Aggregate, AggregateDisk

GRACE = 30.0
"""Seconds after the start in which missing disks are waited for."""
FAILED = "460770"


def aggregates(this: Pass) -> Sequence[Aggregate]:
    """Return the wanted aggregates."""
    return this.session.scalars(select(Aggregate).order_by(Aggregate.name)).all()


def arrays(this: Pass, aggregate: Aggregate) -> list[md.Array]:
    """Return the wanted RAID groups with the present paths of their disks."""
    groups: dict[int, list[str]] = {}
    for member in aggregate.members:
        groups.setdefault(member.raid_group, []).append(disks.path(this, member.disk_uid))
    return [
        md.Array(aggregate.uuid, number, aggregate.raid_type, tuple(p for p in paths if p))
        for number, paths in sorted(groups.items())
    ]


def reconcile(this: Pass) -> None:
    """Have every RAID group of every aggregate run."""
    for aggregate in aggregates(this):
        with this.attempt(aggregate.owner, FAILED, f'Aggregate "{aggregate.name}"'):
            _ensure(this, aggregate)
        _observe(this, aggregate)


def _ensure(this: Pass, aggregate: Aggregate) -> None:
    facts = this.known(Aggregate.kind).setdefault(aggregate.uuid, {})
    for array in arrays(this, aggregate):
        if _running(this, array):
            # What long jobs made changes the use of disks, too.
            this.disks_changed |= long_jobs.take_in(this, array.uuid)
        else:
            if array.number < facts.get("groups", 0):
                patient = time.monotonic() < this.memory.started + GRACE
                did = md.ensure_running(this.host, array, degraded=not patient)
            elif md.clears_disks(this.host, array) and not _cleared(this, aggregate, array):
                continue
            else:
                did = md.ensure_created(this.host, array)
            if did is not Ensured.UNCHANGED:
                this.did(f"raid group {array.device}: {did.value}")
                this.disks_changed = True
        if status := _running(this, array):
            _ensure_members(this, array, status)


def _cleared(this: Pass, aggregate: Aggregate, array: md.Array) -> bool:
    """Return whether a new group was made, by a process of its own: clearing disks takes long."""
    members = [m.disk_uid for m in aggregate.members if m.raid_group == array.number]
    order = LongJob(
        uuid=array.uuid,
        kind=raid_creation.KIND,
        owner=aggregate.owner,
        message=f"RAID group {array.number} is created",
        data=raid_creation.order(array, members),
        cancelable=True,
    )
    return long_jobs.ensure_done(this, order)


def _running(this: Pass, array: md.Array) -> md.ArrayStatus | None:
    status = md.status(this.host, array.aggregate, array.number)
    return status if status and status.state != "inactive" else None


def _ensure_members(this: Pass, array: md.Array, status: md.ArrayStatus) -> None:
    """Take in disks that returned or were assigned, and let go of replaced ones."""
    wanted = {path.rpartition("/")[2] for path in array.disks}
    if wanted != {member.device for member in status.members}:
        did = md.ensure_members(this.host, array)
        if did is not Ensured.UNCHANGED:
            this.did(f"members of raid group {array.device}: {did.value}")
            this.disks_changed = True


def _observe(this: Pass, aggregate: Aggregate) -> None:
    facts = this.known(Aggregate.kind)[aggregate.uuid]
    facts["raid"] = []
    for array in arrays(this, aggregate):
        status = md.status(this.host, aggregate.uuid, array.number)
        if status is None:
            facts["raid"].append({"group": array.number, "state": "offline"})
            continue
        facts["raid"].append(
            {
                "group": array.number,
                "state": status.state,
                "degraded": status.missing_disks,
                "resync_percent": status.percent,
                "members": [asdict(m) | {"device": f"/dev/{m.device}"} for m in status.members],
            }
        )
        if status.missing_disks:
            text = (
                f'Aggregate "{aggregate.name}": RAID group {array.number} runs without '
                f"{status.missing_disks} of its {status.wanted_disks} disks."
            )
            key = f"raid.degraded:{aggregate.uuid}/{array.number}"
            this.conditions[key] = (events.ALERT, "raid.degraded", text)


def assembled(this: Pass, aggregate: str, raid_type: str, groups: list[list[str]]) -> list[str]:
    """Start what is left of an aggregate's RAID groups that go; return their devices.

    The volume group on them must be wiped through them: its label would lie in wait on the disks.
    A group that cannot be started any more has lost its superblocks, or too many disks.
    """
    devices = []
    for array in _going(this, aggregate, raid_type, groups):
        long_jobs.abandon(this, array.uuid)
        try:
            md.ensure_running(this.host, array, degraded=True)
        except md.ArrayError as error:
            this.did(f"raid group {array.device} is not started for its removal: {error}")
            continue
        devices.append(array.device)
    return devices


def remove(this: Pass, aggregate: str, raid_type: str, groups: list[list[str]]) -> None:
    """Take apart the RAID groups of an aggregate that goes. Raises HostError."""
    for array in _going(this, aggregate, raid_type, groups):
        did = md.ensure_removed(this.host, array)
        if did is not Ensured.UNCHANGED:
            this.did(f"raid group {array.device}: removed")
    this.disks_changed = True


def clear(this: Pass, removal: Removal) -> None:
    """Clear a disk that an aggregate was to get and did not. Raises HostError.

    Where no other disk of its RAID group is wanted either, the group is taken apart.
    """
    uuid, number, [[uid]] = (removal.data[key] for key in ("uuid", "number", "groups"))
    if path := disks.path(this, uid):
        array = md.Array(uuid, number, removal.data["raid_type"], (path,))
        long_jobs.abandon(this, array.uuid)
        others = select(AggregateDisk).filter_by(aggregate_uuid=uuid, raid_group=number)
        if this.session.scalar(others.limit(1)):
            md.ensure_erased(this.host, array.uuid, array.disks)
        else:
            md.ensure_removed(this.host, array)
        this.did(f"disk {path}: cleared")
        this.disks_changed = True


def _going(this: Pass, aggregate: str, raid_type: str, groups: list[list[str]]) -> list[md.Array]:
    found = []
    for number, uids in enumerate(groups):
        paths = tuple(path for uid in uids if (path := disks.path(this, uid)))
        found.append(md.Array(aggregate, number, raid_type, paths))
    return found
