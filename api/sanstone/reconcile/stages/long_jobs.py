"""Long jobs, seen from a pass: ordered, started, waited for, taken in (`core.long_jobs`).

A stage that needs something done that takes long calls `ensure_done` in each pass in which it could
be done. The first time that orders it, at the end of the pass; then the process is started, if it
does not run, and the owner waits until the process has ended and woken the reconciler. After a boot
nothing is started before its stage asks for it: what it builds on is there then.
"""

from __future__ import annotations

from sanstone.core import long_jobs
from sanstone.core.jobs import FAILURE
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import HostError
from sanstone.reconcile.long_jobs import kinds
from sanstone.reconcile.turn import Turn


class Failed(HostError):
    """A long job failed, or was cancelled; the text says why."""


def unit(job: LongJob) -> str:
    """Return the name of the service that does a long job."""
    return f"{kinds.service(job.kind)}@{job.uuid}.service"


def ensure_done(turn: Turn, order: LongJob, *, start: bool = True) -> bool:
    """Return whether a long job is done; until then its owner waits.

    One that shall not `start` yet is ordered alone, so that jobs of the API wait for it. Raises
    Failed when it failed or was cancelled; asked once more, it is begun anew.
    """
    row = turn.session.get(LongJob, order.uuid)
    if cancelled := [r for r in long_jobs.unfinished(turn.session, [order.owner]) if r.cancel]:
        running = [each for each in cancelled if not _stopped(turn, each)]
        if not running:
            turn.ended += [each.uuid for each in cancelled]
            raise Failed(f"{order.message}: cancelled on request")
    elif row is None:
        turn.orders.append(order)
    elif not row.is_open:
        turn.ended.append(row.uuid)
        if row.state == FAILURE:
            raise Failed(row.message)
        return True
    elif start:
        # One that runs is left alone.
        turn.host.commands.run(["systemctl", "start", "--no-block", unit(row)])
    turn.waiting.add(order.owner)
    return False


def take_in(turn: Turn, uuid: str) -> bool:
    """Forget a long job that has ended: what it made is there. Return whether there was one."""
    row = turn.session.get(LongJob, uuid)
    if row is None or row.is_open:
        return False
    turn.ended.append(uuid)
    return True


def abandon(turn: Turn, uuid: str) -> None:
    """End a long job whose result nobody wants any more. Raises HostError while it still runs."""
    row = turn.session.get(LongJob, uuid)
    if row is None:
        return
    if not _stopped(turn, row):
        raise HostError(f"{unit(row)} is being stopped")
    turn.ended.append(uuid)


def _stopped(turn: Turn, job: LongJob) -> bool:
    """Have a process stopped. Return whether it is; nothing waits for that."""
    turn.host.commands.run(["systemctl", "stop", "--no-block", unit(job)])
    argv = ["systemctl", "show", "--property=ActiveState", "--value", unit(job)]
    return turn.host.commands.run(argv).strip() in ("inactive", "failed")
