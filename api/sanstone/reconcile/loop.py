"""The loop: it runs turns, and records the results of each in the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, delete
from sqlalchemy.orm import Session

from sanstone.core import confirmations, events, jobs, long_jobs, observed
from sanstone.core.database import last_changes
from sanstone.core.database.change import Removal
from sanstone.core.database.statements import every
from sanstone.core.database.store import reading, writing
from sanstone.kernel.host import Host
from sanstone.reconcile import identity, removals
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.scope import Scope
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
from sanstone.reconcile.tasks import snapshot_schedules, uncommitted_snapshots
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster import software_task

log = logging.getLogger("sanstone.reconciler")
THOROUGH_PERIOD = 60.0
"""Seconds between turns that read the inventory anew."""


class Stage(NamedTuple):
    """A stage of a turn.

    A stage that `narrows` processes only owners in the turn's scope, and calls `Turn.judge` for
    these itself. Other stages always process all of their objects, of which there are few.
    """

    run: Callable[[Turn], None]
    narrows: bool = False


def _read_disks_again(turn: Turn) -> None:
    """Read the disks again if the turn changed their use, so that it is shown at once."""
    if turn.disks_changed:
        turn.memory.disks = None
        turn.new_disks.clear()
        turn.stage = "disks"
        turn.judge()
        disks.reconcile(turn)


STAGES = {
    "disks": Stage(disks.reconcile),
    "disk lights": Stage(disk_lights.reconcile),
    "raid": Stage(raid.reconcile),
    "pools": Stage(pools.reconcile),
    "devices": Stage(devices.reconcile, narrows=True),
    "firewall": Stage(firewall.close),
    "network": Stage(network.reconcile),
    "rdma": Stage(rdma.reconcile),
    "fibre channel": Stage(fibre_channel.reconcile),
    "nvme": Stage(nvme_target.reconcile, narrows=True),
    "scsi": Stage(scsi_target.reconcile, narrows=True),
    "virtual ports": Stage(fibre_channel.observe_virtual),
    "fibre channel logins": Stage(fc_logins.observe, narrows=True),
    "fabrics": Stage(fc_fabrics.observe, narrows=True),
    "stale rdma": Stage(rdma.remove_stale),
    "hosts": Stage(firewall.open_to_hosts),
    "referrals": Stage(nvme_target.refer),
    "announcements": Stage(announcements.reconcile, narrows=True),
    "isns": Stage(isns.reconcile, narrows=True),
    "stale devices": Stage(devices.remove_stale, narrows=True),
    "removals": Stage(removals.reconcile, narrows=True),
    "web server": Stage(web_server.reconcile),
    "software": Stage(software.reconcile),
    "support bundles": Stage(support_bundles.reconcile),
    "disks again": Stage(_read_disks_again, narrows=True),
    "logins": Stage(logins.reconcile),
    "node": Stage(node.reconcile),
    "snmp": Stage(snmp.reconcile),
    "memory": Stage(node.observe_memory, narrows=True),
    "sensors": Stage(sensors.observe, narrows=True),
    "hardware errors": Stage(hardware_errors.observe, narrows=True),
    "system disks": Stage(system_disks.observe),
    "paths": Stage(paths.observe, narrows=True),
    "path mtus": Stage(path_mtus.observe, narrows=True),
    "refusals": Stage(refusals.observe, narrows=True),
    "power": Stage(power.reconcile),
}
"""In this order, because each stage needs the results of those before it."""
NARROWED = devices.KINDS | nvme_target.KINDS | scsi_target.KINDS
"""Kinds of owners of which there may be many. Turns about these alone run narrowing stages only."""


class Reconciler:
    """Makes the machine agree with the database, one turn at a time.

    It calls `progress` between stages and between steps.
    """

    def __init__(
        self, host: Host, database: Engine, file: Path, progress: Callable[[], None] = lambda: None
    ) -> None:
        self.host = host
        self.database = database
        self._progress = progress
        self.memory = Memory()
        self._identity = identity.Identity(host, database, file)
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
            self.memory.network = None
        if looks:
            snapshot_schedules.run(self.database, node_uuid, time.time())
            uncommitted_snapshots.run(self.database, time.time())
            scope.add(self._owners_to_retry())
        with reading(self.database) as session:
            has_unconfirmed = bool(confirmations.due(session))
            waiting = jobs.waiting(session)
            scope.add(owner for job in waiting for owner in job.touched)
            orders = long_jobs.every(session)
            scope.add(order.owner for order in orders)
            sound, foreign = removals.sorted_out(session.scalars(every(Removal)))
            turn = Turn(
                self.host,
                node_uuid,
                session,
                self.memory,
                scope,
                looks,
                thorough,
                sound,
                foreign,
                self._progress,
            )
            # A job that touches no owner, such as an account's, is noticed only in this way.
            self._run_stages(turn, ownerless=any(not job.touched for job in waiting))
            job_ids = [job.id for job in waiting]
            open_before = [order.uuid for order in orders if order.is_open]
        self._progress()
        is_due = self._record(turn, job_ids, open_before)
        if has_unconfirmed:
            self._take_back_unconfirmed()
            is_due = True
        self._progress()
        if thorough:
            self._thorough_at = time.monotonic() + THOROUGH_PERIOD
        return is_due

    def rescan(self) -> None:
        """Have the next turn that looks read the disks again: the kernel reported a change."""
        self.memory.disks = None

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

    def _run_stages(self, turn: Turn, *, ownerless: bool) -> None:
        """Run the stages that a turn needs; `ownerless` is whether a job touches no owner."""
        every = ownerless or turn.looks or turn.whole or bool(turn.scope.kinds - NARROWED)
        for name, stage in STAGES.items():
            if stage.narrows or every:
                self._progress()
                turn.stage = name
                if not stage.narrows:
                    turn.judge()
                stage.run(turn)

    def _record(self, turn: Turn, job_ids: Sequence[int], open_before: Sequence[str]) -> bool:
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
            session.add_all(turn.new_disks)
            observed.record(session, turn.node_uuid, turn.seen)
            observed.record_some(session, turn.node_uuid, turn.observations)
            session.flush()
            recorded_faults = self._recorded_faults(session, turn.node_uuid)
            observed.record_errors(session, turn.node_uuid, _changes(recorded_faults, messages))
            if turn.finished_removals:
                session.execute(delete(Removal).where(Removal.uuid.in_(turn.finished_removals)))
            if conditions != self.memory.recorded_conditions:
                events.set_conditions(session, conditions)
            current_jobs = [job for id in job_ids if (job := session.get(jobs.Job, id))]
            owners = {owner for job in current_jobs for owner in job.touched}
            if turn.software_failures:
                software_task.fail(session, turn.software_failures)
            failed = software_task.failures(session, owners)
            waiting = long_jobs.settle(session, turn.orders, turn.ended, open_before, turn.followed)
            ended = [job for job in current_jobs if not waiting.owners & set(job.touched)]
            for job in current_jobs:
                if job not in ended:
                    job.state = jobs.RUNNING
            new_faults = {o: f.cause for o, f in faults.items() if o not in recorded_faults}
            reverted = jobs.finish(
                session, ended, new_faults | failed, frozenset(turn.irreversible)
            )
            due = {owner for job in reverted for owner in job.touched}
            due |= {order.owner for order in turn.orders} | waiting.due
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
