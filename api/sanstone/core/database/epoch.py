"""The configuration's age: an epoch, which each change of the configuration raises, in a term.

It tells which of two copies of the configuration is newer, wherever they were written: jobs are
numbered by an array for itself. Who takes over from a partner, or restores a copy, begins a new
term. So two histories that went on from one state never have the same age, and the later one is the
newer, however many changes the other had. Up to release 0.1.0 the number of the newest job stood
for the epoch, past which it begins.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.database.change import COUNTER
from sanstone.core.database.store import Base

_ROW = 1
_EPOCH_BITS = 48


class Age(NamedTuple):
    """An age; the one with the higher term is newer, of one term the one with the higher epoch."""

    term: int = 0
    epoch: int = 0

    def __str__(self) -> str:
        return f"{self.term}.{self.epoch}"

    @property
    def packed(self) -> int:
        """Return it as 64 bits; the upper 16 are the term. Without one it is the epoch."""
        return self.term << _EPOCH_BITS | self.epoch

    @classmethod
    def unpacked(cls, packed: int) -> Age:
        """Return the age that `packed` is of."""
        return cls(packed >> _EPOCH_BITS, packed & ((1 << _EPOCH_BITS) - 1))


class ConfigurationEpoch(Base):
    """Term and epoch, in the only row; none before the first change."""

    __tablename__ = "configuration_epoch"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    term: Mapped[int] = mapped_column(info={COUNTER: 1})
    epoch: Mapped[int] = mapped_column(info={COUNTER: 1 << 16})


def of(database: sqlite3.Connection) -> Age:
    """Return the age of the configuration in a database that is opened as a file."""
    row = database.execute("SELECT term, epoch FROM configuration_epoch").fetchone()
    return Age(*map(int, row)) if row else Age()


_TERM = select(ConfigurationEpoch.term)
# No upsert, which SQLAlchemy would compile anew each time (see `last_changes`).
_BEGIN = insert(ConfigurationEpoch).prefix_with("OR IGNORE").values(id=_ROW, term=0, epoch=0)
_RAISE = update(ConfigurationEpoch).values(epoch=ConfigurationEpoch.epoch + 1)
_NEXT_TERM = update(ConfigurationEpoch).values(term=ConfigurationEpoch.term + 1)


def term(session: Session) -> int:
    """Return the term, 0 before the first change."""
    return session.scalar(_TERM) or 0


def advance(session: Session) -> None:
    """Raise the epoch in the transaction of a change."""
    connection = session.connection()
    connection.execute(_BEGIN)
    connection.execute(_RAISE)


def begin_term(session: Session) -> None:
    """Begin a new term, in the transaction of a takeover or giveback."""
    advance(session)
    session.connection().execute(_NEXT_TERM)
