"""The loop: it runs turns, and hands on what each found and did to the node's sink."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from sqlalchemy import Engine

from sanstone.core import errors, jobs, long_jobs, tasks
from sanstone.core.database import epoch
from sanstone.core.database.store import reading
from sanstone.core.errors import Cause
from sanstone.core.tasks import Task
from sanstone.kernel.host import Host
from sanstone.reconcile import identity, removals
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.observations import Observations
from sanstone.reconcile.results import DataRemoved, DisksReadAgain, NetworkUp, SoftwareRun
from sanstone.reconcile.scope import Scope
from sanstone.reconcile.sink import Before, Report, Sink
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


class Reconciler:
    """Makes the machine of a node agree with the database, one turn at a time.

    It reads `database`, and hands reports to `sink`. It calls `progress` between stages and between
    steps, and runs the tasks that belong to a turn by `run_task`.
    """

    def __init__(
        self,
        host: Host,
        database: Engine,
        file: Path,
        node_uuid: str,
        sink: Sink,
        progress: Callable[[], None] = lambda: None,
        run_task: Callable[[Task, Callable[[], None]], None] = lambda _task, work: work(),
    ) -> None:
        self.host = host
        self.node_uuid = node_uuid
        self.database = database
        self._sink = sink
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
            uncommitted = partial(
                uncommitted_snapshots.run, self.database, self.node_uuid, time.time()
            )
            self._run_task(tasks.UNCOMMITTED_SNAPSHOTS, uncommitted)
            failing = self.memory.of(SparesMemory).failing
            self._run_task(
                tasks.SPARES, partial(spare_task.run, self.database, self.node_uuid, failing)
            )
            relief = partial(
                volume_space_task.run,
                self.database,
                self.node_uuid,
                self.memory.of(VolumeSpaceMemory),
            )
            self._run_task(tasks.VOLUME_SPACE, relief)
            scope.add(self._owners_to_retry())
        with reading(self.database) as session:
            term = epoch.term(session)
            if self._begins_anew(term):
                return True
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
        due = self._sink.take(_report(turn, results, before, term))
        self._progress()
        if due is None:
            self.verify_all()
            return True
        self._next.add(due)
        if thorough:
            self._thorough_at = time.monotonic() + THOROUGH_PERIOD
        return bool(due)

    def _begins_anew(self, term: int) -> bool:
        """Return whether a new term began since the last turn: nodes own other things now.

        Earlier knowledge is discarded then, as at a start.
        """
        before, self._term = self._term, term
        if before in (None, term):
            return False
        self.verify_all()
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


def _report(turn: Turn, results: Results, before: Before, term: int) -> Report:
    """Return what a turn hands on."""
    failures = results.of(SoftwareRun).failures.items()
    return Report(
        node_uuid=turn.node_uuid,
        term=term,
        kinds=turn.seen.kinds,
        objects=turn.seen.objects,
        faults=turn.memory.faults.by_owner(),
        conditions=turn.memory.conditions.all(),
        before=before,
        irreversible=turn.irreversible,
        ordered=turn.jobs.ordered,
        followed=turn.jobs.followed,
        ended=turn.jobs.ended,
        new_disks=results.of(DisksReadAgain).new,
        destroyed=results.of(DataRemoved).finished,
        moves=results.of(NetworkUp).moves,
        failed_software={u: Cause(errors.INTERNAL, str(e), e.arguments) for u, e in failures},
        is_thorough=turn.thorough,
    )
