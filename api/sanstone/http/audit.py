"""Record each request to change something, and each that is denied; not those that are only tried.

Of a body only fields that are declared and not secret are recorded; everything else, misspelt or
misplaced, is `***`. The name of a failed login is recorded only if there is such an account, since
people type passwords into that field. Requests without a valid login are recorded once a second for
each source, so that guessing neither floods the log nor costs writes.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, g, request
from sqlalchemy import Engine, select
from sqlalchemy.exc import DatabaseError
from werkzeug.exceptions import RequestEntityTooLarge

from sanstone.core import errors
from sanstone.core.database import turns
from sanstone.core.database.store import reading
from sanstone.core.declaration.resource import Field, Items, Node, Reference, References, Resource
from sanstone.core.declaration.values import BARE
from sanstone.http import caller
from sanstone.http.call import CONTROL, load_json
from sanstone.model.security import HTTP, Account
from sanstone.model.svm import Svm
from sanstone.security import audit, budget
from sanstone.security.accounts import Actor
from sanstone.security.roles import READING

HIDDEN = "***"
_MOST_SOURCES = 1024
log = logging.getLogger(__name__)


def install(app: Flask, database: Engine) -> None:
    """Make the application record its requests."""
    denied: dict[str, float] = {}

    @app.after_request
    def _record(response: Response) -> Response:
        refused = response.status_code in (401, 403, 429)
        looked = request.method in READING or g.get("tried")
        if not request.path.startswith("/api") or (looked and not refused):
            return response
        anonymous = g.get("actor") is None
        if anonymous and not _is_due(denied, budget.source(caller.client_address())):
            return response
        try:
            audit.record(_entry(database, response))
        except (DatabaseError, turns.NoTurn) as error:
            # The change is in effect, and in the journal; the answer must not claim otherwise.
            log.error("the audit log cannot be written", exc_info=error)
        return response


def _entry(database: Engine, response: Response) -> audit.Entry:
    actor: Actor | None = g.get("actor")
    return audit.Entry(
        user=actor.name if actor else _account_name(database),
        role=actor.role if actor else "",
        svm=_svm_name(database, actor.owner_uuid) if actor else "",
        location=caller.client_address(),
        application=actor.application if actor else HTTP,
        input=_request_text(),
        state=audit.ERROR if response.status_code >= 400 else audit.SUCCESS,
        message=_outcome(response),
    )


def _is_due(denied: dict[str, float], source: str) -> bool:
    now = time.monotonic()
    if denied.get(source, 0.0) > now:
        return False
    if len(denied) >= _MOST_SOURCES:
        denied.clear()
    denied[source] = now + 1.0
    return True


def _account_name(database: Engine) -> str:
    """Return the name of the login, '' if no account has it."""
    login = request.authorization
    name = login.username if login else caller.certificate_name()
    if not name:
        return ""
    plain = name.rpartition("\\")[2]
    with reading(database) as session:
        uuid = session.scalar(select(Account.uuid).filter_by(name=plain).limit(1))
    return name if uuid else ""


def _svm_name(database: Engine, uuid: str) -> str:
    if not uuid:
        return ""
    with reading(database) as session:
        return session.scalar(select(Svm.name).filter_by(uuid=uuid)) or uuid


def _request_text() -> str:
    resource: Resource[Any] | None = g.get("resource")
    text = f"{request.method} {request.path}"
    if resource is None:
        return text
    if shown := "&".join(_parameters(resource)):
        text += f"?{shown}"
    try:
        data = request.get_data()
        body = load_json(data) if data.strip() else None
    except (errors.ApiError, RequestEntityTooLarge):
        return f"{text} {HIDDEN}"
    if body is None:
        return text
    return f"{text} {json.dumps(_redacted(body, '', resource.fields), ensure_ascii=False)}"


def _parameters(resource: Resource[Any]) -> Iterable[str]:
    declared = CONTROL | {leaf for node in resource.fields for leaf in node.leaves}
    declared |= {option.name for option in resource.options}
    for name, text in request.args.items(multi=True):
        yield f"{name}={text}" if name in declared else f"{HIDDEN}={HIDDEN}"


def _redacted(value: Any, prefix: str, nodes: tuple[Node, ...]) -> Any:
    """Return an object without its secrets; the names of its fields begin with `prefix`."""
    if not isinstance(value, dict):
        return HIDDEN
    visible: dict[str, Any] = {}
    for key, part in value.items():
        name = f"{prefix}{key}".replace("-", "_")
        node = next((n for n in nodes if n.name == name), None)
        if not prefix and key == "records" and isinstance(part, list):
            visible[key] = [_redacted(entry, "", nodes) for entry in part]
        elif node is not None:
            visible[key] = _redacted_value(node, part)
        elif isinstance(part, dict) and any(n.name.startswith(f"{name}.") for n in nodes):
            visible[key] = _redacted(part, f"{name}.", nodes)
        elif _is_plain(part) and _is_open(name, nodes):
            visible[key] = part
        else:
            visible[HIDDEN if not any(n.name.startswith(name) for n in nodes) else key] = HIDDEN
    return visible


def _redacted_value(node: Node, value: Any) -> Any:
    if isinstance(node, Field):
        listed = value if isinstance(value, list) else [value]
        return value if not node.secret and all(map(_is_plain, listed)) else HIDDEN
    if isinstance(node, Items):
        entries = value if isinstance(value, list) else [value]
        bare = _is_open(node.bare, node.fields)
        return [e if bare and _is_plain(e) else _redacted(e, "", node.fields) for e in entries]
    listed = value if isinstance(value, list) else [value]
    shown = [v if _is_plain(v) else _named(v) for v in listed]
    return shown if isinstance(value, list) else shown[0]


def _named(value: Any) -> Any:
    """Return the name and UUID of an object that is referred to."""
    if not isinstance(value, dict):
        return HIDDEN
    return {k: v if k in ("name", "uuid") and _is_plain(v) else HIDDEN for k, v in value.items()}


def _is_open(name: str, nodes: tuple[Node, ...]) -> bool:
    """Return whether a name is a field that is not secret, or an object given by a bare name."""
    parent, _, last = name.rpartition(".")
    for node in nodes:
        if isinstance(node, Reference | References) and node.name == parent:
            return last in ("name", "uuid")
        if node.name in (name, *(f"{name}.{bare}" for bare in BARE)):
            return not (isinstance(node, Field) and node.secret)
    return False


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _outcome(response: Response) -> str:
    body = response.get_json(silent=True)
    if not isinstance(body, dict):
        return ""
    if "error" in body:
        error = body["error"]
        # The message repeats the name in the request, which may be anything.
        unexpected = error.get("code") == errors.UNEXPECTED_ARGUMENT
        return "Unexpected argument." if unexpected else str(error.get("message", ""))
    return f"job {body['job']['uuid']}" if "job" in body else ""
