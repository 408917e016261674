"""Who may call the API, and for what.

Every call carries its name and password (HTTP basic authentication); there is no session. An
account of the role `readonly` may look at everything and change nothing.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from sanstone.core import errors
from sanstone.core.accounts import ADMIN, Account, Authenticator

READING = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_PATHS = frozenset({"/api/openapi.json", "/api/declarations.json"})


def install(app: Flask, authenticator: Authenticator) -> None:
    """Have the application check each request under /api before anything else looks at it."""

    @app.before_request
    def _authenticate() -> None:
        if not request.path.startswith("/api") or request.path in OPEN_PATHS:
            return
        given = request.authorization
        if given and given.type == "basic" and given.username and given.password is not None:
            account = authenticator.check(given.username, given.password, client_address())
            if account:
                _allow(account)
                g.account = account
                return
        raise errors.ApiError(401, errors.NOT_AUTHENTICATED, "not authorized for that command")

    @app.after_request
    def _challenge(response: Response) -> Response:
        if response.status_code == 401:
            response.headers["WWW-Authenticate"] = 'Basic realm="Sanstone"'
        return response


def _allow(account: Account) -> None:
    """Raise ApiError when the account's role forbids the call."""
    if account.role != ADMIN and request.method not in READING:
        text = f'The role "{account.role}" does not allow changes.'
        raise errors.ApiError(403, errors.FORBIDDEN, text)


def client_address() -> str:
    """Return the client's address.

    nginx, the only peer of our socket, puts it in the place of whatever the client may have sent
    as X-Forwarded-For (etc/nginx/proxy.conf); no other header is to be trusted.
    """
    return request.headers.get("X-Forwarded-For", request.remote_addr or "")
