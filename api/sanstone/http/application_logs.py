"""`support/ems/application-logs`: where clients of the array say that they are alive.

What they say becomes an event of the array; there is nothing to be read back here.
"""

from __future__ import annotations

from flask import Flask, Response, request
from sqlalchemy import Engine

from sanstone.core import errors, events
from sanstone.core.resource import Field
from sanstone.core.store import writing
from sanstone.core.types import Boolean, Choice, Integer, Text
from sanstone.core.values import checked
from sanstone.http.answers import answer

PATH = "support/ems/application-logs"
SEVERITIES = ("emergency", "alert", "critical", "error", "warning", "notice", "informational")
FIELDS = {
    field.name: field
    for field in (
        Field("app_version", Text(255), "Version of the client."),
        Field("autosupport_required", Boolean(), "Ignored: nothing is sent to anybody."),
        Field("category", Text(255), "Kind of event."),
        Field("computer_name", Text(255), "Where the client runs."),
        Field("event_description", Text(4096), "What happened."),
        Field("event_id", Integer(0, 2**31 - 1), "Number of the event."),
        Field("event_source", Text(255), "The client."),
        Field("severity", Choice(*SEVERITIES, "debug"), "How bad it is."),
    )
}


def register(app: Flask, database: Engine) -> None:
    """Add the path to the application."""
    rule = f"/api/{PATH}"
    app.add_url_rule(rule, rule, lambda: _note(database), methods=["POST"], strict_slashes=False)


def _note(database: Engine) -> Response:
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise errors.invalid("The body must be a JSON object.", code=errors.INVALID)
    for name in body.keys() - FIELDS.keys():
        raise errors.unexpected(name)
    given = {name: checked(FIELDS[name], value) for name, value in body.items()}
    text = "{event_source} {app_version} on {computer_name}: {category}: {event_description}"
    shown = dict.fromkeys(FIELDS, "-") | given
    with writing(database) as session:
        events.emit(session, events.INFORMATIONAL, "app.log", text.format(**shown))
    return answer({}, 201)
