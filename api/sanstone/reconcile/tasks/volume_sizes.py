"""Volumes whose size follows their use grow and shrink.

A request and its job are written as the API would write them for an administrator, in the
transaction that looks at the volume. So a size that somebody sets at the same moment counts, and a
power cut leaves the old size or the new one. The next turn has the kernel set more aside, or less.

The use is the one that turns observed (`stages.devices`): all LUNs and namespaces within 5 s where
there are no more than 128, and within 100 s where there are. Hosts write on meanwhile: a volume
that is full refuses nothing, as long as its aggregate has space that is not promised.

While the running release is on trial, none is resized: the array may return to an earlier
configuration, in which a volume that has grown would promise less than it holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from sqlalchemy import Engine, Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.statements import OWNER, owned
from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.resource import Reader
from sanstone.core.events import Condition
from sanstone.model.volumes import Volume
from sanstone.reconcile.memory import StageMemory
from sanstone.rules.storage import autosize
from sanstone.rules.storage.autosize import Hindrance, Resize
from sanstone.rules.storage.reserved_space import GUARANTEED
from sanstone.rules.storage.volume_space import taken_in
from sanstone.system import slot_report


@dataclass
class VolumeSizesMemory(StageMemory):
    """What the last run found."""

    conditions: dict[str, Condition] = field(default_factory=dict)
    """Of the volumes that cannot grow as they should, by key."""


def run(database: Engine, node_uuid: str, memory: VolumeSizesMemory) -> None:
    """Queue new sizes of the volumes that a node owns, and remember which cannot grow."""
    if slot_report.on_trial():
        return
    with reading(database) as session:
        rows = list(session.scalars(owned(Volume, _automatic()), {OWNER: node_uuid}))
        taken = taken_in(session, [row.uuid for row in rows]) if rows else {}
        reader = Reader(session)
        found = [(row, autosize.judge(row, taken.get(row.uuid, 0), reader)) for row in rows]
        due = {row.uuid: row.aggregate_uuid for row, resize in found if resize.size != row.size}
        memory.conditions = {
            f"volume.autosize:{row.uuid}": _hindered(row, resize)
            for row, resize in found
            if resize.size == row.size and resize.hindrance
        }
    promised = set[str]()
    for uuid, aggregate in due.items():
        # What one promises is set aside, and seen, only by the turn that follows.
        if aggregate not in promised:
            with writing(database) as session:
                if _resize(session, uuid) == GUARANTEED:
                    promised.add(aggregate)


@cache
def _automatic() -> Select[tuple[Volume]]:
    owners = joinedload(Volume.svm, innerjoin=True), joinedload(Volume.aggregate, innerjoin=True)
    return select(Volume).where(Volume.autosize_mode != autosize.OFF).options(*owners)


def _resize(session: Session, uuid: str) -> str:
    """Write the new size of a volume, unless it has none any more.

    Return the guarantee of what was resized, '' for nothing.
    """
    row = session.get(Volume, uuid)
    if row is None:
        return ""
    size = autosize.judge(row, taken_in(session, [uuid]).get(uuid, 0), Reader(session)).size
    if size == row.size:
        return ""
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
    jobs.queue(change, f"PATCH /api/{Volume.kind}/{uuid}", row.svm_uuid)
    return row.guarantee


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
