"""Callers on this machine, who are known by their user's number instead of by a password.

Over the shell's socket comes whoever the array has logged in by SSH or at the console; the kernel
says which user holds the other end (unix(7), SO_PEERCRED), and that user is an account
(`security.logins`). No header can say otherwise. The API's own socket has two callers: nginx, for
all the others, and root, whose `sanstone-check-password` names the application that it asks for.
"""

from __future__ import annotations

import socket
import struct
from pathlib import Path

from flask import request
from sqlalchemy import Engine, select

from sanstone.core.store import reading
from sanstone.model.security import HTTP, Account
from sanstone.security import logins

SOCKET = "shell.sock"
APPLICATION = "X-Sanstone-Application"
ROOT = 0
_CREDENTIALS = struct.Struct("3i")


def _connection() -> socket.socket | None:
    """Return the Unix socket that the request came in by, None for another kind."""
    # gunicorn's name, and that of the server that tests use.
    found = request.environ.get("gunicorn.socket") or request.environ.get("werkzeug.socket")
    return found if found is not None and found.family == socket.AF_UNIX else None


def _peer(connection: socket.socket) -> int:
    """Return the number of the user at the other end."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(raw)[1])


def by_shell() -> bool:
    """Return whether the request came in by the shell's socket."""
    connection = _connection()
    return connection is not None and Path(connection.getsockname()).name == SOCKET


def account(database: Engine) -> Account | None:
    """Return the account of the user at the other end of the shell's socket, if it is one."""
    connection = _connection()
    if connection is None:
        return None
    with reading(database) as session:
        accounts = session.scalars(select(Account).order_by(Account.password_changed)).all()
        session.expunge_all()
    return logins.users(accounts).get(_peer(connection))


def application() -> str:
    """Return what a password is checked for: HTTP, unless root says otherwise."""
    connection = _connection()
    if connection is None or _peer(connection) != ROOT:
        return HTTP
    return request.headers.get(APPLICATION, HTTP)
