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
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.change import Owned
from sanstone.core.store import Base, Identified, Secret

KIND = "cluster/software"
DOWNLOAD, VALIDATE, UPDATE = "download", "validate", "update"
QUEUED, RUNNING, REBOOTING, SUCCESS, FAILURE = (
    "queued",
    "running",
    "rebooting",
    "success",
    "failure",
)
OPEN = (QUEUED, RUNNING)
"""States of what the program has still to do; REBOOTING is for the next boot to judge."""
KEPT = 50


class SoftwareTask(Owned, Identified, Base):
    """One order. `slot` is the one that an update writes, `code` 0 or that of `message`.

    `lacking` are the owners of what was not served before an update, None for not known.
    """

    __tablename__ = "software_task"
    kind = KIND
    lasting = True

    what: Mapped[str]
    state: Mapped[str] = mapped_column(default=QUEUED)
    version: Mapped[str] = mapped_column(default="")
    from_version: Mapped[str] = mapped_column(default="")
    slot: Mapped[str] = mapped_column(default="")
    lacking: Mapped[list[Any] | None]
    url: Mapped[str] = mapped_column(default="")
    username: Mapped[str] = mapped_column(default="")
    password: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    then_update: Mapped[bool] = mapped_column(default=False)
    message: Mapped[str] = mapped_column(default="")
    code: Mapped[int] = mapped_column(default=0)
    start_time: Mapped[float] = mapped_column(default=time.time)
    end_time: Mapped[float | None]

    @property
    def holds_job(self) -> bool:
        """Whether the job of the request has to wait."""
        return self.state == QUEUED or (self.state == RUNNING and self.what != UPDATE)


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
        task = session.get(SoftwareTask, uuid) if kind == KIND else None
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
