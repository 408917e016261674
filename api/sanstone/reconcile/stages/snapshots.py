"""Snapshots: taken once, of all that is in them at one moment.

A snapshot that is known to be taken is never touched again. One that is not may have been begun
before the reconciler was killed: `thin_content.take` finds out whether it came to its end.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from sanstone.kernel import names
from sanstone.kernel.storage import thin_content
from sanstone.model.aggregates import Aggregate
from sanstone.model.volumes import Snapshot
from sanstone.reconcile.stages import pools
from sanstone.reconcile.state import Pass
from sanstone.resources.storage.snapshot_space import TAKEN as KIND


class Group(NamedTuple):
    """Snapshots of one moment; `thin_id` is the lowest id in them."""

    thin_id: int
    snapshots: tuple[Snapshot, ...]


def pending(this: Pass) -> list[Group]:
    """Return the snapshots that are not taken yet, in the order of their ids."""
    known = this.known(KIND)
    wanted = set(this.session.scalars(select(Snapshot.uuid)))
    for uuid in known.keys() - wanted:
        del known[uuid]
    missing = wanted - known.keys()
    if not missing:
        return []
    groups: dict[str, list[Snapshot]] = defaultdict(list)
    query = select(Snapshot).options(selectinload(Snapshot.members)).order_by(Snapshot.uuid)
    for snapshot in this.session.scalars(query):
        if snapshot.uuid in missing:
            groups[snapshot.taken_with].append(snapshot)
    found = (Group(_lowest(group), tuple(group)) for group in groups.values())
    return sorted(found, key=lambda group: (group.thin_id, group.snapshots[0].uuid))


def _lowest(group: list[Snapshot]) -> int:
    return min((m.thin_id for snapshot in group for m in snapshot.members), default=0)


def take(this: Pass, group: Group) -> None:
    """Take snapshots of one moment; when one cannot be taken, none is."""
    known, blocked = this.known(KIND), False
    for snapshot in group.snapshots:
        aggregate = snapshot.volume.aggregate
        if not pools.active(this, aggregate.uuid):
            blocked = True
            if not this.block(snapshot.owner, f"{Aggregate.kind}:{aggregate.uuid}"):
                this.fail(snapshot.owner, f'Aggregate "{aggregate.name}" is not online.')
    if blocked:
        return
    with this.attempt(group.snapshots[0].owner):
        thin_content.take(
            this.host,
            [
                thin_content.Copy(
                    names.pool_device(snapshot.volume.aggregate_uuid),
                    member.thin_id,
                    member.source_thin_id,
                    member.device_uuid,
                )
                for snapshot in group.snapshots
                for member in snapshot.members
            ],
            group.snapshots[0].uuid,
        )
        for snapshot in group.snapshots:
            known[snapshot.uuid] = {"taken": True}
            this.did(f"snapshot {snapshot.name} of volume {snapshot.volume.name}: taken")
