"""The loop: it runs turns, and records the results of each in the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, delete
from sqlalchemy.orm import Session

from sanstone.core import confirmations, events, jobs, long_jobs, observed, tasks
from sanstone.core.database import epoch, last_changes
from sanstone.core.database.change import Removal
from sanstone.core.database.store import reading, writing
from sanstone.core.errors import Cause
from sanstone.core.jobs import Job
from sanstone.core.tasks import Task
from sanstone.kernel.host import Host
from sanstone.model import nodes
from sanstone.reconcile import identity, lif_failover, removals
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.observations import Observations
from sanstone.reconcile.results import DataRemoved, DisksReadAgain, NetworkUp, SoftwareRun
from sanstone.reconcile.scope import Scope
from sanstone.reconcile.stage import Results, in_order, stage
from sanstone.reconcile.stages import (
    announcements,
    devices,
    disk_lights,
    disks,
    fc_fabrics,
    fc_logins,
    fibre_channel,
    firewall,
    hardware_errors,
    isns,
    logins,
    network,
    node,
    nvme_target,
    path_mtus,
    paths,
    pools,
    power,
    raid,
    rdma,
    refusals,
    releases,
    scsi_target,
    sensors,
    slow_disks,
    snmp,
    software,
    spares,
    support_bundles,
    system_disks,
    volume_space,
    web_server,
)
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.stages.network import NetworkMemory
from sanstone.reconcile.stages.spares import SparesMemory
from sanstone.reconcile.tasks import snapshot_schedules, uncommitted_snapshots
from sanstone.reconcile.tasks import spares as spare_task
from sanstone.reconcile.tasks import volume_space as volume_space_task
from sanstone.reconcile.tasks.volume_space import VolumeSpaceMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster import software_task

log = logging.getLogger("sanstone.reconciler")
THOROUGH_PERIOD = 60.0
"""Seconds between turns that read the inventory anew."""


STAGES = in_order(
    (
        stage(disks.STAGE, disks.reconcile),
        stage("disk lights", disk_lights.reconcile),
        stage("raid", raid.reconcile),
        stage("slow disks", slow_disks.observe),
        stage("spares", spares.judge),
        stage("pools", pools.reconcile),
        stage("devices", devices.reconcile, narrows=True),
        stage("volume space", volume_space.report),
        stage("firewall", firewall.close),
        stage("network", network.reconcile),
        stage("rdma", rdma.reconcile),
        stage("fibre channel", fibre_channel.reconcile),
        stage("nvme", nvme_target.reconcile, narrows=True),
        stage("scsi", scsi_target.reconcile, narrows=True),
        stage("virtual ports", fibre_channel.observe_virtual),
        stage("fibre channel logins", fc_logins.observe, narrows=True),
        stage("fabrics", fc_fabrics.observe, narrows=True),
        stage("stale rdma", rdma.remove_stale),
        stage("hosts", firewall.open_to_hosts),
        stage("referrals", nvme_target.refer),
        stage("announcements", announcements.reconcile, narrows=True),
        stage("isns", isns.reconcile, narrows=True),
        stage("stale devices", devices.remove_stale, narrows=True),
        stage("releases", releases.reconcile),
        stage("removals", removals.reconcile, narrows=True),
        stage("web server", web_server.reconcile),
        stage("software", software.reconcile),
        stage("support bundles", support_bundles.reconcile),
        stage("disks again", disks.read_again, narrows=True),
        stage("logins", logins.reconcile),
        stage("node", node.reconcile),
        stage("snmp", snmp.reconcile),
        stage("memory", node.observe_memory, narrows=True),
        stage("sensors", sensors.observe, narrows=True),
        stage("hardware errors", hardware_errors.observe, narrows=True),
        stage("system disks", system_disks.observe),
        stage("paths", paths.observe, narrows=True),
        stage("path mtus", path_mtus.observe, narrows=True),
        stage("refusals", refusals.observe, narrows=True),
        stage("power", power.reconcile),
    )
)
"""The stages of a turn, by the results that each needs. Of an owner's faults the first one counts,
so that they stand here by what an administrator would look at first."""
NARROWED = devices.KINDS | nvme_target.KINDS | scsi_target.KINDS
"""Kinds with possibly many owners. Turns about these alone run narrowing stages only."""


class Before(NamedTuple):
    """The work that waited when a turn began: jobs and long jobs by id, and owners to look at."""

    jobs: Sequence[int]
    open_orders: Sequence[str]
    due_owners: Collection[str]


class Reconciler:
    """Makes the machine of a node agree with the database, one turn at a time.

    It calls `progress` between stages and between steps, and runs the tasks that belong to a turn
    by `run_task`.
    """

    def __init__(
        self,
        host: Host,
        database: Engine,
        file: Path,
        node_uuid: str,
        progress: Callable[[], None] = lambda: None,
        run_task: Callable[[Task, Callable[[], None]], None] = lambda _task, work: work(),
    ) -> None:
        self.host = host
        self.node_uuid = node_uuid
        self.database = database
        self._progress = progress
        self.memory = Memory()
        self._identity = identity.Identity(host, database, file, node_uuid)
        self._run_task = run_task
        self._thorough_at = 0.0
        self._next = Scope(whole=True)
        self._term: int | None = None
        """The term of the configuration that the last turn worked by."""

    def run(self, *, quick: bool = False) -> bool:
        """Run one turn; return whether another is due at once.

        A `quick` turn does not look at changes made outside the API. Raises identity.WrongDatabase
        if the database is not the one that belongs to the machine.
        """
        self._identity.check()
        scope, self._next = self._next, Scope()
        looks = scope.whole or not quick
        thorough = looks and time.monotonic() >= self._thorough_at
        if thorough:
            self.memory.forget_inventory()
        if self.host.network.has_changed():
            self.memory.of(NetworkMemory).state = None
        if looks:
            schedules = partial(snapshot_schedules.run, self.database, self.node_uuid, time.time())
            self._run_task(tasks.SNAPSHOT_SCHEDULES, schedules)
            uncommitted = partial(uncommitted_snapshots.run, self.database, time.time())
            self._run_task(tasks.UNCOMMITTED_SNAPSHOTS, uncommitted)
            failing = self.memory.of(SparesMemory).failing
            self._run_task(tasks.SPARES, partial(spare_task.run, self.database, failing))
            relief = partial(
                volume_space_task.run,
                self.database,
                self.node_uuid,
                self.memory.of(VolumeSpaceMemory),
            )
            self._run_task(tasks.VOLUME_SPACE, relief)
            scope.add(self._owners_to_retry())
        with reading(self.database) as session:
            if self._has_new_term(session):
                return True
            has_unconfirmed = bool(confirmations.due(session))
            waiting = jobs.waiting(session)
            scope.add(owner for job in waiting for owner in job.touched)
            due_owners = jobs.due(session, self.node_uuid)
            scope.add(due_owners)
            orders = long_jobs.of_node(session, self.node_uuid)
            scope.add(order.owner for order in orders)
            turn = Turn(
                self.host,
                self.node_uuid,
                session,
                self.memory,
                scope,
                looks,
                thorough,
                removals.sorted_out(session, self.node_uuid),
                Observations(session, self.node_uuid, whole=scope.whole),
                self._progress,
            )
            # A job that touches no owner, such as an account's, is noticed only in this way.
            results = self._run_stages(turn, ownerless=any(not job.touched for job in waiting))
            before = Before(
                [job.id for job in waiting],
                [order.uuid for order in orders if order.is_open],
                due_owners,
            )
        self._progress()
        is_due = self._record(turn, results, before)
        if has_unconfirmed:
            self._take_back_unconfirmed()
            is_due = True
        self._progress()
        if thorough:
            self._thorough_at = time.monotonic() + THOROUGH_PERIOD
        return is_due

    def _has_new_term(self, session: Session) -> bool:
        """Return whether a new term began since the last turn: nodes own other things now.

        Earlier knowledge is discarded then, as at a start.
        """
        before, self._term = self._term, epoch.term(session)
        if before in (None, self._term):
            return False
        self.verify_all()
        self.memory.recorded_faults = self.memory.recorded_conditions = None
        return True

    def rescan(self) -> None:
        """Have the next turn that looks read the disks again: the kernel reported a change."""
        self.memory.of(DisksMemory).present = None

    def verify_all(self) -> None:
        """Have the next turn read everything, as the first one does."""
        self._next = Scope(whole=True)
        self.memory.forget_all()
        self.look_thoroughly()

    def look_thoroughly(self) -> None:
        """Have the next turn that looks read the inventory anew."""
        self._thorough_at = 0.0

    def _owners_to_retry(self) -> Iterable[str]:
        """Return the owners that have a fault of their own. Blocked owners wait for its cause."""
        faults = self.memory.faults.by_owner()
        return [owner for owner, fault in faults.items() if not fault.blocked]

    def _take_back_unconfirmed(self) -> None:
        """Take back changes that nobody has confirmed in time; the next turn is about these."""
        with writing(self.database) as session:
            owners = confirmations.take_back_due(session)
            self._tell_others(session, owners)
            self._next.add(owners)
        jobs.tell_ended()

    def _run_stages(self, turn: Turn, *, ownerless: bool) -> Results:
        """Run the stages that a turn needs; `ownerless` is whether a job touches no owner."""
        every = ownerless or turn.looks or turn.whole or bool(turn.scope.kinds - NARROWED)
        results = Results()
        for each in STAGES:
            if each.narrows or every:
                self._progress()
                turn.begin(each.name)
                if not each.narrows:
                    turn.judge()
                results.add(each.run(turn, *map(results.of, each.needs)))
        return results

    def _record(self, turn: Turn, results: Results, before: Before) -> bool:
        """Record observations and faults, and end jobs. Return whether another turn is due at once.

        `before` is what waited when the turn began.
        """
        faults = self.memory.faults.by_owner()
        messages = {owner: fault.cause.message for owner, fault in faults.items() if owner}
        conditions = self.memory.conditions.all() | {
            f"fault:{owner}": events.Condition(
                events.ERROR, f"{owner.split(':', 1)[0]}.fault", fault.cause.message, owner
            )
            for owner, fault in faults.items()
            if owner and not fault.blocked
        }
        with writing(self.database) as session:
            if epoch.term(session) != self._term:
                # It may have observed objects of another node by now, which knows better.
                return True
            session.add_all(results.of(DisksReadAgain).new)
            turn.seen.record(session)
            session.flush()
            recorded_faults = self._recorded_faults(session, turn.node_uuid)
            observed.record_errors(session, turn.node_uuid, _changes(recorded_faults, messages))
            if finished := results.of(DataRemoved).finished:
                session.execute(delete(Removal).where(Removal.uuid.in_(finished)))
            if conditions != self.memory.recorded_conditions:
                events.set_conditions(session, turn.node_uuid, conditions)
            moved = lif_failover.record(session, results.of(NetworkUp).moves)
            if failures := results.of(SoftwareRun).failures:
                software_task.fail(session, failures)
            new_faults = {o: f.cause for o, f in faults.items() if o not in recorded_faults}
            ended, due = self._end_jobs(session, turn, before, new_faults)
            if turn.thorough:
                jobs.prune(session)
                software_task.prune(session)
                events.prune(session)
                last_changes.prune(session)
        self.memory.recorded_faults, self.memory.recorded_conditions = messages, conditions
        self._next.add((*due, *moved))
        if ended:
            jobs.tell_ended()
        return bool(due or moved)

    def _end_jobs(
        self, session: Session, turn: Turn, before: Before, new_faults: Mapping[str, Cause]
    ) -> tuple[Sequence[Job], set[str]]:
        """End the jobs that each node has done its part of, or that failed on this one.

        Return these, and the owners that the next turn is about. A job fails only for a fault that
        its owner did not have before: renaming the volume of a broken aggregate succeeds.
        """
        waiting = long_jobs.settle(
            session,
            turn.node_uuid,
            turn.jobs.ordered,
            turn.jobs.ended,
            before.open_orders,
            turn.jobs.followed,
        )
        current = jobs.still_waiting(session, before.jobs)
        owners = {owner for job in current for owner in job.touched}
        failures = {**new_faults, **software_task.failures(session, owners)}
        taking_part = nodes.taking_part(session) if current else []
        ended = []
        for job in current:
            is_done = jobs.note_done(job, turn.node_uuid, waiting.owners, taking_part)
            touched = set(job.touched)
            if is_done or (touched & failures.keys() and not touched & waiting.owners):
                ended.append(job)
            else:
                job.state = jobs.RUNNING
        reverted = jobs.finish(session, ended, failures, frozenset(turn.irreversible))
        due = {owner for job in reverted for owner in job.touched}
        self._tell_others(session, due)
        jobs.looked_at(session, turn.node_uuid, before.due_owners)
        due |= {order.owner for order in turn.jobs.ordered} | waiting.due
        return ended, due

    def _tell_others(self, session: Session, owners: Collection[str]) -> None:
        """Have the next turns of the other nodes look at owners of reverted changes."""
        if owners:
            others = [uuid for uuid in nodes.taking_part(session) if uuid != self.node_uuid]
            jobs.tell_others(session, others, owners)

    def _recorded_faults(self, session: Session, node_uuid: str) -> dict[str, str]:
        """Return the fault messages in the database, by owner."""
        if self.memory.recorded_faults is None:
            rows = observed.failing(session, node_uuid)
            return {f"{kind}:{key}": error for (kind, key), error in rows.items()}
        return self.memory.recorded_faults


def _changes(recorded: dict[str, str], current: dict[str, str]) -> dict[tuple[str, str], str]:
    """Return the fault messages to be written, by kind and key; '' for an owner without a fault."""
    changes: dict[tuple[str, str], str] = {}
    for owner in recorded.keys() | current.keys():
        if recorded.get(owner) != current.get(owner):
            kind, _, key = owner.partition(":")
            changes[kind, key] = current.get(owner, "")
    return changes
