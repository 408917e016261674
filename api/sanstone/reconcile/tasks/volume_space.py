"""Volumes that are short of space grow, or lose snapshots; those that have too much shrink.

A request and its job are written as the API would write them for an administrator, in the
transaction that looks at the volume. So a size that somebody sets at the same moment counts, and a
power cut leaves the old size or the new one, a snapshot or none. The next turn has the kernel set
more aside, or less, and destroys what the snapshots held.

The use is the one that turns observed (`stages.devices`): all LUNs and namespaces within 5 s where
there are no more than 128, and within 100 s where there are. The space of snapshots is measured
beside the turns (`tasks.measurer`). Hosts write on meanwhile: a volume that is full refuses
nothing, as long as its aggregate has space that is not promised.

While the running release is on trial, nothing is done: the array may return to an earlier
configuration, in which a volume that has grown would promise less than it holds, and which would
expect the snapshots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from sqlalchemy import Engine, Select, or_, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.statements import OWNER, owned
from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.resource import Reader
from sanstone.core.events import Condition
from sanstone.model.volumes import Snapshot, Volume
from sanstone.reconcile.memory import StageMemory
from sanstone.rules.storage import autodelete, autosize, space_relief
from sanstone.rules.storage.autosize import Hindrance, Resize
from sanstone.rules.storage.reserved_space import GUARANTEED
from sanstone.rules.storage.space_relief import Relief
from sanstone.rules.storage.volume_space import taken_in
from sanstone.system import slot_report


@dataclass
class VolumeSpaceMemory(StageMemory):
    """What the last run found."""

    conditions: dict[str, Condition] = field(default_factory=dict)
    """Of the volumes that cannot grow as they should, by key."""


def run(database: Engine, node_uuid: str, memory: VolumeSpaceMemory) -> None:
    """Queue sizes and deletions for the volumes of a node, and remember which cannot grow."""
    if slot_report.on_trial():
        return
    with reading(database) as session:
        rows = list(session.scalars(owned(Volume, _automatic()), {OWNER: node_uuid}))
        taken = taken_in(session, [row.uuid for row in rows]) if rows else {}
        reader = Reader(session)
        found = [(row, space_relief.judge(row, taken.get(row.uuid, 0), reader)) for row in rows]
        due = {row.uuid: row.aggregate_uuid for row, relief in found if _is_due(row, relief)}
        memory.conditions = {
            f"volume.autosize:{row.uuid}": _hindered(row, relief.resize)
            for row, relief in found
            if row.uuid not in due and relief.resize.hindrance
        }
    promised = set[str]()
    for uuid, aggregate in due.items():
        # What one promises is set aside, and seen, only by the turn that follows.
        if aggregate not in promised:
            with writing(database) as session:
                if _relieve(session, uuid) == GUARANTEED:
                    promised.add(aggregate)


@cache
def _automatic() -> Select[tuple[Volume]]:
    owners = joinedload(Volume.svm, innerjoin=True), joinedload(Volume.aggregate, innerjoin=True)
    is_automatic = or_(Volume.autosize_mode != autosize.OFF, Volume.autodelete_enabled)
    return select(Volume).where(is_automatic).options(*owners)


def _is_due(row: Volume, relief: Relief) -> bool:
    return relief.resize.size != row.size or bool(relief.going)


def _relieve(session: Session, uuid: str) -> str:
    """Resize a volume and delete snapshots of it, as it is now.

    Return the guarantee of what was resized, '' for nothing.
    """
    row = session.get(Volume, uuid)
    if row is None:
        return ""
    taken = taken_in(session, [uuid]).get(uuid, 0)
    resize, going = space_relief.judge(row, taken, Reader(session))
    if going and not _is_busy(session, row):
        _delete(session, row, going)
    if resize.size == row.size:
        return ""
    _resize(session, row, resize.size)
    return row.guarantee


def _resize(session: Session, row: Volume, size: int) -> None:
    own, before, change = autosize.settings(row), row.size, Change(session)
    way, why = (
        ("grown", f"more than {own.grow_threshold}")
        if size > before
        else ("shrunk", f"less than {own.shrink_threshold}")
    )
    text = (
        f"{_called(row)} has {way} by itself from {before} to {size} bytes: {why} percent of it "
        "were in use."
    )
    row.size = size
    events.emit(session, events.NOTICE, "wafl.vol.autoSize.done", text, row.owner)
    jobs.queue(change, f"PATCH /api/{Volume.kind}/{row.uuid}", row.svm_uuid)


def _is_busy(session: Session, row: Volume) -> bool:
    """Return whether a job works on a volume or its content: it may need a snapshot."""
    owners = {
        row.owner,
        *(device.owner for device in row.devices),
        *(snapshot.owner for snapshot in row.snapshots),
    }
    return any(not owners.isdisjoint(job.touched) for job in jobs.waiting(session))


def _delete(session: Session, row: Volume, going: Sequence[Snapshot]) -> None:
    """Delete snapshots; volumes that are clones of them are split off."""
    of = "the volume" if row.autodelete_trigger == autodelete.ON_VOLUME else "its share"
    threshold = autosize.settings(row).grow_threshold
    for snapshot in going:
        change = Change(session)
        text = (
            f'Snapshot "{snapshot.name}" of {_called(row, "v")} was deleted by itself: more than '
            f"{threshold} percent of {of} were in use."
        )
        description = f"DELETE /api/{snapshot.owner.replace(':', '/', 1)}"
        for clone in list(snapshot.clones):
            text += f' Volume "{clone.volume.name}", a clone of it, was split off.'
            change.delete(clone)
        session.expire(snapshot, ["clones"])
        events.emit(session, events.NOTICE, "wafl.volume.snap.autoDelete", text, row.owner)
        snapshot.release(change)
        jobs.queue(change, description, row.svm_uuid)
    session.expire(row, ["snapshots"])


def _hindered(row: Volume, resize: Resize) -> Condition:
    own = autosize.settings(row)
    why = (
        f"it has its maximum of {own.maximum} bytes"
        if resize.hindrance == Hindrance.MAXIMUM
        else f'aggregate "{row.aggregate.name}" has no space left that is not promised'
    )
    text = (
        f"More than {own.grow_threshold} percent of {_called(row, 'v')} are in use, and it does "
        f"not grow: {why}."
    )
    return Condition(events.ERROR, "wafl.vol.autoSize.fail", text, row.owner)


def _called(row: Volume, first: str = "V") -> str:
    return f'{first}olume "{row.name}" of SVM "{row.svm.name}"'
