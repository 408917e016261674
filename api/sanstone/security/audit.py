"""The audit log: who requested which change, from where, and with what result.

It records every request to change something, completed or refused, and every request that is
refused because the login or the permission is missing. The newest records are in the database of
activities, so that a restored configuration does not bring back an old log. Each is also written to
the journal, which an administrator may forward.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from sqlalchemy import delete, select

from sanstone.core.database.store import reading, writing
from sanstone.model.activity import AuditMessage
from sanstone.security import activity

SUCCESS, ERROR = "success", "error"
KEPT = 10_000
_PRUNED_EVERY = 100
MOST_CHARACTERS = 2000
log = logging.getLogger("sanstone.audit")


@dataclass(frozen=True)
class Entry:
    """A record: the columns of `AuditMessage`, truncated where too long."""

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

    Raises sqlalchemy.exc.DatabaseError when there is no space, turns.NoTurn when other writers take
    too long.
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
    """Reduce a text to one line of bounded length: a client must not forge lines of the journal."""
    if len(text) > MOST_CHARACTERS:
        text = text[: MOST_CHARACTERS - 1] + "…"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in text)
