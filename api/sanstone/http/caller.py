"""Who makes the request at hand, and from where."""

from __future__ import annotations

from flask import g, request
from sqlalchemy import Engine

from sanstone.core import errors
from sanstone.core.store import reading
from sanstone.http import local
from sanstone.model.security import HTTP, SSH, Account
from sanstone.security import accounts, roles
from sanstone.security.accounts import Actor


def identify(database: Engine, account: Account) -> None:
    """Note who calls: `g.actor`, and in `g.expired` whether its password must be changed first.

    An account whose role is gone may do nothing.
    """
    with reading(database) as session:
        allowed = roles.privileges(session, account.owner_uuid, account.role) or {}
        g.expired = accounts.expired(session, account)
    application = SSH if local.by_shell() else HTTP
    g.actor = Actor(
        account.uuid,
        account.name,
        account.owner_uuid,
        account.role,
        allowed,
        client_address(),
        application,
    )


def require_allowed(path: str) -> None:
    """Raise ApiError when the role of whoever calls forbids the request's method on a path."""
    methods = roles.allowed(g.actor.privileges, path)
    # Where all is allowed, a method that there is not is the router's to refuse.
    if request.method not in methods and methods != roles.METHODS["all"]:
        text = f'The role "{g.actor.role}" does not allow {request.method} of {path}.'
        raise errors.ApiError(403, errors.FORBIDDEN, text)


def client_address() -> str:
    """Return the client's address.

    nginx puts it in the place of whatever the client may have sent as X-Forwarded-For
    (etc/nginx/proxy.conf), the shell takes it from sshd. That header alone is trusted, and only
    from a Unix socket, whose peer has no address of its own.
    """
    return request.remote_addr or request.headers.get("X-Forwarded-For", "")


def svm_header() -> str:
    """Return the name or UUID of the SVM that the headers name, '' for none."""
    return request.headers.get("X-Dot-SVM-UUID") or request.headers.get("X-Dot-SVM-Name", "")
