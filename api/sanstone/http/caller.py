"""Who makes the request at hand, and from where."""

from __future__ import annotations

from flask import g, request
from sqlalchemy import Engine

from sanstone.core import accounts, roles
from sanstone.core.accounts import Account, Actor
from sanstone.core.store import reading


def identify(database: Engine, account: Account) -> Actor:
    """Note who calls: `g.actor`, and in `g.expired` whether its password must be changed first.

    An account whose role is gone may do nothing.
    """
    with reading(database) as session:
        allowed = roles.privileges(session, account.owner_uuid, account.role) or {}
        g.expired = accounts.expired(session, account)
    g.actor = Actor(
        account.uuid, account.name, account.owner_uuid, account.role, allowed, client_address()
    )
    return g.actor  # type: ignore[no-any-return]


def client_address() -> str:
    """Return the client's address.

    nginx, the only peer of our socket, puts it in the place of whatever the client may have sent
    as X-Forwarded-For (etc/nginx/proxy.conf). That header alone is trusted, and only from a Unix
    socket, whose peer has no address of its own.
    """
    return request.remote_addr or request.headers.get("X-Forwarded-For", "")


def svm_header() -> str:
    """Return the name or UUID of the SVM that the headers name, '' for none."""
    return request.headers.get("X-Dot-SVM-UUID") or request.headers.get("X-Dot-SVM-Name", "")
