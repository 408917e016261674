"""`security/session`: logging in to and out of the web interface.

POST takes a name and a password and sets the cookie, which no script can read and a browser does
not send for pages of other sites; DELETE ends the session. A request with the cookie that writes
must carry the header `X-CSRF-Token` with the token that POST and GET return. Programs need none of
this: they send name and password with each request. A second cookie outlives the session, so that
the browser is recognised when it logs in again (see `browsers`).

An account may require a code besides (see `second_factor`): only who has the right password learns
so, by the error's target, and sends all of it again with the code. The shell on the array's own
socket sends a code alone, and its session proves it for the requests that follow.

In place of a name and a password there may be what an identity provider has given the browser (see
`oidc`), with the cookie that the browser was given here before.

A page that looks for changes every few seconds says so by the header `X-Sanstone-Poll: true`. Such
a request is no use of the session, which else would never end while the page is open.
"""

from __future__ import annotations

import hmac
from typing import Any

from flask import Flask, Response, current_app, g, request
from sqlalchemy import Engine, select

from sanstone.core import errors
from sanstone.core.database.store import reading
from sanstone.http import caller, local, oidc
from sanstone.http.answers import answer
from sanstone.http.call import load_json
from sanstone.model.cluster import Cluster
from sanstone.model.security import HTTP, OIDC, SSH, Account
from sanstone.security import browsers, budget, roles, second_factor, sessions
from sanstone.security.attempt import known_as
from sanstone.security.authentication import LONGEST_NAME, LONGEST_PASSWORD, Authenticator
from sanstone.security.directory import Login
from sanstone.security.oidc import LONGEST_CODE

PATH = "/api/security/session"
COOKIE = "__Host-sanstone"
BROWSER = "__Host-sanstone-browser"
BROWSER_KEPT = 180 * 86_400
"""Seconds after its last login for which a browser is recognised."""
_BY_PASSWORD, _BY_PROVIDER = ("name", "password"), ("code", "state")
_LONGEST = {
    "name": LONGEST_NAME,
    "password": LONGEST_PASSWORD,
    second_factor.FIELD: second_factor.LONGEST,
    "code": LONGEST_CODE,
    "state": 256,
}
HEADER = "X-CSRF-Token"
POLL = "X-Sanstone-Poll"


def register(app: Flask, authenticator: Authenticator) -> None:
    """Add the routes."""

    @app.post(PATH)
    def _log_in() -> Response:
        database, by_shell = app.extensions["sanstone"], local.by_shell()
        login = _log_in_by_code(database) if by_shell else _log_in_from_page(authenticator)
        if login is None:
            raise errors.ApiError(401, errors.NOT_AUTHENTICATED, "not authorized for that command")
        caller.identify(database, login)
        token = sessions.begin(login, SSH if by_shell else HTTP)
        response = answer(_shown(token), 201)
        kept = {
            COOKIE: (token, None),
            BROWSER: (browsers.cookie(known_as(login), browser()), BROWSER_KEPT),
        }
        for cookie, (text, age) in kept.items():
            response.set_cookie(
                cookie, text, age, secure=True, httponly=True, samesite="Strict", path="/"
            )
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get(PATH)
    def _show() -> Response:
        response = answer(_shown(request.cookies.get(COOKIE, "")))
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.delete(PATH)
    def _log_out() -> Response:
        sessions.end(request.cookies.get(COOKIE, ""))
        farewell = authenticator.provider.farewell() if g.method == OIDC else ""
        response = answer({"logout_url": farewell} if farewell else {})
        response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="Strict", path="/")
        return response


def _log_in_from_page(authenticator: Authenticator) -> Login | None:
    body, address = _body(), caller.client_address()
    if not body.keys().isdisjoint(_BY_PROVIDER):
        _check(body, _BY_PROVIDER)
        cookie = request.cookies.get(oidc.COOKIE, "")
        return authenticator.check_provider(cookie, body["state"], body["code"], address)
    _check(body, _BY_PASSWORD, second_factor.FIELD)
    name, password, code = body["name"], body["password"], body.get(second_factor.FIELD, "")
    return authenticator.check(name, password, address, cookie=browser(), code=code)


def _log_in_by_code(database: Engine) -> Login | None:
    """Return the login of a shell's user, who passed sshd, with a right code."""
    body, address = _body(), caller.client_address()
    _check(body, (), second_factor.FIELD)
    login = local.login(database)
    if login and not login.account.asks_code(SSH):
        raise errors.conflict("This account needs no code.", second_factor.FIELD)
    if login:
        code = body.get(second_factor.FIELD, "")
        second_factor.prove(database, login.account, code, budget.source(address), address)
    return login


def browser() -> str:
    """Return the cookie of a browser that has logged in before, '' for none."""
    return request.cookies.get(BROWSER, "")


def login() -> Login | None:
    """Return the login of the request's session, or None. Raises ApiError."""
    token = request.cookies.get(COOKIE, "")
    began = sessions.began_by(token, in_use=not _polls())
    if began is None:
        return None
    with reading(current_app.extensions["sanstone"]) as session:
        row = session.get(Account, began.account)
        session.expunge_all()
    if row is None or row.locked or row.is_group != bool(began.user):
        return None
    method = sessions.method(row, began.password)
    if not method:
        return None
    shown = request.headers.get(HEADER, "")
    if request.method not in roles.READING and not hmac.compare_digest(
        shown.encode(), sessions.csrf_token(token).encode()
    ):
        raise errors.ApiError(403, errors.FORBIDDEN, f"The header {HEADER} is missing or wrong.")
    return Login(row, began.user or row.name, method)


