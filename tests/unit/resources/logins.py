"""Accounts and roles to test with, and requests as somebody else than the administrator."""

from __future__ import annotations

from typing import Any

from in_process import Array
from werkzeug.test import TestResponse

ACCOUNTS, ROLES = "security/accounts", "security/roles"
OWN = "security/authentication/password"
RULES = "private/cli/security/login/role/config"
HTTP = [{"application": "http", "authentication_methods": ["password"]}]
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
PASSWORD = "first pass 1"


def account(api: Array, name: str, role: str = "readonly", **more: Any) -> str:
    """Make an account that can log in, and return its path."""
    body = {"name": name, "role": role, "applications": HTTP, "password": PASSWORD, **more}
    created = api.make(ACCOUNTS, body)
    return f"{ACCOUNTS}/{created['owner']['uuid']}/{name}"


def role(api: Array, name: str, **privileges: str) -> None:
    """Make a role; `storage__luns="all"` is a privilege for /api/storage/luns."""
    privileges_body = [
        {"path": f"/api/{p.replace('__', '/')}", "access": a} for p, a in privileges.items()
    ]
    api.make(ROLES, {"name": name, "privileges": privileges_body})


def as_(
    api: Array, name: str, method: str, path: str, body: Any = None, password: str = PASSWORD
) -> TestResponse:
    """Send a request as another account."""
    return api.client.open(f"/api/{path}", method=method, json=body, auth=(name, password))


def status(*request: Any, **more: Any) -> int:
    """Return the status of `as_`."""
    return as_(*request, **more).status_code
