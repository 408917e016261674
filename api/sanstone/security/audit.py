"""The audit log: who asked for which change, from where, and what became of it.

A record is kept of every request that would change something, done or refused, and of every one
that was refused for want of a login or of permission. It is in the database of activities, so that
no restored configuration brings back an old log, and only the newest are kept there; each is
written to the journal as well, which an administrator may forward.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from sqlalchemy import delete, select

from sanstone.core.store import reading, writing
from sanstone.model.activity import AuditMessage
from sanstone.security import activity

SUCCESS, ERROR = "success", "error"
KEPT = 10_000
_PRUNED_EVERY = 100
MOST_CHARACTERS = 2000
log = logging.getLogger("sanstone.audit")


@dataclass(frozen=True)
class Entry:
    """What is to be recorded; the columns of `AuditMessage`, which are cut where too long."""

    user: str
    role: str
    svm: str
    location: str
    application: str
    input: str
    state: str
    message: str


def record(entry: Entry) -> None:
    """Add a record, to the journal first, and drop the oldest beyond the number kept.

    Raises sqlalchemy.exc.DatabaseError where there is no room, turns.NoTurn where others write.
    """
    fields = {name: _cut(text) for name, text in vars(entry).items()}
    log.info("%(user)s from %(location)s: %(input)s: %(state)s %(message)s", fields)
    with writing(activity.engine()) as session:
        row = AuditMessage(**fields)
        session.add(row)
        session.flush()
        if row.index % _PRUNED_EVERY == 0:
            session.execute(delete(AuditMessage).where(AuditMessage.index <= row.index - KEPT))


def messages() -> list[AuditMessage]:
    """Return all records, oldest first; they are in no session."""
    with reading(activity.engine()) as session:
        rows = list(session.scalars(select(AuditMessage).order_by(AuditMessage.index)))
        session.expunge_all()
    return rows


def _cut(text: str) -> str:
    """Return a text in one line of bounded length: a client must not forge lines of the journal."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain if len(plain) <= MOST_CHARACTERS else plain[: MOST_CHARACTERS - 1] + "…"