def proved(login: Login) -> bool:
    """Return whether who comes from the shell has proved the second factor in this session."""
    token = request.cookies.get(COOKIE, "")
    began = sessions.began_by(token, in_use=not _polls())
    if began is None or began.account != login.account.uuid:
        return False
    return sessions.is_of(login.account, began.password, SSH)


def _polls() -> bool:
    """Return whether the request only looks for changes; one that writes never does."""
    return request.method in roles.READING and request.headers.get(POLL, "").lower() == "true"


def _body() -> dict[str, Any]:
    """Return the object in the body. Raises ApiError."""
    # A form of another site cannot send this type without permission.
    if not request.is_json:
        raise errors.invalid("The body must be application/json.", code=errors.INVALID)
    body = load_json(request.get_data())
    if not isinstance(body, dict):
        raise errors.invalid("The body must be a JSON object.", code=errors.INVALID)
    return body


def _check(body: dict[str, Any], required: tuple[str, ...], *optional: str) -> None:
    """Raise ApiError unless a body has these fields, which are texts, and no others."""
    for name in body.keys() - {*required, *optional}:
        raise errors.unexpected(name)
    for name in required:
        if name not in body:
            raise errors.missing(name)
    for name, text in body.items():
        if not isinstance(text, str) or not text.isprintable():
            raise errors.invalid(f"{name} must be text.", name)
        if len(text) > _LONGEST[name]:
            raise errors.invalid(f"{name} must have at most {_LONGEST[name]} characters.", name)


def _shown(token: str) -> dict[str, Any]:
    actor = g.actor
    shown: dict[str, Any] = {
        "account": {"name": actor.name, "role": {"name": actor.role}},
        "scope": "svm" if actor.owner_uuid else "cluster",
        "privileges": [{"path": p, "access": a} for p, a in sorted(actor.privileges.items())],
        "password_expired": g.expired,
        "idle_timeout": f"PT{sessions.IDLE / 60:.0f}M",
        "shell_timeout": _shell_timeout(),
    }
    if actor.owner_uuid:
        shown["svm"] = {"uuid": actor.owner_uuid}
    if token:
        shown["csrf_token"] = sessions.csrf_token(token)
    return shown


def _shell_timeout() -> str:
    with reading(current_app.extensions["sanstone"]) as session:
        return f"PT{session.scalar(select(Cluster.shell_timeout)) or 0}M"


def describe() -> dict[str, Any]:
    """Return the operations for the OpenAPI description, by method."""
    text = {"type": "string"}
    shown = {
        "type": "object",
        "properties": {
            "account": {"type": "object"},
            "scope": text | {"enum": ["cluster", "svm"]},
            "svm": {"type": "object"},
            "privileges": {"type": "array", "items": {"type": "object"}},
            "password_expired": {"type": "boolean"},
            "idle_timeout": text
            | {
                "description": "ISO 8601; without a request for so long the session ends. Those "
                f"that only read and have the header `{POLL}: true` do not count."
            },
            "shell_timeout": text
            | {
                "description": "ISO 8601; how long a shell at a terminal stays in which nobody "
                "types, PT0M: for ever. `private/cli/system/timeout` sets it."
            },
            "csrf_token": text | {"description": f"For the header {HEADER} of what writes."},
        },
    }
    secret = text | {"writeOnly": True}
    by_password = {
        "type": "object",
        "required": list(_BY_PASSWORD),
        "properties": {
            "name": text,
            "password": secret,
            second_factor.FIELD: secret
            | {
                "description": "Code of an app (TOTP), or an emergency code, of an account that "
                "needs one. Without it, or with a wrong one, the right password is answered "
                f"by 401 with the target `{second_factor.FIELD}`.",
            },
        },
        "additionalProperties": False,
    }
    by_provider = {
        "type": "object",
        "description": "With what the identity provider has sent the browser back, and the cookie "
        f"{oidc.COOKIE}.",
        "required": list(_BY_PROVIDER),
        "properties": dict.fromkeys(_BY_PROVIDER, secret),
        "additionalProperties": False,
    }
    taken = {"oneOf": [by_password, by_provider]}
    return {
        "post": {
            "summary": "Log in to the web interface",
            "description": f"Begins a session and sets the cookie {COOKIE}. The session ends when "
            f"it is not used; a GET with the header `{POLL}: true`, as of a page that looks for "
            "changes by itself, is no use of it. With other methods the header means nothing.",
            "security": [],
            "requestBody": {"content": {"application/json": {"schema": taken}}, "required": True},
            "answer": ("201", shown),
        },
        "get": {
            "summary": "Show who is logged in",
            "description": "The account, what it may do, and the session's token.",
            "answer": ("200", shown),
        },
        "delete": {
            "summary": "Log out of the web interface",
            "description": "Ends the session. Where it came from an identity provider with an "
            "`end_session_endpoint`, `logout_url` is where the browser logs out of that.",
            "answer": ("200", {"type": "object", "properties": {"logout_url": text}}),
        },
    }
