"""Events for the administrator, in the vocabulary of ONTAP's event management system.

An event about a condition (a missing disk, a LIF whose port is down) is raised once when the
condition begins and once when it ends, however often the reconciler observes it in between.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Integer, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.last_changes import Changed
from sanstone.core.store import Base
from sanstone.core.tracked import Columns, Tracked

EMERGENCY, ALERT, ERROR, NOTICE, INFORMATIONAL = (
    "emergency",
    "alert",
    "error",
    "notice",
    "informational",
)
KEPT = 10_000


class Event(Tracked, Base):
    """One event. `condition` is '' for a plain one; `open` is set while its condition lasts."""

    __tablename__ = "event"

    index: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    time: Mapped[float] = mapped_column(default=time.time)
    severity: Mapped[str]
    name: Mapped[str]
    message: Mapped[str]
    parameters: Mapped[dict[str, Any]] = mapped_column(default=dict)
    condition: Mapped[str] = mapped_column(default="", index=True)
    open: Mapped[bool] = mapped_column(default=False, index=True)

    def changed_owners(self, session: Session, *, gone: bool) -> Iterable[Changed]:
        """Return the event, unless it is dropped for its age."""
        if not gone:
            yield Changed("support/ems/events", str(self.index), deleted=False)

    def is_shown(self, columns: Columns) -> bool:
        """Return False: an event is not changed, and nobody is shown whether it is open."""
        return False


def emit(session: Session, severity: str, name: str, message: str, **parameters: Any) -> None:
    """Add a plain event."""
    session.add(Event(severity=severity, name=name, message=message, parameters=parameters))


def set_conditions(session: Session, current: dict[str, tuple[str, str, str]]) -> None:
    """Replace the open conditions by `current`: {condition: (severity, name, message)}.

    A new condition, or one that changed in any of the three, is logged as an event. One that ended
    is closed and logged as a notice.
    """
    opened = {e.condition: e for e in session.scalars(select(Event).filter_by(open=True))}
    for condition, event in opened.items():
        if condition not in current:
            event.open = False
            emit(session, NOTICE, event.name + ".resolved", f"Resolved: {event.message}")
        elif current[condition] != (event.severity, event.name, event.message):
            event.open = False
    for condition, (severity, name, message) in current.items():
        before = opened.get(condition)
        if before is None or not before.open:
            session.add(
                Event(
                    severity=severity,
                    name=name,
                    message=message,
                    condition=condition,
                    open=True,
                    parameters={},
                )
            )


def prune(session: Session) -> None:
    """Drop the oldest events beyond the number kept; open conditions stay."""
    newest = session.scalar(select(Event.index).order_by(Event.index.desc()).limit(1)) or 0
    old = select(Event).where(Event.index <= newest - KEPT, Event.open.is_(False)).limit(1000)
    for event in session.scalars(old):
        session.delete(event)
