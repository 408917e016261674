"""Events for the administrator, in the vocabulary of ONTAP's event management system.

An event about a condition (a missing disk, a LIF on a port that is down) is raised once when the
condition begins and once when it ends, however often the reconciler observes it in between. While
it lasts, the event is active, and an administrator may acknowledge it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Integer, Select, bindparam, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import observed
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base
from sanstone.core.database.tracked import Tracked

EMERGENCY, ALERT, ERROR, NOTICE, INFORMATIONAL = (
    "emergency",
    "alert",
    "error",
    "notice",
    "informational",
)
KEPT = 10_000
RESOLVED = ".resolved"
"""Ends the name of the event that reports the end of a condition."""


class Condition(NamedTuple):
    """A lasting state that an event reports; `owner` (`<kind>:<key>`) is the object concerned."""

    severity: str
    name: str
    message: str
    owner: str = ""


class Event(Tracked, Base):
    """One event. `condition` is '' for a plain one; `open` is set while its condition lasts.

    `owner` is the object concerned, '' for the array as a whole. `acknowledged_by` is the account
    that acknowledged the event, '' for none. `node_uuid` is the node that has the condition, '' for
    a plain event.
    """

    __tablename__ = "event"

    index: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    time: Mapped[float] = mapped_column(default=time.time)
    severity: Mapped[str]
    name: Mapped[str]
    message: Mapped[str]
    parameters: Mapped[dict[str, Any]] = mapped_column(default=dict)
    condition: Mapped[str] = mapped_column(default="", index=True)
    open: Mapped[bool] = mapped_column(default=False, index=True)
    owner: Mapped[str] = mapped_column(default="")
    node_uuid: Mapped[str] = mapped_column(default="")
    acknowledged_by: Mapped[str] = mapped_column(default="")
    acknowledged_time: Mapped[float | None]

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the event, unless it is dropped for its age."""
        if not deleted:
            yield Changed("support/ems/events", str(self.index), deleted=False)


def emit(
    session: Session, severity: str, name: str, message: str, owner: str = "", **parameters: Any
) -> None:
    """Add a plain event; `owner` (`<kind>:<key>`) is the object concerned, if it is about one."""
    session.add(
        Event(severity=severity, name=name, message=message, owner=owner, parameters=parameters)
    )


def set_conditions(session: Session, node_uuid: str, current: Mapping[str, Condition]) -> None:
    """Replace the active conditions of a node by `current`, which has them by key.

    A new condition, or one that changed but for its owner, is logged as an event. One that ended is
    closed and logged as a notice.
    """
    opened = {e.condition: e for e in session.scalars(_open(), {"of_node": node_uuid})}
    for key, event in opened.items():
        if key not in current:
            event.open = False
            text = f"Resolved: {event.message}"
            emit(session, NOTICE, event.name + RESOLVED, text, event.owner)
        elif current[key][:3] != (event.severity, event.name, event.message):
            event.open = False
        else:
            # Events of a release that did not say what they are about.
            event.owner = current[key].owner
    for key, condition in current.items():
        before = opened.get(key)
        if before is None or not before.open:
            about = {"condition": key, "node_uuid": node_uuid, "open": True, "parameters": {}}
            session.add(Event(**condition._asdict(), **about))


def hand_over(session: Session, before: str, now: str) -> None:
    """Have a node's lasting conditions of objects be those of the node that owns these now.

    So each stays one event, and ends where the new owner sees it end.
    """
    rows = session.scalars(_open(), {"of_node": before}).all()
    owning = observed.owning_nodes(session, {event.owner for event in rows})
    for event in rows:
        if owning.get(event.owner) == now:
            event.node_uuid = now


def lasting(session: Session, node_uuid: str) -> dict[str, Condition]:
    """Return the conditions of a node that last, by key."""
    return {
        event.condition: Condition(event.severity, event.name, event.message, event.owner)
        for event in session.scalars(_open(), {"of_node": node_uuid})
    }


def open_message(session: Session, node_uuid: str, condition: str) -> str:
    """Return the text of a condition of a node while it lasts, else ''."""
    found = lasting(session, node_uuid).get(condition)
    return found.message if found else ""


@cache
def _open() -> Select[tuple[Event]]:
    return select(Event).filter_by(open=True).where(Event.node_uuid == bindparam("of_node"))


def prune(session: Session) -> None:
    """Drop the oldest events beyond the number kept; open conditions stay."""
    newest = session.scalar(select(Event.index).order_by(Event.index.desc()).limit(1)) or 0
    old = select(Event).where(Event.index <= newest - KEPT, Event.open.is_(False)).limit(1000)
    for event in session.scalars(old):
        session.delete(event)
