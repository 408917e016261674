"""The loop: it runs turns, and records the results of each in the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Engine, delete
from sqlalchemy.orm import Session

from sanstone.core import confirmations, events, jobs, last_changes, long_jobs, observed, tasks
from sanstone.core.change import Removal
from sanstone.core.statements import every
from sanstone.core.store import reading, writing
from sanstone.core.tasks import Task
from sanstone.kernel.host import Host
from sanstone.reconcile import identity, removals
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.observations import Observations
from sanstone.reconcile.results import DataRemoved, DisksReadAgain, SoftwareRun
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
    scsi_target,
    sensors,
    snmp,
    software,
    support_bundles,
    system_disks,
    web_server,
)
from sanstone.reconcile.stages.disks import DisksMemory
from sanstone.reconcile.stages.network import NetworkMemory
from sanstone.reconcile.tasks import snapshot_schedules, uncommitted_snapshots
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
        stage("pools", pools.reconcile),
        stage("devices", devices.reconcile, narrows=True),
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
"""Kinds of owners of which there may be many. Turns about these alone run narrowing stages only."""


class Reconciler:
    """Makes the machine agree with the database, one turn at a time.

    It calls `progress` between stages and between steps, and runs the tasks that belong to a turn
    by `run_task`.
    """

    def __init__(
        self,
        host: Host,
        database: Engine,
        file: Path,
        progress: Callable[[], None] = lambda: None,
        run_task: Callable[[Task, Callable[[], None]], None] = lambda _task, work: work(),
    ) -> None:
        self.host = host
        self.database = database
        self._progress = progress
        self.memory = Memory()
        self._identity = identity.Identity(host, database, file)
        self._run_task = run_task
        self._thorough_at = 0.0
        self._next = Scope(whole=True)

    def run(self, *, quick: bool = False) -> bool:
        """Run one turn; return whether another is due at once.

        A `quick` turn does not look at changes made outside the API. Raises identity.WrongDatabase
        if the database is not the one that belongs to the machine.
        """
        node_uuid = self._identity.check()
        scope, self._next = self._next, Scope()
        looks = scope.whole or not quick
        thorough = looks and time.monotonic() >= self._thorough_at
        if thorough:
            self.memory.forget_inventory()
        if self.host.network.has_changed():
            self.memory.of(NetworkMemory).state = None
        if looks:
            schedules = partial(snapshot_schedules.run, self.database, node_uuid, time.time())
            self._run_task(tasks.SNAPSHOT_SCHEDULES, schedules)
            uncommitted = partial(uncommitted_snapshots.run, self.database, time.time())
            self._run_task(tasks.UNCOMMITTED_SNAPSHOTS, uncommitted)
            scope.add(self._owners_to_retry())
        with reading(self.database) as session:
            has_unconfirmed = bool(confirmations.due(session))
            waiting = jobs.waiting(session)
            scope.add(owner for job in waiting for owner in job.touched)
            orders = long_jobs.every(session)
            scope.add(order.owner for order in orders)
            turn = Turn(
                self.host,
                node_uuid,
                session,
                self.memory,
                scope,
                looks,
                thorough,
                removals.sorted_out(session.scalars(every(Removal))),
                Observations(session, node_uuid, whole=scope.whole),
                self._progress,
            )
            # A job that touches no owner, such as an account's, is noticed only in this way.
            results = self._run_stages(turn, ownerless=any(not job.touched for job in waiting))
            job_ids = [job.id for job in waiting]
            open_before = [order.uuid for order in orders if order.is_open]
        self._progress()
        is_due = self._record(turn, results, job_ids, open_before)
        if has_unconfirmed:
            self._take_back_unconfirmed()
            is_due = True
        self._progress()
        if thorough:
            self._thorough_at = time.monotonic() + THOROUGH_PERIOD
        return is_due

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
            self._next.add(confirmations.take_back_due(session))
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

    def _record(
        self, turn: Turn, results: Results, job_ids: Sequence[int], open_before: Sequence[str]
    ) -> bool:
        """Record observations and faults, and end jobs. Return whether another turn is due at once.

        A job fails only for a fault that its owner did not have before: renaming the volume of a
        broken aggregate succeeds.
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
            session.add_all(results.of(DisksReadAgain).new)
            turn.seen.record(session)
            session.flush()
            recorded_faults = self._recorded_faults(session, turn.node_uuid)
            observed.record_errors(session, turn.node_uuid, _changes(recorded_faults, messages))
            if finished := results.of(DataRemoved).finished:
                session.execute(delete(Removal).where(Removal.uuid.in_(finished)))
            if conditions != self.memory.recorded_conditions:
                events.set_conditions(session, conditions)
            current_jobs = [job for id in job_ids if (job := session.get(jobs.Job, id))]
            owners = {owner for job in current_jobs for owner in job.touched}
            if failures := results.of(SoftwareRun).failures:
                software_task.fail(session, failures)
            failed = software_task.failures(session, owners)
            waiting = long_jobs.settle(
                session, turn.jobs.ordered, turn.jobs.ended, open_before, turn.jobs.followed
            )
            ended = [job for job in current_jobs if not waiting.owners & set(job.touched)]
            for job in current_jobs:
                if job not in ended:
                    job.state = jobs.RUNNING
            new_faults = {o: f.cause for o, f in faults.items() if o not in recorded_faults}
            reverted = jobs.finish(
                session, ended, new_faults | failed, frozenset(turn.irreversible)
            )
            due = {owner for job in reverted for owner in job.touched}
            due |= {order.owner for order in turn.jobs.ordered} | waiting.due
            if turn.thorough:
                jobs.prune(session)
                software_task.prune(session)
                events.prune(session)
                last_changes.prune(session)
        self.memory.recorded_faults, self.memory.recorded_conditions = messages, conditions
        self._next.add(due)
        if ended:
            jobs.tell_ended()
        return bool(due)

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
