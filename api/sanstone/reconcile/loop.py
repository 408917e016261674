"""The loop: a pass on each wake-up and each period, and what a pass leaves in the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Engine, delete, select

from sanstone.core import events, jobs, long_jobs, observed
from sanstone.core.change import Removal
from sanstone.core.store import reading, writing
from sanstone.kernel.host import Host
from sanstone.reconcile import identity
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
from sanstone.reconcile.state import Memory, Pass
from sanstone.reconcile.tasks import snapshot_schedules
from sanstone.resources.cluster import software_task
from sanstone.resources.storage.disk import Disk

log = logging.getLogger("sanstone.reconciler")
FULL_PERIOD = 60.0
"""Seconds between passes that read everything anew."""
REMOVERS = {
    "thin": devices.remove,
    "content": devices.remove_content,
    "aggregate": pools.remove,
    "disk": raid.clear,
    "package": software.remove_package,
}
"""By what is to be removed."""


class Reconciler:
    """Makes the machine agree with the database, one pass at a time."""

    def __init__(self, host: Host, database: Engine, file: Path) -> None:
        self.host = host
        self.database = database
        self.memory = Memory()
        self._identity = identity.Identity(host, database, file)
        self._full_at = 0.0
        self._forget = True

    def run(self, *, quick: bool = False) -> bool:
        """Do one pass, a `quick` one if only the API asked. Return whether another is due at once.

        Raises identity.WrongDatabase when the database is not the one that the machine serves.
        """
        self._identity.check()
        full = self._forget or time.monotonic() >= self._full_at
        if full:
            self.memory.forget()
        if not quick:
            snapshot_schedules.run(self.database, time.time())
        with reading(self.database) as session:
            waiting = [job.id for job in jobs.waiting(session)]
            removals = session.scalars(select(Removal)).all()
            this = Pass(self.host, session, self.memory, full, quick and not full, removals)
            new_disks = self._stages(this)
            before = {
                (row.kind, row.key)
                for row in session.scalars(
                    select(observed.Observed).where(observed.Observed.error != "")
                )
            }
        again = self._record(this, waiting, new_disks, before)
        if full:
            self._full_at = time.monotonic() + FULL_PERIOD
        # What failed may have left the machine other than remembered.
        self._forget = bool(this.failures) and again
        return again

    def rescan(self) -> None:
        """Have the next pass look for disks: the kernel said that some came or went."""
        self.memory.disks = None

    def _stages(self, this: Pass) -> list[Disk]:
        new_disks = disks.reconcile(this)
        raid.reconcile(this)
        pools.reconcile(this)
        devices.reconcile(this)
        firewall.reconcile(this)
        network.reconcile(this)
        nvme_target.reconcile(this)
        scsi_target.reconcile(this)
        devices.remove_stale(this)
        for removal in this.removals:
            with this.attempt(removal.owner):
                REMOVERS[removal.what](this, removal)
                this.finished.append(removal.uuid)
        web_server.reconcile(this)
        software.reconcile(this)
        if this.disks_changed:
            self.rescan()
            new_disks = disks.reconcile(this)
        logins.reconcile(this)
        node.reconcile(this)
        fibre_channel.observe(this)
        system_disks.observe(this)
        return new_disks

    def _record(
        self,
        this: Pass,
        job_ids: Sequence[int],
        new_disks: list[Disk],
        before: set[tuple[str, str]],
    ) -> bool:
        """Write what was observed and end the jobs. Return whether another pass is due.

        A fault that was there before a job began is not the job's: renaming the volume of a broken
        aggregate succeeds.
        """
        faults = {
            tuple(owner.split(":", 1)): text for owner, (_, text) in this.failures.items() if owner
        }
        blamed = {o: f for o, f in this.failures.items() if tuple(o.split(":", 1)) not in before}
        with writing(self.database) as session:
            session.add_all(new_disks)
            observed.record(session, this.seen)
            session.flush()
            observed.record_errors(session, {(k, v): t for (k, v), t in faults.items()})
            session.execute(delete(Removal).where(Removal.uuid.in_(this.finished)))
            conditions = this.conditions | {
                f"fault:{owner}": (events.ERROR, f"{owner.split(':', 1)[0]}.fault", text)
                for owner, (_, text) in this.failures.items()
                if owner not in this.blocked
            }
            events.set_conditions(session, conditions)
            begun = [job for id in job_ids if (job := session.get(jobs.Job, id))]
            owners = {owner for job in begun for owner in job.touched}
            waiting, failed = software_task.outcomes(session, owners)
            waiting |= long_jobs.settle(session, this.orders, this.ended)
            ended = [job for job in begun if not waiting & set(job.touched)]
            for job in begun:
                if job not in ended:
                    job.state = jobs.RUNNING
            reverted = jobs.finish(session, ended, blamed | failed, frozenset(this.irreversible))
            if this.full:
                jobs.prune(session)
                software_task.prune(session)
                events.prune(session)
        return reverted or bool(this.orders)
