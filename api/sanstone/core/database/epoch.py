"""The configuration's age: an epoch, which each change of the configuration raises.

It tells which of two copies of the configuration is newer, wherever they were made: jobs are
numbered by an array for itself. Up to release 0.1.0 the number of the newest job stood for it, past
which the epoch begins.
"""

from __future__ import annotations

from sqlalchemy import insert, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.database.change import COUNTER
from sanstone.core.database.store import Base

_ROW = 1


class ConfigurationEpoch(Base):
    """The epoch, in the only row; none before the first change."""

    __tablename__ = "configuration_epoch"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    epoch: Mapped[int] = mapped_column(info={COUNTER: 1 << 16})


CURRENT = "SELECT coalesce(max(epoch), 0) FROM configuration_epoch"
"""Reads it from a database that is opened as a file."""


# No upsert, which SQLAlchemy would compile anew each time (see `last_changes`).
_BEGIN = insert(ConfigurationEpoch).prefix_with("OR IGNORE").values(id=_ROW, epoch=0)
_RAISE = update(ConfigurationEpoch).values(epoch=ConfigurationEpoch.epoch + 1)


def advance(session: Session) -> None:
    """Raise the epoch in the transaction of a change."""
    connection = session.connection()
    connection.execute(_BEGIN)
    connection.execute(_RAISE)
