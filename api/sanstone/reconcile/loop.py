"""The loop: a turn on each wake-up and each period, and what a turn leaves in the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from sanstone.core import events, jobs, long_jobs, observed
from sanstone.core.change import Removal
from sanstone.core.store import reading, writing
from sanstone.kernel.host import Host
from sanstone.reconcile import identity
from sanstone.reconcile.memory import Memory
from sanstone.reconcile.scope import Scope
from sanstone.reconcile.stages import (
    devices,
    disks,
    fibre_channel,
    firewall,
    logins,
    network,
    node,
    nvme_target,
    pools,
    raid,
    scsi_target,
    software,
    system_disks,
    web_server,
)
from sanstone.reconcile.tasks import snapshot_schedules
from sanstone.reconcile.turn import Turn
from sanstone.resources.cluster import software_task

log = logging.getLogger("sanstone.reconciler")
THOROUGH_PERIOD = 60.0
"""Seconds between turns that read anew all that there are few of."""


class Stage(NamedTuple):
    """A stage of a turn. One that `narrows` works on what is in the turn's scope alone, and judges
    its owners itself; the others look at all that they are about, of which there is little."""

    run: Callable[[Turn], None]
    narrows: bool = False


def _remove(turn: Turn) -> None:
    """Destroy what recorded orders say."""
    due = [r for r in turn.removals if turn.looks or turn.whole or r.owner in turn.scope.owners]
    turn.judge(None if turn.looks or turn.whole else turn.scope.owners)
    for removal in due:
        with turn.attempt(removal.owner):
            if REMOVERS[removal.what](turn, removal):
                turn.finished.append(removal.uuid)


def _look_at_disks_again(turn: Turn) -> None:
    """See at once how the turn changed the use of disks."""
    if turn.disks_changed:
        turn.memory.disks = None
        turn.new_disks.clear()
        turn.stage = "disks"
        turn.judge()
        disks.reconcile(turn)


Remover = Callable[[Turn, Removal], bool]
STAGES = {
    "disks": Stage(disks.reconcile),
    "raid": Stage(raid.reconcile),
    "pools": Stage(pools.reconcile),
    "devices": Stage(devices.reconcile, narrows=True),
    "firewall": Stage(firewall.close),
    "network": Stage(network.reconcile),
    "nvme": Stage(nvme_target.reconcile, narrows=True),
    "scsi": Stage(scsi_target.reconcile, narrows=True),
    "hosts": Stage(firewall.open_to_hosts),
    "stale devices": Stage(devices.remove_stale, narrows=True),
    "removals": Stage(_remove, narrows=True),
    "web server": Stage(web_server.reconcile),
    "software": Stage(software.reconcile),
    "disks again": Stage(_look_at_disks_again, narrows=True),
    "logins": Stage(logins.reconcile),
    "node": Stage(node.reconcile),
    "memory": Stage(node.observe_memory, narrows=True),
    "fibre channel": Stage(fibre_channel.observe),
    "system disks": Stage(system_disks.observe),
}
"""In the order in which one needs what the others did."""
NARROWED = devices.KINDS | nvme_target.KINDS | scsi_target.KINDS
"""Kinds of owners of which there may be many. Turns about these alone leave out other stages."""
REMOVERS: dict[str, Remover] = {
    "thin": devices.remove,
    "content": devices.remove_content,
    "aggregate": pools.remove,
    "disk": raid.clear,
    "package": software.remove_package,
}
"""By what is to be removed: what removes it, and returns whether it is gone."""


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
        """Do one turn, a `quick` one if only the API asked. Return whether another is due at once.

        Raises identity.WrongDatabase when the database is not the one that the machine serves.
        """
        node_uuid = self._identity.check()
        scope, self._next = self._next, Scope()
        looks = scope.whole or not quick
        thorough = looks and time.monotonic() >= self._thorough_at
        if thorough:
            self.memory.forget_few()
        if looks:
            snapshot_schedules.run(self.database, node_uuid, time.time())
            scope.add(self._failed())
        with reading(self.database) as session:
            waiting = jobs.waiting(session)
            scope.add(owner for job in waiting for owner in job.touched)
            scope.add(long_jobs.owners(session))
            removals = session.scalars(select(Removal)).all()
            turn = Turn(
                self.host,
                node_uuid,
                session,
                self.memory,
                scope,
                looks,
                thorough,
                removals,
                self._progress,
            )
            # What has no owner, such as an account, is known by that alone.
            self._stages(turn, ownerless=any(not job.touched for job in waiting))
            job_ids = [job.id for job in waiting]
            open_before = [row.uuid for row in long_jobs.unfinished(session)]
        self._progress()
        again = self._record(turn, job_ids, open_before)
        self._progress()
        if thorough:
            self._thorough_at = time.monotonic() + THOROUGH_PERIOD
        return again

    def rescan(self) -> None:
        """Have the next turn that looks look for disks: the kernel said that some came or went."""
        self.memory.disks = None

    def verify_all(self) -> None:
        """Have the next turn read everything, as the first one does."""
        self._next = Scope(whole=True)
        self.memory.forget_all()
        self.look_thoroughly()

    def look_thoroughly(self) -> None:
        """Have the next turn that looks read all that there are few of."""
        self._thorough_at = 0.0

    def _failed(self) -> Iterable[str]:
        """Return the owners whose fault may have gone; what is blocked waits for its cause."""
        faults = self.memory.faults.by_owner()
        return [owner for owner, fault in faults.items() if not fault.blocked]

    def _stages(self, turn: Turn, *, ownerless: bool) -> None:
        few = ownerless or turn.looks or turn.whole or bool(turn.scope.kinds - NARROWED)
        for name, stage in STAGES.items():
            if stage.narrows or few:
                self._progress()
                turn.stage = name
                if not stage.narrows:
                    turn.judge()
                stage.run(turn)

    def _record(self, turn: Turn, job_ids: Sequence[int], open_before: Sequence[str]) -> bool:
        """Write what was observed and end the jobs. Return whether another turn is due.

        A fault that was there before a job began is not the job's: renaming the volume of a broken
        aggregate succeeds.
        """
        faults = self.memory.faults.by_owner()
        told = {owner: fault.message for owner, fault in faults.items() if owner}
        conditions = self.memory.conditions.all() | {
            f"fault:{owner}": (events.ERROR, f"{owner.split(':', 1)[0]}.fault", fault.message)
            for owner, fault in faults.items()
            if owner and not fault.blocked
        }
        with writing(self.database) as session:
            session.add_all(turn.new_disks)
            observed.record(session, turn.node_uuid, turn.seen)
            observed.record_some(session, turn.node_uuid, turn.facts)
            session.flush()
            before = self._recorded_faults(session, turn.node_uuid)
            observed.record_errors(session, turn.node_uuid, _changes(before, told))
            session.execute(delete(Removal).where(Removal.uuid.in_(turn.finished)))
            if conditions != self.memory.recorded_conditions:
                events.set_conditions(session, conditions)
            begun = [job for id in job_ids if (job := session.get(jobs.Job, id))]
            owners = {owner for job in begun for owner in job.touched}
            software_task.fail(session, turn.failed_software)
            failed = software_task.failures(session, owners)
            waiting = long_jobs.settle(session, turn.orders, turn.ended, open_before)
            ended = [job for job in begun if not waiting.owners & set(job.touched)]
            for job in begun:
                if job not in ended:
                    job.state = jobs.RUNNING
            blamed = {o: (f.code, f.message) for o, f in faults.items() if o not in before}
            reverted = jobs.finish(session, ended, blamed | failed, frozenset(turn.irreversible))
            again = {owner for job in reverted for owner in job.touched}
            again |= {order.owner for order in turn.orders} | waiting.due
            if turn.thorough:
                jobs.prune(session)
                software_task.prune(session)
                events.prune(session)
        self.memory.recorded_faults, self.memory.recorded_conditions = told, conditions
        self._next.add(again)
        if ended:
            jobs.tell_ended()
        return bool(again)

    def _recorded_faults(self, session: Session, node_uuid: str) -> dict[str, str]:
        """Return the faults that the database tells of, by owner."""
        if self.memory.recorded_faults is None:
            rows = observed.failing(session, node_uuid)
            return {f"{kind}:{key}": error for (kind, key), error in rows.items()}
        return self.memory.recorded_faults


def _changes(before: dict[str, str], now: dict[str, str]) -> dict[tuple[str, str], str]:
    """Return the errors to be written, by kind and key; '' where one is gone."""
    changes: dict[tuple[str, str], str] = {}
    for owner in before.keys() | now.keys():
        if before.get(owner) != now.get(owner):
            kind, _, key = owner.partition(":")
            changes[kind, key] = now.get(owner, "")
    return changes
