"""Routes of actions: a POST that runs one transaction and answers with its result."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from flask import Flask, Response, g, request

from sanstone.core import confirmations, errors, jobs
from sanstone.core.database.change import Change
from sanstone.core.declaration import fields, values
from sanstone.core.declaration.action import Action
from sanstone.core.declaration.resource import CREATE, Reader
from sanstone.core.declaration.types import Boolean, Integer
from sanstone.http import caller
from sanstone.http.answers import answer
from sanstone.http.call import Call
from sanstone.http.routes import finish, key_route
from sanstone.security import confinement

ALLOWED = ("OPTIONS", "POST")


def register(app: Flask, action: Action) -> None:
    """Add the route of an action to the application."""
    rule, _ = key_route(action)

    def view(**variables: str) -> Response:
        if request.method == "OPTIONS":
            response = answer({})
            response.headers["Allow"] = ", ".join(ALLOWED)
            return response
        g.resource = action
        keys = {name.replace("__", "."): text for name, text in variables.items()}
        call = Call(action, keys, False)
        caller.require_allowed_at(call.place)
        return _run(call, action)

    app.add_url_rule(rule, rule, view, methods=ALLOWED, strict_slashes=False)


def _run(call: Call, action: Action) -> Response:
    call.refuse_filters()
    if "dry_run" in request.args:
        raise errors.unexpected("dry_run")
    timeout = call.parameter("return_timeout", Integer(0, 120), 0)
    return_records = call.parameter("return_records", Boolean(), False)
    body = call.body()
    prepared = call.prepared(body)
    with call.writing() as session:
        change = Change(session)
        parsed = values.parse(session, action.fields, body, CREATE, call.implied(session))
        result = action.run(change, parsed | call.keys | prepared)
        session.flush()
        confirmations.refuse_meanwhile(change)
        row = SimpleNamespace(**{name.replace(".", "_"): value for name, value in result.items()})
        shown = fields.show(action.answer, row, Reader(session), False)
        job = jobs.queue(change, f"POST {call.place}", confinement.confined(session))
        session.expunge(job)

    def more() -> dict[str, Any]:
        return {"num_records": 1, "records": [shown]} if return_records else dict(shown)

    return finish(call, job, timeout, 201, more)
