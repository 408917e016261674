"""Work on the array's software: the order over REST, and its outcome.

A download, a validation or an update takes minutes: the reconciler has one after the other done by
a long job (`core.long_jobs`). A row here is the order, and tells of it when the long job is gone.

The job of a request lasts as long as there is something to refuse: that of a download and of a
validation to their end, that of an update until the package was found to be good. From then on
`cluster/software` tells how it goes, as ONTAP's does, through the reboot and after it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import events
from sanstone.core.errors import Cause
from sanstone.model.software import FAILURE, OPEN, REBOOTING, SUCCESS, SoftwareTask

KEPT = 50


def latest(session: Session, *actions: str) -> SoftwareTask | None:
    """Return the newest order of a kind."""
    query = select(SoftwareTask).where(SoftwareTask.action.in_(actions))
    return session.scalars(query.order_by(SoftwareTask.start_time.desc()).limit(1)).first()


def unfinished(session: Session) -> list[SoftwareTask]:
    """Return the tasks that are not done or not judged yet, oldest first."""
    return list(session.scalars(_unfinished()))


@cache
def _unfinished() -> Select[tuple[SoftwareTask]]:
    query = select(SoftwareTask).where(SoftwareTask.state.in_((*OPEN, REBOOTING)))
    return query.order_by(SoftwareTask.start_time)


def failures(session: Session, owners: Iterable[str]) -> dict[str, Cause]:
    """Return by owner why those orders failed that did."""
    failed = {}
    for owner in owners:
        kind, _, uuid = owner.partition(":")
        task = session.get(SoftwareTask, uuid) if kind == SoftwareTask.kind else None
        if task and task.state == FAILURE:
            failed[owner] = Cause(str(task.code), task.message, tuple(task.arguments))
    return failed


def fail(session: Session, reasons: Mapping[str, Cause]) -> None:
    """End orders as failed, by UUID, and tell why; those that have ended stay as they are."""
    for task in unfinished(session):
        if task.uuid in reasons:
            reason = reasons[task.uuid]
            _end(task, reason.message)
            task.code, task.arguments = int(reason.code), list(reason.arguments)
            text = f"The {task.action} of a software package failed: {task.message}"
            events.emit(session, events.ERROR, f"software.{task.action}.failed", text)


def abandon(session: Session, why: str) -> None:
    """End as failed the tasks that are not done or not judged yet."""
    for task in unfinished(session):
        _end(task, why)


def _end(task: SoftwareTask, why: str) -> None:
    task.state, task.message, task.end_time = FAILURE, why, time.time()
    task.password = ""


def prune(session: Session) -> None:
    """Drop the oldest finished orders beyond the number kept."""
    done = select(SoftwareTask).where(SoftwareTask.state.in_((SUCCESS, FAILURE)))
    for task in session.scalars(done.order_by(SoftwareTask.start_time.desc()).offset(KEPT)):
        session.delete(task)
