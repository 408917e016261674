"""Spare disks take the place of those that failed, or will.

The stage `spares` tells which disks those are. A request and its job are written as the API would
write them for an administrator; the next turn has the RAID group rebuilt onto the spare. That is
one transaction, so a power cut leaves the old disk in its place or the new one. It is never taken
back: what fails then is replaced in its turn.

While the running release is on trial, none is replaced: the array may return to an earlier
configuration, which would want the old disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from sanstone.core import events, jobs
from sanstone.core.database.change import Change
from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.resource import Reader
from sanstone.model.aggregates import Aggregate, AggregateDisk, Disk
from sanstone.rules.storage import spares
from sanstone.system import slot_report


class Failing(NamedTuple):
    """A disk of an aggregate that is to be replaced.

    `why` goes on after the disk's name, as "failed". One that `is_broken` is out of service then.
    One that `works` is copied to the spare, which takes its place after that.
    """

    aggregate_uuid: str
    disk_uid: str
    why: str
    is_broken: bool = True
    works: bool = False


def run(database: Engine, node_uuid: str, failing: Sequence[Failing]) -> None:
    """Queue the replacement of disks, those first that come first, as far as there are spares.

    They are in aggregates that a node owns; those that it had to give back are its partner's to
    look after.
    """
    if not failing or slot_report.on_trial():
        return
    with reading(database) as session:
        possible = [each for each in failing if _spare_for(session, node_uuid, each)]
    for each in possible:
        with writing(database) as session:
            spare = _spare_for(session, node_uuid, each)
            member = session.get(AggregateDisk, each.disk_uid)
            if spare and member:
                _replace(Change(session), member, spare, each)


def _spare_for(session: Session, node_uuid: str, failing: Failing) -> Disk | None:
    """Return the best spare, None for no such; or where the disk has left its aggregate, or that
    its node.
    """
    member = session.get(AggregateDisk, failing.disk_uid)
    if member is None or member.aggregate_uuid != failing.aggregate_uuid:
        return None
    if member.aggregate.node_uuid != node_uuid:
        return None
    return next(iter(spares.fitting(Reader(session), member)), None)


def _replace(change: Change, member: AggregateDisk, spare: Disk, failing: Failing) -> None:
    aggregate, disk = member.aggregate, member.disk
    text = (
        f'Aggregate "{aggregate.name}": spare disk {spare.name} takes the place of disk '
        f"{disk.name}, which {failing.why}."
    )
    name = "raid.rg.diskcopy.start" if failing.works else "raid.rg.recons.start"
    events.emit(change.session, events.NOTICE, name, text, aggregate.owner)
    if failing.is_broken:
        disk.failure = f'in aggregate "{aggregate.name}" it {failing.why}'
    spares.take_place(change, member, spare)
    job = jobs.queue(change, f"PATCH /api/{Aggregate.kind}/{aggregate.uuid}")
    job.undo = []
