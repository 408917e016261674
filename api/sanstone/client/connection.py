"""Connections to an array: its local socket, or TLS.

Over the socket the array identifies the caller by the peer's credentials (unix(7), SO_PEERCRED), so
no password is needed; over TLS it is HTTP basic authentication. Certificates are verified unless
the caller trusts the network: an array signs its first certificate itself.
"""

from __future__ import annotations

import base64
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

TIMEOUT = 150.0
"""Seconds; above the longest time that the API waits for a job (120 s)."""


@dataclass(frozen=True)
class Way:
    """How to reach an array: the function that connects, and the headers that authenticate.

    `login` are the fields of a login beside a code, where the array asks for one.
    """

    connect: Callable[[], HTTPConnection]
    headers: Mapping[str, str] = field(default_factory=dict)
    login: Mapping[str, str] = field(default_factory=dict)


class SocketConnection(HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=TIMEOUT)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket. Raises OSError."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def local(path: str) -> Way:
    """Return the way through the array's own socket, as the user of this process."""
    return Way(lambda: SocketConnection(path))


def remote(url: str, user: str, password: str, *, authority: str = "", verify: bool = True) -> Way:
    """Return the way to `https://host[:port]`; `authority` is a file of trusted certificates.

    Raises ValueError for another URL, OSError or ssl.SSLError for a bad file.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError(f"{url} is not of the form https://host[:port]")
    host, port = parts.hostname, parts.port
    context = ssl.create_default_context(cafile=authority or None)
    if not verify:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    login = base64.b64encode(f"{user}:{password}".encode()).decode()

    def connect() -> HTTPConnection:
        if parts.scheme == "http":
            return HTTPConnection(host, port, timeout=TIMEOUT)
        return HTTPSConnection(host, port, timeout=TIMEOUT, context=context)

    return Way(connect, {"Authorization": f"Basic {login}"}, {"name": user, "password": password})
