"""Changes that are taken back unless somebody confirms them in time.

Who changes the network may cut off the connection that the change came by, and then cannot undo it.
So such a change can be conditional: it comes into effect, and its job pauses. Who still reaches the
array confirms it, which ends the job. Otherwise the reconciler applies the inverse that the job
holds. The time is in the database, so that a reboot in between changes nothing.

Until then no other change of the same area is accepted: it might build on one that is taken back.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, jobs
from sanstone.core.database.change import Change
from sanstone.core.jobs import PAUSED, QUEUED, RUNNING, SUCCESS, Job

SHORTEST, LONGEST = 10, 600
"""Seconds that one may be given to confirm."""
SLACK = 60.0
"""Seconds by which the clock may be set back before a time counts as over: nobody knows then."""
TAKEN_BACK = "job.unconfirmed"


def refuse_meanwhile(change: Change) -> None:
    """Refuse a change while another one of the same area must be confirmed. Raises ApiError."""
    change.session.flush()
    areas = _areas(change.touched)
    unconfirmed = Job.confirm_within.is_not(None), Job.state.in_((QUEUED, RUNNING, PAUSED))
    for job in change.session.scalars(select(Job).where(*unconfirmed).order_by(Job.id)):
        if common := areas & _areas(job.touched):
            text = (
                f"A change of the {min(common)} must be confirmed or taken back first: "
                f"{job.description} (job {job.uuid})."
            )
            change.refuse(errors.conflict(text))
            return


def _areas(owners: Iterable[str]) -> set[str]:
    """Return the first words of the owners' paths, such as `network`."""
    return {owner.partition("/")[0] for owner in owners}


def confirm(job: Job) -> None:
    """Let the change of a paused job stay."""
    job.state, job.end_time, job.undo, job.confirm_until = SUCCESS, time.time(), [], None


def give_up(job: Job) -> None:
    """Have the reconciler take the change of a paused job back in its next turn."""
    job.confirm_until = 0.0


def due(session: Session) -> Sequence[Job]:
    """Return the jobs with a change to take back now, newest first."""
    now = time.time()
    return [job for job in session.scalars(_paused()) if _is_over(job, now)]


@cache
def _paused() -> Select[tuple[Job]]:
    return select(Job).where(Job.state == PAUSED).order_by(Job.id.desc())


def _is_over(job: Job, now: float) -> bool:
    seconds = (job.confirm_until or 0.0) - now
    return seconds <= 0 or seconds > (job.confirm_within or 0) + SLACK


def seconds_left(job: Job) -> int:
    """Return the whole seconds that are left to confirm a paused job."""
    seconds = int((job.confirm_until or 0.0) - time.time())
    return min(max(0, seconds), job.confirm_within or 0)


def take_back_due(session: Session) -> set[str]:
    """Take back what nobody has confirmed in time. Return the owners that are to change again."""
    owners: set[str] = set()
    for job in due(session):
        is_given_up, seconds = not job.confirm_until, str(job.confirm_within)
        why = "was given up" if is_given_up else f"was not confirmed within {seconds} s"
        if jobs.take_back(session, job, why, () if is_given_up else (seconds,)):
            owners.update(job.touched)
            if not is_given_up:
                text = f"{job.description} {why} and is taken back."
                events.emit(session, events.NOTICE, TAKEN_BACK, text)
    return owners
