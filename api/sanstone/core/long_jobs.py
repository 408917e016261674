"""Long jobs: work that takes longer than a turn of the reconciler may, in a process of its own.

The reconciler orders one by a row that holds its parameters, and starts its process. The process
writes its progress and its outcome into the row; a later turn evaluates that and deletes the row.
The row survives power cuts: while it is open its process is started, again if necessary, so the
work must be restartable. Its UUID is that of the object to be created and identifies the order, so
that nothing is ordered twice.

A job of the API depends on the long jobs of the owners that it touched: it runs as long as they do,
shows their progress, and can be cancelled where they can. One that has its answer earlier, such as
whether an update may be installed, is released from them (`let_go`).

Some work the kernel does by itself, as rebuilding a RAID group. Such a row has no process: the
stage that sees the work writes how far it is (`followed` of `settle`).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import jobs
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, Identified
from sanstone.core.database.tracked import Tracked
from sanstone.core.jobs import FAILURE, QUEUED, RUNNING, SUCCESS

OPEN = (QUEUED, RUNNING)


class LongJob(Tracked, Identified, Base):
    """One order. `data` is for the process alone; `percent` is None where progress is unknown.

    `message` describes the work, and after a failure its cause; `arguments` are parts of that.
    `cancel` requests that the reconciler end it. `binding` is whether jobs of the API wait for it.
    `node_uuid` names the node that works it off.
    """

    __tablename__ = "long_job"

    kind: Mapped[str]
    owner: Mapped[str]
    node_uuid: Mapped[str]
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)
    state: Mapped[str] = mapped_column(default=QUEUED)
    percent: Mapped[int | None]
    message: Mapped[str] = mapped_column(default="")
    arguments: Mapped[list[Any]] = mapped_column(default=list)
    cancelable: Mapped[bool] = mapped_column(default=False)
    cancel: Mapped[bool] = mapped_column(default=False)
    binding: Mapped[bool] = mapped_column(default=True)
    start_time: Mapped[float] = mapped_column(default=time.time)

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the owner, and the jobs that show the progress."""
        kind, _, key = self.owner.partition(":")
        yield Changed(kind, key)
        for job in jobs.waiting(session):
            if self.owner in job.touched:
                yield from job.changed_owners(session, deleted=False)

    @property
    def is_open(self) -> bool:
        """Whether its process still has work to do."""
        return self.state in OPEN

    @property
    def progress(self) -> str:
        """The work, and its progress."""
        return self.message if self.percent is None else f"{self.message}: {self.percent} %"


def unfinished(
    session: Session, owners: Iterable[str] | None = None, node_uuid: str = ""
) -> Sequence[LongJob]:
    """Return the open orders, oldest first: all, or those of some owners, or of one node."""
    query = select(LongJob).where(LongJob.state.in_(OPEN))
    if node_uuid:
        query = query.where(LongJob.node_uuid == node_uuid)
    if owners is not None:
        query = query.where(LongJob.owner.in_(list(owners)))
    return session.scalars(query.order_by(LongJob.start_time, LongJob.uuid)).all()


def of_node(session: Session, node_uuid: str) -> Sequence[LongJob]:
    """Return those of a node, open or not: its turn must check on their owners."""
    return session.scalars(_of_node(), {"node": node_uuid}).all()


@cache
def _of_node() -> Select[tuple[LongJob]]:
    return select(LongJob).where(LongJob.node_uuid == bindparam("node"))


def of_kinds(session: Session, kinds: Iterable[str]) -> Sequence[LongJob]:
    """Return those of some kinds, open or not, oldest first."""
    return session.scalars(_of_kinds(), {"kinds": list(kinds)}).all()


@cache
def _of_kinds() -> Select[tuple[LongJob]]:
    of_kinds = LongJob.kind.in_(bindparam("kinds", expanding=True))
    return select(LongJob).where(of_kinds).order_by(LongJob.start_time, LongJob.uuid)


def let_go(session: Session, uuid: str) -> None:
    """Have no job of the API wait for one any more."""
    if row := session.get(LongJob, uuid):
        row.binding = False


class Waiting(NamedTuple):
    """Owners that wait, for whom jobs of the API do, and those with an outcome to evaluate."""

    owners: set[str]
    due: set[str]


def settle(
    session: Session,
    node_uuid: str,
    orders: Collection[LongJob],
    ended: Collection[str],
    open_before: Collection[str],
    followed: Collection[LongJob] = (),
) -> Waiting:
    """Write a node's new orders, delete evaluated ones; return the owners that wait there.

    Of the `followed` write how far they are, too.

    Of orders that were open when the turn began, `open_before`, one may have ended since. Nobody
    has evaluated that yet, so its owner waits for the next turn. A failed order stays while its
    owner waits for others: the job that it fails ends with them.
    """
    if not (orders or ended or open_before or followed):
        return Waiting(set(), set())
    for order in (*orders, *followed):
        row = session.get(LongJob, order.uuid)
        if row is None:
            order.node_uuid = node_uuid
            session.add(order)
        elif order in followed:
            row.percent = order.percent
    rows = [row for uuid in ended if (row := session.get(LongJob, uuid))]
    for row in rows:
        if row.is_open:
            session.delete(row)
    session.flush()
    before = session.scalars(select(LongJob).where(LongJob.uuid.in_(set(open_before) - set(ended))))
    unevaluated = [row for row in before if not row.is_open]
    waiting = {
        row.owner
        for row in (*unfinished(session, node_uuid=node_uuid), *unevaluated)
        if row.binding
    }
    for row in rows:
        if row.state == SUCCESS or (row.state == FAILURE and row.owner not in waiting):
            session.delete(row)
    return Waiting(waiting, {row.owner for row in unevaluated})
