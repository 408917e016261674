"""The sink that is a database: it records reports of turns, each in one transaction.

They are of the machine's own node, or of its partner, which has no database to write in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from sanstone.core import confirmations, events, jobs, long_jobs, observed
from sanstone.core.database import epoch, last_changes
from sanstone.core.database.change import Removal
from sanstone.core.database.store import writing
from sanstone.core.errors import Cause
from sanstone.core.events import Condition
from sanstone.core.jobs import Job
from sanstone.model import nodes
from sanstone.model.aggregates import Disk
from sanstone.model.nodes import Node
from sanstone.reconcile import lif_failover
from sanstone.reconcile.faults import Fault
from sanstone.reconcile.sink import Report
from sanstone.rules.cluster import software_task


@dataclass(frozen=True)
class _Said:
    """What the last report of a node said that stands in the database now."""

    term: int
    messages: Mapping[str, str]
    """Of its faults, by owner."""
    faults: Mapping[str, Fault] = field(default_factory=dict)
    conditions: Mapping[str, Condition] | None = None
    """None where it is not known which conditions stand there."""


class DatabaseSink:
    """Records what turns found and did. What a node said last is remembered, to save reading."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._said: dict[str, _Said] = {}
        """By node."""

    def take(self, report: Report) -> set[str] | None:
        """Record a report, as `sink.Sink` says."""
        with writing(self._database) as session:
            if epoch.term(session) != report.term:
                # It may be about objects of another node by now, which knows better.
                return None
            _add_disks(session, report)
            observed.record(session, report.node_uuid, report.kinds)
            observed.record_some(session, report.node_uuid, report.objects)
            session.flush()
            said = self._said_before(session, report)
            messages = {owner: f.cause.message for owner, f in report.faults.items() if owner}
            changes = _changes(said.messages, messages)
            observed.record_errors(session, report.node_uuid, changes)
            if (said.faults, said.conditions) != (report.faults, report.conditions):
                events.set_conditions(session, report.node_uuid, _conditions(session, report))
            if report.destroyed:
                session.execute(delete(Removal).where(Removal.uuid.in_(report.destroyed)))
            moved = lif_failover.record(session, report.moves)
            if report.failed_software:
                software_task.fail(session, report.failed_software)
            new = {o: f.cause for o, f in report.faults.items() if o not in said.messages}
            ended, reverted = _end_jobs(session, report, new)
            if report.is_thorough:
                _prune(session)
        self._said[report.node_uuid] = _Said(
            report.term, messages, dict(report.faults), dict(report.conditions)
        )
        if ended:
            jobs.tell_ended()
        return {*reverted, *moved}

    def _said_before(self, session: Session, report: Report) -> _Said:
        """Return what a node said before in the term, as far as it is known."""
        said = self._said.get(report.node_uuid)
        if said is None or said.term != report.term:
            rows = observed.failing(session, report.node_uuid)
            errors = {f"{kind}:{key}": error for (kind, key), error in rows.items()}
            said = _Said(report.term, errors)
        return said


def _add_disks(session: Session, report: Report) -> None:
    """Add the rows of new disks.

    A disk that the other node has added meanwhile has one, and one whose name is taken by now gets
    another name in the next turn.
    """
    if report.new_disks:
        known = session.execute(select(Disk.uid, Disk.name)).all()
        taken = {value for row in known for value in row}
        new = [disk for disk in report.new_disks if not taken & {disk.uid, disk.name}]
        session.add_all(new)


def _changes(recorded: Mapping[str, str], current: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the fault messages to be written, by kind and key; '' for an owner without a fault."""
    changes: dict[tuple[str, str], str] = {}
    for owner in recorded.keys() | current.keys():
        if recorded.get(owner) != current.get(owner):
            kind, _, key = owner.partition(":")
            changes[kind, key] = current.get(owner, "")
    return changes


def _conditions(session: Session, report: Report) -> dict[str, Condition]:
    """Return all conditions of a node, its faults among them, by key."""
    faults = {owner: f.cause for owner, f in report.faults.items() if owner and not f.blocked}
    owning = observed.owning_nodes(session, faults)
    return dict(report.conditions) | dict(
        _of_partner(session, report.node_uuid, owner, cause)
        if owning.get(owner, report.node_uuid) != report.node_uuid
        else _of_object(owner, cause)
        for owner, cause in faults.items()
    )


def _of_object(owner: str, cause: Cause) -> tuple[str, Condition]:
    """Return the key and the condition of an object that is not as desired."""
    return f"fault:{owner}", Condition(
        events.ERROR, f"{owner.partition(':')[0]}.fault", cause.message, owner
    )


def _of_partner(
    session: Session, node_uuid: str, owner: str, cause: Cause
) -> tuple[str, Condition]:
    """Return the key and the condition of a node that cannot stand by for its partner's object.

    Hosts are served that object by its owner, and the fault is none of the object's.
    """
    node = session.get_one(Node, node_uuid)
    text = f'Node "{node.name}" does not stand by for an object of its partner: {cause.message}'
    return f"standby:{owner}", Condition(events.ERROR, f"{Node.kind}.fault", text, node.owner)


def _end_jobs(
    session: Session, report: Report, new_faults: Mapping[str, Cause]
) -> tuple[bool, set[str]]:
    """End the jobs that each node has done its part of, or that failed on this one, and take back
    changes that nobody has confirmed in time.

    Return whether any ended, and the owners that the node's next turn is about. A job fails only
    for a fault that its owner did not have before: renaming the volume of a broken aggregate
    succeeds.
    """
    before = report.before
    waiting = long_jobs.settle(
        session,
        report.node_uuid,
        report.ordered,
        report.ended,
        before.open_orders,
        report.followed,
    )
    current = jobs.still_waiting(session, before.jobs)
    owners = {owner for job in current for owner in job.touched}
    failures = {**new_faults, **software_task.failures(session, owners)}
    taking_part = nodes.taking_part(session) if current else []
    ended: list[Job] = []
    for job in current:
        is_done = jobs.note_done(job, report.node_uuid, waiting.owners, taking_part)
        touched = set(job.touched)
        if is_done or (touched & failures.keys() and not touched & waiting.owners):
            ended.append(job)
        else:
            job.state = jobs.RUNNING
    taken_back = jobs.finish(session, ended, failures, frozenset(report.irreversible))
    due = {owner for job in taken_back for owner in job.touched}
    is_taken_back = bool(confirmations.due(session))
    if is_taken_back:
        due |= confirmations.take_back_due(session)
    _tell_others(session, report.node_uuid, due)
    jobs.looked_at(session, report.node_uuid, before.due_owners)
    due |= {order.owner for order in report.ordered} | waiting.due
    return bool(ended or is_taken_back), due


def _tell_others(session: Session, node_uuid: str, owners: Collection[str]) -> None:
    """Have the next turns of the other nodes look at owners of reverted changes."""
    if owners:
        others = [uuid for uuid in nodes.taking_part(session) if uuid != node_uuid]
        jobs.tell_others(session, others, owners)


def _prune(session: Session) -> None:
    """Drop records beyond the numbers that are kept."""
    jobs.prune(session)
    software_task.prune(session)
    events.prune(session)
    last_changes.prune(session)
