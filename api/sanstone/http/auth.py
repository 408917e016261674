"""Authentication and authorisation of calls of the API.

A call carries its name and password (HTTP basic authentication), or the cookie of a session of the
web interface (see `sessions`), or comes with a client's certificate, or from a user of this machine
(see `local`), who may have to log in by a code nevertheless. The first of these that there is
counts. The account's role decides by path and method; whatever its role, an account may change its
own password, and with an expired one it may do nothing else. An account of an SVM sees only the
SVM's objects (see `call`).
"""

from __future__ import annotations

from flask import Flask, Response, g, request
from sqlalchemy import Engine

from sanstone.core import errors
from sanstone.http import caller, descriptions, local, oidc, sessions
from sanstone.model.security import CERTIFICATE, SSH
from sanstone.security import roles, second_factor
from sanstone.security.authentication import Authenticator
from sanstone.security.directory import Login

OWN_PASSWORD = "/api/security/authentication/password"  # noqa: S105 - a path
OPEN = oidc.OPEN | {("POST", sessions.PATH)}
"""Logins: their body, or their way, decides whose they are."""


def install(app: Flask, database: Engine) -> None:
    """Make the application check each request under /api before it is processed."""
    authenticator = Authenticator(database)
    sessions.register(app, authenticator)
    oidc.register(app, authenticator)

    @app.before_request
    def _authenticate() -> None:
        if not request.path.startswith("/api") or request.path in descriptions.PATHS:
            return
        if (request.method, request.path.rstrip("/")) in OPEN:
            return
        login = local.login(database) if local.by_shell() else _login(authenticator)
        if login is None or not authenticator.admits(login):
            raise errors.ApiError(401, errors.NOT_AUTHENTICATED, "not authorized for that command")
        if local.by_shell() and login.account.asks_code(SSH) and not sessions.proved(login):
            raise second_factor.needed()
        caller.identify(database, login)
        _allow()

    @app.after_request
    def _challenge(response: Response) -> Response:
        # A browser would prompt for a password on top of the web interface, which has a form.
        scripted = request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"
        if response.status_code == 401 and not scripted:
            response.headers["WWW-Authenticate"] = 'Basic realm="Sanstone"'
        return response


def _login(authenticator: Authenticator) -> Login | None:
    authorization = request.authorization
    if authorization is None and sessions.COOKIE in request.cookies and (login := sessions.login()):
        return login
    if authorization is None and (name := caller.certificate_name()):
        _refuse_other_sites()
        return authenticator.vouched(name, CERTIFICATE, caller.svm_header())
    if (
        authorization
        and authorization.type == "basic"
        and authorization.username
        and authorization.password is not None
    ):
        _refuse_other_sites()
        address, svm = caller.client_address(), caller.svm_header()
        application, browser = local.application(), sessions.browser()
        name, password = authorization.username, authorization.password
        return authenticator.check(name, password, address, svm, application, browser)
    return None


def _refuse_other_sites() -> None:
    """Raise ApiError for a change that a page of another site causes a browser to request.

    A browser that prompted for a name and password, or for a certificate, sends them with all
    requests to the array, whichever page they come from. Programs send no origin.
    """
    site = request.headers.get("Sec-Fetch-Site", "none")
    if request.method not in roles.READING and site not in ("none", "same-origin"):
        raise errors.ApiError(403, errors.FORBIDDEN, "A page of another site may change nothing.")


def _allow() -> None:
    """Raise ApiError when the account's role forbids the call."""
    if request.path.rstrip("/") in (OWN_PASSWORD, sessions.PATH):
        return
    if g.expired:
        text = f"The password has expired; change it at {OWN_PASSWORD}."
        raise errors.ApiError(403, errors.FORBIDDEN, text)
    caller.require_allowed(request.path)
