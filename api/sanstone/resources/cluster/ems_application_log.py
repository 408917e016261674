"""`support/ems/application-logs`: messages from programs that use the array.

Trident and Cinder periodically report here that they are active. A message becomes an event named
`app.log.<severity>`; only the newest of these are kept, so that no program displaces the array's
own events.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from sanstone.core import events
from sanstone.core.database.change import Change
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import CREATE, Field
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Type
from sanstone.core.events import Event
from sanstone.security import accounts

PREFIX = "app.log."
KEPT = 1000
SEVERITIES = {
    "emergency": events.EMERGENCY,
    "alert": events.ALERT,
    "critical": events.ERROR,
    "error": events.ERROR,
    "warning": events.NOTICE,
    "notice": events.NOTICE,
    "informational": events.INFORMATIONAL,
    "debug": events.INFORMATIONAL,
}
"""Severities of syslog (RFC 5424 6.2.1), and the event log's for each."""


def _field(name: str, kind: Type, doc: str, default: Any = None) -> Field:
    return Field(name, kind, doc, access=CREATE, default=default)


class EmsApplicationLogAction(Action):
    """Add a message to the event log."""

    path = "support/ems/application-logs"
    doc = "Adds an event on behalf of a program that uses the array."
    model = Event
    shared = True
    fields = (
        _field("computer_name", Text(255), "Where the program runs.", ""),
        _field("event_source", Text(255), "Name of the program.", ""),
        _field("app_version", Text(255), "Its version.", ""),
        _field("event_id", Integer(0, 2**31 - 1), "Its number of the event.", 0),
        _field("category", Text(255), "Its kind of event.", ""),
        _field("event_description", Text(2000), "What happened.", ""),
        _field("severity", Choice(*SEVERITIES), "How grave it is.", "notice"),
        _field("autosupport_required", Boolean(), "Taken; nobody is called.", False),
    )

    def run(self, change: Change, values: dict[str, Any]) -> dict[str, Any]:
        """Add the event."""
        session = change.session
        parameters = {name: values[name] for name in ("computer_name", "app_version", "event_id")}
        actor = accounts.actor(session)
        source, description = values["event_source"], values["event_description"]
        severity = SEVERITIES[values["severity"]]
        events.emit(
            session,
            severity,
            PREFIX + severity,
            f"{source}: {values['category']}: {description}",
            **parameters,
            account=actor.name if actor else "",
        )
        statement = select(Event).where(Event.name.startswith(PREFIX)).order_by(Event.index.desc())
        for old in session.scalars(statement.offset(KEPT)).all():
            session.delete(old)
        return {}
