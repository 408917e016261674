"""Snapshots that go by themselves when space is short, as ONTAP's snapshot autodelete has it.

The trigger `volume` is met where more of a volume is in use than its threshold of growth, which
both have in common (`rules.storage.autosize`); `snap_reserve`, where snapshots hold more than that
percent of their share. Then they go, one after the other, until the target is free: the oldest or
the newest first, those that are deferred last. The size of one is known until a newer one goes. So
the newest go one by one, and the rest is measured each time.

Never goes a snapshot that has not reached its time of expiry. The commitment says which may:

* `try`: those that nobody needs;
* `disrupt`: those of consistency groups, too, which then lack a volume;
* `destroy`: those that volumes are clones of, too; these are split off first, and lose nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import select

from sanstone.core.database.bulk_loading import listed
from sanstone.core.declaration.resource import Reader
from sanstone.model.observations import SNAPSHOT_SPACE
from sanstone.model.volumes import ConsistencyGroupSnapshot, Snapshot, Volume, usable
from sanstone.rules.storage import aggregates, autosize
from sanstone.rules.storage.autosize import Use
from sanstone.rules.storage.snapshot_space import Sizes, held_together

TRIGGERS = ON_VOLUME, ON_RESERVE = ("volume", "snap_reserve")
ORDERS = OLDEST_FIRST, NEWEST_FIRST = ("oldest_first", "newest_first")
DEFERRED = SCHEDULED, USER_CREATED, PREFIX, _NONE = ("scheduled", "user_created", "prefix", "none")
COMMITMENTS = TRY, DISRUPT, DESTROY = ("try", "disrupt", "destroy")
TRY_FIRST = GROW_FIRST, DELETE_FIRST = ("volume_grow", "snap_delete")


def due(row: Volume, taken: int, reader: Reader) -> Sequence[Snapshot]:
    """Return the snapshots of a volume that go now, in order.

    LUNs and namespaces take `taken` bytes of it. None goes while the sizes of the snapshots are
    unknown.
    """
    online = row.state == "online" and aggregates.state(row.aggregate, reader) == "online"
    if not row.autodelete_enabled or not online or not row.snapshots:
        return ()
    threshold = autosize.settings(row).grow_threshold
    sizes: Sizes = reader.seen(SNAPSHOT_SPACE, row.uuid).get("sizes", ())
    left = {snapshot.uuid for snapshot in row.snapshots}
    held = held_together(left, sizes)
    if held is None or _percent(row, taken, held) <= threshold:
        return ()
    enough = min(threshold, 100 - row.autodelete_target_free_space)
    going: list[Snapshot] = []
    for snapshot in _ordered(row, reader):
        going.append(snapshot)
        left.remove(snapshot.uuid)
        held = held_together(left, sizes)
        if held is None or _percent(row, taken, held) <= enough:
            break
    return going


def _ordered(row: Volume, reader: Reader) -> list[Snapshot]:
    """Return the snapshots of a volume that may go, in the order in which they go."""
    newest_first = row.autodelete_delete_order == NEWEST_FIRST
    by_age = sorted(row.snapshots, key=lambda each: each.create_time, reverse=newest_first)
    kept = _of_groups(row, reader) if row.autodelete_commitment == TRY else frozenset()
    may_go = [each for each in by_age if _may_go(row, each) and each.taken_with not in kept]
    return sorted(may_go, key=lambda snapshot: _is_deferred(row, snapshot))


def _percent(row: Volume, taken: int, held: int) -> float:
    """Return the percent in use of the volume, or of the snapshots' share, as the trigger says."""
    if row.autodelete_trigger == ON_VOLUME:
        return autosize.in_use(Use(taken, held), row.size, row.snapshot_reserve_percent)
    reserve = row.size - usable(row.size, row.snapshot_reserve_percent)
    return 100 * held / reserve if reserve else 0.0


def _may_go(row: Volume, snapshot: Snapshot) -> bool:
    if snapshot.expiry_time and snapshot.expiry_time > time.time():
        return False
    return not snapshot.clones or row.autodelete_commitment == DESTROY


def _of_groups(row: Volume, reader: Reader) -> frozenset[str]:
    """Return with what those of a volume's snapshots were taken that are of consistency groups."""
    together = [snapshot.taken_with for snapshot in row.snapshots]
    query = select(ConsistencyGroupSnapshot.uuid)
    of_these = query.where(ConsistencyGroupSnapshot.uuid.in_(listed(together)))
    return frozenset(reader.session.scalars(of_these))


def _is_deferred(row: Volume, snapshot: Snapshot) -> bool:
    deferred, prefix = row.autodelete_defer_delete, row.autodelete_prefix
    if deferred == PREFIX:
        return bool(prefix) and snapshot.name.startswith(prefix)
    is_scheduled = bool(snapshot.schedule_uuid)
    return deferred == (SCHEDULED if is_scheduled else USER_CREATED)
