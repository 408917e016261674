"""The configuration's age: an epoch, which each change of the configuration raises.

It tells which of two copies of the configuration is newer, wherever they were made: jobs are
numbered by an array for itself. Up to release 0.1.0 the number of the newest job stood for it, past
which the epoch begins.
"""

from __future__ import annotations

from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.change import COUNTER
from sanstone.core.store import Base

_ROW = 1


class ConfigurationEpoch(Base):
    """The epoch, in the only row; none before the first change."""

    __tablename__ = "configuration_epoch"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    epoch: Mapped[int] = mapped_column(info={COUNTER: 1 << 16})


CURRENT = "SELECT coalesce(max(epoch), 0) FROM configuration_epoch"
"""Reads it from a database that is opened as a file."""


def advance(session: Session) -> None:
    """Raise the epoch in the transaction of a change."""
    begun = insert(ConfigurationEpoch).values(id=_ROW, epoch=1)
    raised = {"epoch": ConfigurationEpoch.epoch + 1}
    session.execute(begun.on_conflict_do_update(index_elements=["id"], set_=raised))
