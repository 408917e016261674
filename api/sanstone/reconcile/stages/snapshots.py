"""Snapshots: each taken once, together with all snapshots of the same moment.

A snapshot that is recorded as taken is never touched again. Another one may have been started
before the reconciler was killed: `thin_content.take` finds out whether it was completed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from sqlalchemy import Select, bindparam, or_, select
from sqlalchemy.orm import aliased, selectinload

from sanstone.core.database.statements import columns
from sanstone.kernel import names
from sanstone.kernel.storage import thin_content
from sanstone.model.aggregates import Aggregate
from sanstone.model.observations import SNAPSHOTS_TAKEN
from sanstone.model.volumes import Snapshot, Volume
from sanstone.reconcile.stages import pools
from sanstone.reconcile.turn import Turn


class Group(NamedTuple):
    """The snapshots of one moment; `thin_id` is the lowest id in them."""

    thin_id: int
    snapshots: tuple[Snapshot, ...]


def pending(turn: Turn, turned: Collection[str]) -> list[Group]:
    """Return the groups of snapshots to be taken, in the order of their thin ids.

    `turned` are the pools that became active or inactive.
    """
    if not (turn.whole or turned or _in_scope(turn)):
        return []
    desired = _desired(turn, turned)
    recorded = turn.seen.every(SNAPSHOTS_TAKEN).keys() if turn.whole else _in_scope(turn)
    for uuid in recorded - desired:
        turn.seen.drop(SNAPSHOTS_TAKEN, uuid)
    turn.seen.load(SNAPSHOTS_TAKEN, desired)
    missing = {uuid for uuid in desired if not turn.seen.of(SNAPSHOTS_TAKEN, uuid)}
    for uuid in missing:
        turn.seen.drop(SNAPSHOTS_TAKEN, uuid)
    if not missing:
        return []
    groups: dict[str, list[Snapshot]] = defaultdict(list)
    query = select(Snapshot).options(selectinload(Snapshot.members)).order_by(Snapshot.uuid)
    for snapshot in turn.session.scalars(query.where(Snapshot.uuid.in_(missing))):
        groups[snapshot.taken_with].append(snapshot)
    ordered = (Group(_lowest(group), tuple(group)) for group in groups.values())
    return sorted(ordered, key=lambda group: (group.thin_id, group.snapshots[0].uuid))


def _desired(turn: Turn, turned: Collection[str]) -> set[str]:
    """Return the UUIDs of the snapshots in the scope, with those of the same moment.

    They are those that the turn's node owns: where two nodes own a group's volumes, each takes its
    own.
    """
    if turn.whole:
        return set(turn.own(Snapshot, columns(Snapshot.uuid)).scalars())
    within = {"uuids": list(_in_scope(turn)), "pools": list(turned)}
    return set(turn.own(Snapshot, _of_moments(), **within).scalars())


@cache
def _of_moments() -> Select[tuple[str]]:
    """Return the statement for some snapshots, those in some pools, and all of their moments."""
    snapshot = aliased(Snapshot)
    in_pools = Volume.aggregate_uuid.in_(bindparam("pools", expanding=True))
    selected = or_(snapshot.uuid.in_(bindparam("uuids", expanding=True)), in_pools)
    moments = select(snapshot.taken_with).join(snapshot.volume).where(selected)
    return select(Snapshot.uuid).where(Snapshot.taken_with.in_(moments))


def _in_scope(turn: Turn) -> set[str]:
    """Return the UUIDs of the snapshots in the scope. Their keys start with the volume's."""
    keys = turn.scope.keys(Snapshot.kind)
    return {uuid for key in keys if (uuid := key.partition("/snapshots/")[2])}


def _lowest(group: list[Snapshot]) -> int:
    """Return the lowest thin id in a group."""
    return min((m.thin_id for snapshot in group for m in snapshot.members), default=0)


def take(turn: Turn, group: Group) -> None:
    """Take the snapshots of one moment: all, or none if one cannot be taken."""
    blocked = False
    for snapshot in group.snapshots:
        aggregate = snapshot.volume.aggregate
        if not pools.active(turn, aggregate.uuid):
            blocked = True
            if not turn.block(snapshot.owner, f"{Aggregate.kind}:{aggregate.uuid}"):
                turn.fail(snapshot.owner, pools.not_online(aggregate.name))
    if blocked:
        return
    with turn.attempt(group.snapshots[0].owner):
        thin_content.take(
            turn.host,
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
            turn.seen.of(SNAPSHOTS_TAKEN, snapshot.uuid)["taken"] = True
            turn.did(f"snapshot {snapshot.name} of volume {snapshot.volume.name}: taken")
