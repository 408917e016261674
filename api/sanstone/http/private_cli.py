"""`private/cli/…`: the few commands of ONTAP's command line that its clients call over REST.

Those that show something have no resources: `private_cli_tables` has their records, which are flat,
with the command's field names; a client may filter by any of them, with `*` and `|`, and select
`fields`, beside which the keys are shown. Those that change something are one request of the REST
API each (see `private_cli_commands`), which the role of the caller must allow as well. Commands
that are listed in neither do not exist: 404. An account of an SVM has to do with that SVM alone.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g, request
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.store import reading
from sanstone.core.declaration.fields import split
from sanstone.http import caller
from sanstone.http.answers import answer
from sanstone.http.call import CONTROL, load_json
from sanstone.http.private_cli_commands import COMMANDS, Command, Parent
from sanstone.http.private_cli_tables import TABLES, Record, Table
from sanstone.model.svm import Svm
from sanstone.security import confinement


def register(app: Flask, database: Engine) -> None:
    """Add the commands to the application."""
    for path, table in TABLES.items():
        rule = f"/api/private/cli/{path}"
        app.add_url_rule(rule, rule, _view(database, table), strict_slashes=False)
    for path, commands in COMMANDS.items():
        rule, run = f"/api/private/cli/{path}", _runner(database, commands)
        app.add_url_rule(rule, f"{rule} run", run, methods=list(commands), strict_slashes=False)


def _view(database: Engine, table: Table) -> Callable[[], Response]:
    def view() -> Response:
        requested = split(request.args.getlist("fields"))
        conditions = {n: t for n, t in request.args.items() if n not in CONTROL}
        shown = {*table.keys, *(name.replace("-", "_") for name in conditions)}
        every = not requested or "*" in requested or "**" in requested
        with reading(database) as session:
            _confine(session)
            records = [
                {n: v for n, v in record.items() if every or n in requested or n in shown}
                for record in table.records(session)
                if all(_matches(record, name, text) for name, text in conditions.items())
            ]
        return answer({"records": records, "num_records": len(records)})

    return view


def _confine(session: Session) -> None:
    if g.actor.owner_uuid:
        confinement.confine(session, g.actor.owner_uuid, account=True)


def _matches(record: Record, name: str, text: str) -> bool:
    value = record.get(name.replace("-", "_"), "")
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return any(fnmatch.fnmatchcase(shown, part) for part in text.split("|"))


def _runner(database: Engine, commands: Mapping[str, Command]) -> Callable[[], Response]:
    def run() -> Response:
        command, parameters = commands[request.method], _parameters()
        controls = {name: text for name, text in request.args.items() if name in CONTROL}
        confined = bool(g.actor.owner_uuid or caller.svm_header())
        query, body = command.request(parameters, confined)
        path = command.path
        if command.parent:
            path = path.format(_uuid(database, command.parent, parameters))
        response = _sent(command.method, path, controls | query, body)
        if command.method != "POST" and response.get_json().get("num_records") == 0:
            raise errors.unknown(" ".join(query.values()))
        return response

    return run


def _parameters() -> dict[str, Any]:
    """Return the parameters of a command, from the query string and the body. Raises ApiError."""
    data = request.get_data()
    body = load_json(data) if data.strip() else None
    if not isinstance(body, dict | None):
        raise errors.invalid("The body must be a JSON object.", code=errors.INVALID)
    in_query = {name: text for name, text in request.args.items() if name not in CONTROL}
    pairs = (in_query | (body or {})).items()
    return {name.replace("-", "_"): value for name, value in pairs if value is not None}


def _uuid(database: Engine, parent: Parent, parameters: Mapping[str, Any]) -> str:
    """Return the UUID of the object that a command's is below. Raises ApiError."""
    name, model = str(parameters[parent.parameter]), parent.model
    statement = select(model).join(Svm, Svm.uuid == model.svm_uuid).where(model.name == name)
    if "vserver" in parameters:
        statement = statement.where(Svm.name == str(parameters["vserver"]))
    with reading(database) as session:
        _confine(session)
        rows = session.scalars(confinement.narrow(session, model, statement)).all()
    if len(rows) != 1:
        raise errors.unknown(f'{parent.parameter} "{name}"')
    return str(rows[0].uuid)


def _sent(method: str, path: str, query: Mapping[str, str], body: dict[str, Any]) -> Response:
    """Answer as the REST API does to a request of the same caller. Raises ApiError."""
    data, actor = json.dumps(body).encode(), g.actor
    environ = {
        **{n: v for n, v in request.environ.items() if not n.startswith(("werkzeug.", "flask."))},
        "REQUEST_METHOD": method,
        "PATH_INFO": f"/api/{path}",
        "QUERY_STRING": urlencode(query),
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.input": BytesIO(data),
    }
    with current_app.request_context(environ):
        g.actor = actor
        caller.require_allowed(request.path)
        return current_app.make_response(current_app.dispatch_request())
