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
from sanstone.reconcile.state import Pass


def unit(uuid: str) -> str:
    """Return the name of the service that does a long job."""
    return f"sanstone-task@{uuid}.service"


def ensure_done(this: Pass, order: LongJob) -> bool:
    """Return whether a long job is done; until then its owner waits.

    Raises HostError when it failed or was cancelled; asked once more, it is begun anew.
    """
    row = this.session.get(LongJob, order.uuid)
    if cancelled := [r for r in long_jobs.unfinished(this.session, [order.owner]) if r.cancel]:
        running = [each for each in cancelled if not _stopped(this, each.uuid)]
        if not running:
            this.ended += [each.uuid for each in cancelled]
            raise HostError(f"{order.message}: cancelled on request")
    elif row is None:
        this.orders.append(order)
    elif not row.is_open:
        this.ended.append(row.uuid)
        if row.state == FAILURE:
            raise HostError(row.message)
        return True
    else:
        # One that runs is left alone.
        this.host.commands.run(["systemctl", "start", "--no-block", unit(row.uuid)])
    this.waiting.add(order.owner)
    return False


def take_in(this: Pass, uuid: str) -> bool:
    """Forget a long job that has ended: what it made is there. Return whether there was one."""
    row = this.session.get(LongJob, uuid)
    if row is None or row.is_open:
        return False
    this.ended.append(uuid)
    return True


def abandon(this: Pass, uuid: str) -> None:
    """End a long job whose result nobody wants any more. Raises HostError while it still runs."""
    if this.session.get(LongJob, uuid) is None:
        return
    if not _stopped(this, uuid):
        raise HostError(f"{unit(uuid)} is being stopped")
    this.ended.append(uuid)


def _stopped(this: Pass, uuid: str) -> bool:
    """Have a process stopped. Return whether it is; nothing waits for that."""
    this.host.commands.run(["systemctl", "stop", "--no-block", unit(uuid)])
    argv = ["systemctl", "show", "--property=ActiveState", "--value", unit(uuid)]
    return this.host.commands.run(argv).strip() in ("inactive", "failed")
