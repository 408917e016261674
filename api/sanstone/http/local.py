"""Callers on this machine, authenticated by their user number instead of a password.

The shell's socket is for users who logged in by SSH or at the console; the kernel
reports the user at the other end (unix(7), SO_PEERCRED), and that user is an account
(`security.logins`). No header can override this. The API's own socket has two callers: nginx, for
all other clients, and root, with its `sanstone-check-password`, which names the application of the
login.
"""

from __future__ import annotations

import socket
import struct
from pathlib import Path

from flask import request
from sqlalchemy import Engine, select

from sanstone.core.database.store import reading
from sanstone.model.security import HTTP, Account
from sanstone.security import logins
from sanstone.security.directory import Login

SOCKET = "shell.sock"
APPLICATION = "X-Sanstone-Application"
ROOT = 0
_CREDENTIALS = struct.Struct("3i")


def _connection() -> socket.socket | None:
    """Return the Unix socket of the request, None for another kind of socket."""
    # gunicorn's name, and that of the tests' server.
    connection = request.environ.get("gunicorn.socket") or request.environ.get("werkzeug.socket")
    return connection if connection is not None and connection.family == socket.AF_UNIX else None


def _peer(connection: socket.socket) -> int:
    """Return the user number of the peer."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(raw)[1])


def by_shell() -> bool:
    """Return whether the request came through the shell's socket."""
    connection = _connection()
    return connection is not None and Path(connection.getsockname()).name == SOCKET


def login(database: Engine) -> Login | None:
    """Return the login of the peer on the shell's socket, or None."""
    connection = _connection()
    if connection is None:
        return None
    with reading(database) as session:
        accounts = session.scalars(select(Account).order_by(Account.password_changed)).all()
        session.expunge_all()
    account = logins.users(accounts).get(_peer(connection))
    return Login(account, account.name) if account else None


def application() -> str:
    """Return the application that a password is checked for: HTTP, unless root names another."""
    connection = _connection()
    if connection is None or _peer(connection) != ROOT:
        return HTTP
    return request.headers.get(APPLICATION, HTTP)
