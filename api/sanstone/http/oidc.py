"""`security/session/oidc`: where a login by the identity provider begins (see `security.oidc`).

The login page gets the provider's name, if there is one; nobody need be logged in for that, and no
more is shown. Its link leads to the address that the configuration has for the array, where the
browser gets a cookie and is sent on to the provider. It comes back to a page of the web interface,
which logs in by POST of `security/session` with what the provider has given it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

from flask import Flask, Response

from sanstone.core import errors
from sanstone.http.answers import answer
from sanstone.security import oidc
from sanstone.security.authentication import Authenticator

PATH = "/api/security/session/oidc"
LOGIN = f"{PATH}/login"
OPEN = frozenset({("GET", PATH), ("GET", LOGIN)})
"""Requests of users who are not logged in yet."""
COOKIE = "__Host-sanstone-oidc"


def register(app: Flask, authenticator: Authenticator) -> None:
    """Add the routes."""

    @app.get(PATH)
    def _tell() -> Response:
        shown = authenticator.provider.shown()
        offer: dict[str, Any] = {"enabled": shown is not None}
        if shown:
            offer |= {"provider": shown.provider, "login_url": urljoin(shown.redirect_uri, LOGIN)}
        response = answer(offer)
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get(LOGIN)
    def _begin() -> Response:
        try:
            login = authenticator.provider.begin()
        except errors.ApiError:
            # It was there when the page was loaded; a browser is shown the page as it is now.
            return _sent_to("/")
        response = _sent_to(login.url)
        age = int(oidc.LASTS)
        response.set_cookie(
            COOKIE, login.cookie, age, secure=True, httponly=True, samesite="Strict", path="/"
        )
        return response


def _sent_to(url: str) -> Response:
    return Response(status=302, headers={"Location": url, "Cache-Control": "no-store"})


def describe() -> dict[str, dict[str, Any]]:
    """Return the operations for the OpenAPI description, by path and method."""
    shown = {
        "type": "object",
        "properties": {
            "enabled": {"type": "boolean"},
            "provider": {"type": "string", "description": "What the provider is called."},
            "login_url": {"type": "string", "format": "uri"},
        },
    }
    return {
        PATH: {
            "get": {
                "summary": "Tell whether there is a login by an identity provider",
                "description": "And where it begins: see `security/authentication/cluster/oidc`.",
                "security": [],
                "answer": ("200", shown),
            }
        },
        LOGIN: {
            "get": {
                "summary": "Begin a login by the identity provider",
                "description": f"Sets the cookie {COOKIE}, and sends the browser to the provider, "
                "or to the login page where there is none. It comes back to the `redirect_uri` "
                "with the `code` and the `state` that POST of `security/session` takes within ten "
                "minutes, once.",
                "security": [],
                "answer": ("302", None),
            }
        },
    }
