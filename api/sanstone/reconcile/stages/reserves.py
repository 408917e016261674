"""Has the kernel set aside the space that volumes promise, before hosts reach their content.

Sent reserves are remembered: the kernel counts down copies, and sent again they would begin anew.
After a restart all are sent again, on the safe side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from sqlalchemy import select

from sanstone.core import observed
from sanstone.core.database.bulk_loading import listed
from sanstone.kernel import names
from sanstone.kernel.storage import thin, thin_reserve
from sanstone.kernel.storage.thin_reserve import Reserve
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace
from sanstone.model.observations import SNAPSHOT_SPACE
from sanstone.model.san import Lun
from sanstone.model.volumes import Snapshot
from sanstone.reconcile.export import Export
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.stages import pool_promises
from sanstone.reconcile.turn import Turn
from sanstone.rules.storage import reserved_space, snapshot_space
from sanstone.rules.storage.reserved_space import Content


class _SetAside(NamedTuple):
    """The reserve that was set for a device, and after which snapshots."""

    reserve: Reserve
    newest_snapshot: float


_NOTHING = _SetAside(thin_reserve.NONE, 0)


@dataclass
class ReservesMemory(StageMemory):
    """The reserves that the kernel has."""

    done: dict[str, dict[int, _SetAside]] = field(default_factory=dict)
    """By aggregate: by the thin id of a LUN or namespace, which a restore replaces."""

    def forget(self) -> Self:
        """Have all of it sent again."""
        self.done.clear()
        return self


def ensure(turn: Turn, exports: Collection[Export], turned: Collection[str]) -> None:
    """Set aside what the volumes of some LUNs and namespaces promise, and volumes in the scope.

    `turned` are the pools that became active or inactive.
    """
    memory = turn.memory.of(ReservesMemory)
    for aggregate in turned:
        memory.done.pop(aggregate, None)
    desired = _desired(turn, exports)
    by_pool: dict[str, list[Export]] = defaultdict(list)
    for export in exports:
        by_pool[export.aggregate].append(export)
    for aggregate, there in by_pool.items():
        done = memory.done.setdefault(aggregate, {})
        due = [e for e in there if done.get(e.thin_id) != desired.get(e.uuid, _NOTHING)]
        if due:
            _send(turn, aggregate, due, desired)


def _send(
    turn: Turn, aggregate: str, exports: Iterable[Export], desired: dict[str, _SetAside]
) -> None:
    """Set aside what devices of one pool are promised, where the kernel can."""
    done = turn.memory.of(ReservesMemory).done[aggregate]
    pool = names.pool_device(aggregate)
    status = thin.pool_status(turn.host, pool)
    if status is None or status.mode not in ("rw", "out_of_data_space"):
        return
    for export in exports:
        promised = desired.get(export.uuid, _NOTHING)
        needed = promised != _NOTHING or export.thin_id in done or status.reserved
        if needed and status.reserved is not None:
            with turn.attempt(export.owner, subject=export.name):
                thin_reserve.ensure(turn.host, pool, export.thin_id, promised.reserve)
                done[export.thin_id] = promised
        else:
            done[export.thin_id] = promised
    # The space for further promises depends on it, and the next one may come before the pools are
    # looked at again.
    if after := thin.pool_status(turn.host, pool):
        turn.seen.of(Aggregate.kind, aggregate).update(pool_promises.space(after))


def _desired(turn: Turn, exports: Iterable[Export]) -> dict[str, _SetAside]:
    """Return the reserves to set, by UUID; none for content without a promise."""
    volumes = {e.volume: e for e in exports if e.guarantee == reserved_space.GUARANTEED}
    if not volumes:
        return {}
    contents, snapshots = _contents(turn, list(volumes)), _snapshots(turn, list(volumes))
    desired = {}
    for uuid, export in volumes.items():
        held, newest = snapshots.get(uuid, (0, 0.0))
        promised = reserved_space.promises(export.volume_size, contents[uuid], held)
        for device, promise in promised.items():
            desired[device] = _SetAside(Reserve(*promise), newest)
    return desired


def _contents(turn: Turn, volumes: Sequence[str]) -> dict[str, list[Content]]:
    """Return the content of volumes, in the order of thin ids."""
    rows: list[Any] = []
    for kind in (Lun, Namespace):
        query = select(kind.volume_uuid, kind.thin_id, kind.uuid, kind.size, kind.reserved)
        rows += turn.session.execute(query.where(kind.volume_uuid.in_(listed(volumes)))).all()
    by_volume: dict[str, list[Content]] = defaultdict(list)
    for volume, _, *content in sorted(rows):
        by_volume[volume].append(Content(*content))
    return by_volume


def _snapshots(turn: Turn, volumes: Sequence[str]) -> dict[str, tuple[int, float]]:
    """Return the last measured space of volumes' snapshots, and the time of the newest one."""
    query = select(Snapshot.volume_uuid, Snapshot.uuid, Snapshot.create_time)
    existing: dict[str, dict[str, float]] = defaultdict(dict)
    of_volumes = query.where(Snapshot.volume_uuid.in_(listed(volumes)))
    for volume, uuid, create_time in turn.session.execute(of_volumes):
        existing[volume][uuid] = create_time
    measured = observed.load_some(turn.session, turn.node_uuid, SNAPSHOT_SPACE, existing.keys())
    by_volume = {}
    for volume, snapshots in existing.items():
        sizes = measured[volume].data.get("sizes", ()) if volume in measured else ()
        held = snapshot_space.held_together(snapshots.keys(), sizes)
        by_volume[volume] = held or 0, max(snapshots.values())
    return by_volume
