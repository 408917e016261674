"""Order long jobs, start their processes and evaluate how they ended (`core.long_jobs`).

A stage with work that takes longer than a turn calls `ensure_done` in each turn in which the work
can be done. The first call orders the long job; the row is written at the end of the turn. The next
call starts its process, unless it runs. The owner waits until the process has ended, which wakes
the reconciler. After a boot a process is started only when its stage asks for it, because what the
work builds on exists by then.
"""

from __future__ import annotations

from sanstone.core import long_jobs
from sanstone.core.jobs import FAILURE, RUNNING
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import HostError
from sanstone.reconcile.long_jobs import kinds
from sanstone.reconcile.turn import Turn


class Failed(HostError):
    """A long job failed or was cancelled; the text gives the cause."""


def unit(job: LongJob) -> str:
    """Return the name of the systemd service that runs a long job."""
    return f"{kinds.service(job.kind)}@{job.uuid}.service"


def ensure_done(turn: Turn, order: LongJob, *, start: bool = True) -> bool:
    """Order and start a long job; return whether it has succeeded. Until then its owner waits.

    Without `start` the job is only ordered, so that jobs of the API wait for it. Raises Failed when
    it failed or was cancelled; the next call orders it anew. What another node works off is left to
    that one, and its owner waits there.
    """
    row = turn.session.get(LongJob, order.uuid)
    own = long_jobs.unfinished(turn.session, [order.owner], turn.node_uuid)
    if cancelled := [job for job in own if job.cancel]:
        running = [job for job in cancelled if not _stopped(turn, job)]
        if not running:
            turn.jobs.ended += [job.uuid for job in cancelled]
            raise Failed("{}: cancelled on request", order.message)
    elif row is None:
        turn.jobs.ordered.append(order)
    elif row.node_uuid != turn.node_uuid:
        return False
    elif not row.is_open:
        turn.jobs.ended.append(row.uuid)
        if row.state == FAILURE:
            raise _failed(row)
        return True
    elif start:
        # systemd leaves a running service as it is.
        turn.host.commands.run(["systemctl", "start", "--no-block", unit(row)])
    turn.jobs.waiting.add(order.owner)
    return False


def is_followed(turn: Turn, uuid: str) -> bool:
    """Return whether a long job that the kernel works off is open."""
    row = turn.session.get(LongJob, uuid)
    return row is not None and row.is_open


def follow(turn: Turn, order: LongJob, percent: int | None) -> None:
    """Have jobs of the API wait for what the kernel does by itself, and tell how far it is.

    It is called in each turn until that is done; then `end` is.
    """
    order.state, order.percent = RUNNING, percent
    turn.jobs.followed.append(order)
    turn.jobs.waiting.add(order.owner)


def end(turn: Turn, uuid: str) -> None:
    """Delete a long job that the kernel has worked off."""
    turn.jobs.ended.append(uuid)


def _failed(row: LongJob) -> Failed:
    """Return why a long job failed, in its process's words."""
    error = Failed(row.message)
    error.arguments = tuple(map(str, row.arguments))
    return error


def take_in(turn: Turn, uuid: str) -> bool:
    """Delete a long job that has ended, since its result exists. Return whether there was one."""
    row = turn.session.get(LongJob, uuid)
    if row is None or row.is_open:
        return False
    turn.jobs.ended.append(uuid)
    return True


def abandon(turn: Turn, uuid: str) -> None:
    """Stop and delete a long job that became pointless. Raises HostError while it still runs."""
    row = turn.session.get(LongJob, uuid)
    if row is None:
        return
    if not _stopped(turn, row):
        raise HostError(f"{unit(row)} is being stopped")
    turn.jobs.ended.append(uuid)


def _stopped(turn: Turn, job: LongJob) -> bool:
    """Tell systemd to stop a process, without waiting. Return whether it has stopped."""
    turn.host.commands.run(["systemctl", "stop", "--no-block", unit(job)])
    argv = ["systemctl", "show", "--property=ActiveState", "--value", unit(job)]
    return turn.host.commands.run(argv).strip() in ("inactive", "failed")
