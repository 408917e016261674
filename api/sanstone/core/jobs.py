"""Jobs: one per change of the desired state, as ONTAP shows them.

A job is written in the transaction of its change and waits for the reconciler to make the machine
agree. It succeeds when everything that it touched is as desired on each node. It fails with an
error, and its change is reverted, when something could not be done on one of them. `wake` tells the
reconciler that there is work; if that message is lost, the reconciler finds the job in its next
periodic turn.

The job of a change that must be confirmed pauses once the change is in effect (`confirmations`).
"""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Integer, Select, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import errors, events, job_ends, places
from sanstone.core.database import epoch
from sanstone.core.database.change import Change, Superseded, revert
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, reading
from sanstone.core.database.tracked import Columns, Tracked
from sanstone.core.errors import ApiError, Cause

QUEUED, RUNNING, SUCCESS, FAILURE = "queued", "running", "success", "failure"
PAUSED = "paused"
"""In effect, and taken back unless somebody confirms it in time."""
KEPT = 2000
_tellers: list[job_ends.Teller] = []
"""One in the reconciler's process, once it listens."""


class Job(Tracked, Base):
    """One job. `code` is 0 or ONTAP's error code, `undo` the inverse of the change.

    `arguments` are parts of the `message` as they stand in it, in order (see errors.ApiError).

    `about_svm` is the UUID of the request's SVM, '' for none. `confirm_within` is in seconds, None
    for a change that nobody must confirm; `confirm_until` is set, in seconds since 1970, once the
    change is in effect. `done` are pairs of an owner and a node, by its UUID, that has done its
    part of it while others still are at theirs.
    """

    __tablename__ = "job"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    uuid: Mapped[str] = mapped_column(unique=True, default=lambda: str(uuid.uuid4()))
    description: Mapped[str]
    state: Mapped[str] = mapped_column(default=QUEUED, index=True)
    message: Mapped[str] = mapped_column(default="")
    arguments: Mapped[list[Any]] = mapped_column(default=list)
    code: Mapped[int] = mapped_column(default=0)
    target: Mapped[str] = mapped_column(default="")
    start_time: Mapped[float] = mapped_column(default=time.time)
    end_time: Mapped[float | None]
    touched: Mapped[list[Any]] = mapped_column(default=list)
    undo: Mapped[list[Any]] = mapped_column(default=list)
    about_svm: Mapped[str] = mapped_column(default="")
    confirm_within: Mapped[int | None]
    confirm_until: Mapped[float | None]
    done: Mapped[list[Any]] = mapped_column(default=list)

    __table_args__ = {"sqlite_autoincrement": True}

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the job, unless it is dropped for its age."""
        if not deleted:
            yield Changed("cluster/jobs", self.uuid, self.about_svm, False)

    def is_shown(self, columns: Columns) -> bool:
        """Return whether other columns than the record of the change were changed."""
        return bool(columns.keys() - {"undo", "done"})


class Due(Base):
    """An owner that a node's next turn looks at, since another node took back a change of it."""

    __tablename__ = "due"

    node_uuid: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(primary_key=True)


def queue(
    change: Change, description: str, svm_uuid: str = "", confirm_within: int | None = None
) -> Job:
    """Add the job of a change to its transaction and return it.

    With `confirm_within` the change is taken back unless it is confirmed within so many seconds.
    """
    change.session.flush()
    job = Job(
        description=description,
        touched=sorted(change.touched),
        undo=list(change.undo),
        about_svm=svm_uuid,
        confirm_within=confirm_within,
    )
    change.session.add(job)
    change.session.flush()
    epoch.advance(change.session)
    return job


def waiting(session: Session) -> list[Job]:
    """Return the unfinished jobs, oldest first."""
    return list(session.scalars(_unfinished()))


@cache
def _unfinished() -> Select[tuple[Job]]:
    return select(Job).where(Job.state.in_((QUEUED, RUNNING))).order_by(Job.id)


def still_waiting(session: Session, ids: Iterable[int]) -> list[Job]:
    """Return the jobs with some ids that another node has not ended meanwhile."""
    rows = (session.get(Job, each) for each in ids)
    return [job for job in rows if job and job.state in (QUEUED, RUNNING)]


def note_done(job: Job, node_uuid: str, waiting: Collection[str], nodes: Collection[str]) -> bool:
    """Note a node's part of a job as done: for each owner but those that are `waiting`.

    Return whether each of the `nodes` has done its part. A job that touches no owner is one of ''.
    """
    owners = job.touched or [""]
    done = {(owner, node) for owner, node in job.done if node != node_uuid}
    done |= {(owner, node_uuid) for owner in owners if owner not in waiting}
    noted = [list(pair) for pair in sorted(done)]
    if done >= {(owner, node) for owner in owners for node in nodes}:
        return True
    if job.done != noted:
        job.done = noted
    return False


def tell_others(session: Session, nodes: Iterable[str], owners: Iterable[str]) -> None:
    """Have the next turns of other nodes look at owners of reverted changes."""
    owners = list(owners)
    rows = [{"node_uuid": node, "owner": owner} for node in nodes for owner in owners if owner]
    if rows:
        session.execute(insert(Due).prefix_with("OR IGNORE"), rows)


