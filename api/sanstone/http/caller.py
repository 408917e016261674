"""The caller of the current request, and its address."""

from __future__ import annotations

from flask import g, request
from sqlalchemy import Engine

from sanstone.core import errors
from sanstone.core.database.store import reading
from sanstone.core.declaration.types import Uuid
from sanstone.http import local
from sanstone.model.security import HTTP, PASSWORD, SSH
from sanstone.security import accounts, client_certificate, roles
from sanstone.security.accounts import Actor
from sanstone.security.directory import Login


def identify(database: Engine, login: Login) -> None:
    """Set the caller as `g.actor`, and in `g.expired` whether its password must be changed first;
    `g.method` is what proved who it is.

    An account with a role that does not exist any more may do nothing.
    """
    account = login.account
    allowed = roles.built_in(account.owner_uuid).get(account.role)
    if allowed is None:
        with reading(database) as session:
            allowed = roles.privileges(session, account.owner_uuid, account.role) or {}
    g.expired = login.method == PASSWORD and accounts.expired(account)
    g.method = login.method
    application = SSH if local.by_shell() else HTTP
    g.actor = Actor(
        account.uuid,
        login.user,
        account.owner_uuid,
        account.role,
        allowed,
        client_address(),
        application,
    )


def require_allowed(path: str) -> None:
    """Raise ApiError when the caller's role forbids the request's method on a path."""
    methods = roles.allowed(g.actor.privileges, path)
    # Where everything is allowed, the router refuses an unsupported method.
    if request.method not in methods and methods != roles.METHODS["all"]:
        text = f'The role "{g.actor.role}" does not allow {request.method} of {path}.'
        arguments = (g.actor.role, request.method, path)
        raise errors.ApiError(403, errors.FORBIDDEN, text, arguments=arguments)


def require_allowed_at(place: str) -> None:
    """Raise ApiError when the role forbids the request at a place that its path spells otherwise.

    Privileges are about one spelling of each key; that of the path was looked at before.
    """
    if place != request.path.rstrip("/"):
        require_allowed(place)


def client_address() -> str:
    """Return the client's address.

    nginx overwrites the client's X-Forwarded-For with it (etc/nginx/proxy.conf), and the shell
    takes it from sshd. No other header is trusted, and this one only from a Unix socket: its peer
    has no address of its own.
    """
    return request.remote_addr or request.headers.get("X-Forwarded-For", "")


def reached_address() -> str:
    """Return the array's address that the client is connected to, '' for one on this machine.

    It comes the same way as the client's.
    """
    return "" if request.remote_addr else request.headers.get("X-Sanstone-Server-Address", "")


def certificate_name() -> str:
    """Return the common name of the certificate that the client has shown, '' for none.

    nginx has verified it, and overwrites what a client sends under the header's name; like the
    address, it comes from a Unix socket alone. The shell's socket is not nginx's.
    """
    if request.remote_addr or local.by_shell():
        return ""
    return client_certificate.common_name(request.headers.get("X-Sanstone-Client-Subject", ""))


def svm_header() -> str:
    """Return the name or UUID of the SVM that the headers name, '' for none."""
    uuid = Uuid().spelled(request.headers.get("X-Dot-SVM-UUID", ""))
    return uuid or request.headers.get("X-Dot-SVM-Name", "")
