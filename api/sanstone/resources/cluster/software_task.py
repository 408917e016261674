"""Work on the array's software: what was asked for over REST and is done by `sanstone-software`.

A download, a validation or an update takes minutes, so it is no step of a pass: a row here is the
order, and that program, which the reconciler starts, works the rows off one after the other and
notes in them what became of each. Killed, it begins the row again.

The job of a request lasts as long as there is something to refuse: that of a download and of a
validation to their end, that of an update until the package was found to be good. From then on
`cluster/software` tells how it goes, as ONTAP's does, through the reboot and after it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.model.software import FAILURE, OPEN, REBOOTING, SUCCESS, SoftwareTask

KEPT = 50


def latest(session: Session, *what: str) -> SoftwareTask | None:
    """Return the newest order of a kind."""
    query = select(SoftwareTask).where(SoftwareTask.what.in_(what))
    return session.scalars(query.order_by(SoftwareTask.start_time.desc()).limit(1)).first()


def unfinished(session: Session) -> list[SoftwareTask]:
    """Return what is still to be done or judged, oldest first."""
    query = select(SoftwareTask).where(SoftwareTask.state.in_((*OPEN, REBOOTING)))
    return list(session.scalars(query.order_by(SoftwareTask.start_time)))


def outcomes(
    session: Session, owners: Iterable[str]
) -> tuple[set[str], dict[str, tuple[str, str]]]:
    """Return which owners' jobs have to wait, and which failed, with code and message."""
    waiting, failed = set(), {}
    for owner in owners:
        kind, _, uuid = owner.partition(":")
        task = session.get(SoftwareTask, uuid) if kind == SoftwareTask.kind else None
        if task and task.holds_job:
            waiting.add(owner)
        elif task and task.state == FAILURE:
            failed[owner] = (str(task.code), task.message)
    return waiting, failed


def abandon(session: Session, why: str) -> None:
    """End as failed what is still to be done or judged."""
    for task in unfinished(session):
        task.state, task.message, task.end_time = FAILURE, why, time.time()
        task.password = ""


def prune(session: Session) -> None:
    """Drop the oldest finished orders beyond the number kept."""
    done = select(SoftwareTask).where(SoftwareTask.state.in_((SUCCESS, FAILURE)))
    for task in session.scalars(done.order_by(SoftwareTask.start_time.desc()).offset(KEPT)):
        session.delete(task)