def due(session: Session, node_uuid: str) -> set[str]:
    """Return the owners that a node has to look at."""
    return set(session.scalars(_due(), {"of_node": node_uuid}))


@cache
def _due() -> Select[tuple[str]]:
    return select(Due.owner).where(Due.node_uuid == bindparam("of_node"))


def looked_at(session: Session, node_uuid: str, owners: Collection[str]) -> None:
    """Note that a node has looked at its owners."""
    if owners:
        of_node = Due.node_uuid == node_uuid, Due.owner.in_(owners)
        session.execute(delete(Due).where(*of_node))


def finish(
    session: Session,
    jobs: list[Job],
    failures: Mapping[str, Cause],
    irreversible: frozenset[str],
) -> list[Job]:
    """End jobs, or pause them; `failures` are by owner. Return the reverted jobs.

    Failed changes are reverted newest first. A change stays desired, is retried and becomes an
    event when a finished change builds on it, or when its effect on an owner is `irreversible`:
    data is destroyed, or a pool has grown. Restoring a row without its data would show hosts an
    empty device in place of a full one.
    """
    reverted: list[Job] = []
    for job in sorted(jobs, key=lambda job: -job.id):
        failed = [failures[owner] for owner in job.touched if owner in failures]
        if job.confirm_within and not failed:
            job.state, job.confirm_until = PAUSED, time.time() + job.confirm_within
            continue
        job.end_time = time.time()
        job.state = FAILURE if failed else SUCCESS
        if failed:
            _fail(job, failed[0])
            reason = "the machine cannot go back" if irreversible & set(job.touched) else ""
            if _take_back(session, job, reason, "failed"):
                reverted.append(job)
        job.undo = []
    if reverted:
        epoch.advance(session)
    return reverted


def _fail(job: Job, cause: Cause) -> None:
    job.code, job.message, job.arguments = int(cause.code), cause.message, list(cause.arguments)


def take_back(session: Session, job: Job, why: str, arguments: tuple[str, ...] = ()) -> bool:
    """Revert a paused job and end it as failed. Return whether its change could be reverted.

    `why` completes the sentence "<request> …"; the `arguments` are parts of it.
    """
    job.state, job.end_time = FAILURE, time.time()
    _fail(job, Cause(errors.IN_USE, f"The change {why} and is taken back.", arguments))
    reverted = _take_back(session, job, "", why)
    job.undo = []
    epoch.advance(session)
    return reverted


def _take_back(session: Session, job: Job, reason: str, what: str) -> bool:
    """Revert a change, unless there is a `reason` not to. Return whether it was reverted."""
    if not reason:
        try:
            with session.begin_nested():
                revert(session, job.undo)
        except IntegrityError as error:
            reason = str(error.orig)
        except Superseded as error:
            reason = str(error)
    if reason:
        text = f"{job.description} {what} and cannot be taken back: {reason}; it is tried again."
        events.emit(session, events.ERROR, "job.revert.failed", text)
    return not reason


def prune(session: Session) -> None:
    """Drop the oldest finished jobs beyond the number kept."""
    newest = session.scalar(select(Job.id).order_by(Job.id.desc()).limit(1)) or 0
    old = select(Job).where(Job.id <= newest - KEPT, Job.state.in_((SUCCESS, FAILURE)))
    for job in session.scalars(old.limit(1000)):
        session.delete(job)


def wait(database: Engine, job_id: int, seconds: float) -> Job:
    """Wait for a job to end or pause, and return it; after `seconds` return it as it is."""
    deadline = time.monotonic() + seconds
    with job_ends.waiter(job_ends.path()) as waiter:
        while True:
            with reading(database) as session:
                job = session.get_one(Job, job_id)
                session.expunge(job)
            remaining = deadline - time.monotonic()
            if job.state in (SUCCESS, FAILURE, PAUSED) or remaining <= 0:
                return job
            waiter.wait(remaining)


def listen_for_waiters(listener: socket.socket) -> None:
    """Have `tell_ended` notify requests that wait for jobs, on this socket."""
    _tellers.append(job_ends.Teller(listener))


def tell_ended() -> None:
    """Notify waiting requests after the ends of jobs were committed."""
    for teller in _tellers:
        teller.tell()


def failure(job: Job) -> ApiError:
    """Return the error of a failed job."""
    return ApiError(
        500, str(job.code), job.message, job.target, arguments=tuple(map(str, job.arguments))
    )


def wake_path() -> Path:
    """Return the reconciler's datagram socket."""
    return places.run_directory() / "wake.sock"


def wake() -> None:
    """Tell the reconciler that there is work. A reconciler that is down finds it when it starts."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
        try:
            sender.sendto(b"w", str(wake_path()))
        except (FileNotFoundError, ConnectionRefusedError, BlockingIOError):
            # Absent, restarting, or so busy that a wake-up is queued already: the job is in the
            # database, which the reconciler reads when it starts and after every wake-up.
            return
