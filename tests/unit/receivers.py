"""Servers on sockets of this machine that keep the messages they get."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_server, socket
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@contextmanager
def listening(answer: Callable[[socket], None]) -> Iterator[tuple[str, int]]:
    """Give the address of a TCP server that has `answer` deal with one connection."""
    with create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield ("127.0.0.1", server.getsockname()[1])
        thread.join()


@contextmanager
def tls_listening(context: ssl.SSLContext, received: bytearray) -> Iterator[tuple[str, int]]:
    """Give the address of a TLS server that adds the bytes of one client to `received`."""

    def answer(plain: socket) -> None:
        # The client may refuse the certificate, or the server the client's.
        with suppress(OSError), context.wrap_socket(plain, server_side=True) as connection:
            while part := connection.recv(1000):
                received.extend(part)

    with listening(answer) as address:
        yield address


@dataclass
class Request:
    """A request that a web server took."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Web:
    """A web server that answers with `status`; `requests` are those that came."""

    url: str = ""
    status: int = 200
    requests: list[Request] = field(default_factory=list)


@contextmanager
def web_server(context: ssl.SSLContext | None = None) -> Iterator[Web]:
    """Give a web server, over TLS with a context."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            body = json.loads(self.rfile.read(length))
            web.requests.append(Request(self.path, dict(self.headers), body))
            self.send_response(web.status)
            self.send_header("Location", web.url)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        web.url = f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}/hook?for=san"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield web
        finally:
            server.shutdown()
            thread.join()


class Mails:
    """Takes mails, but none for `unknown@example.org`. It knows the login of `login`."""

    def __init__(self, login: tuple[str, str]) -> None:
        self.login = login
        self.mails: list[Envelope] = []
        self.users: list[Any] = []

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: Any
    ) -> str:
        """Take a receiver."""
        if address == "unknown@example.org":
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take a mail."""
        self.mails.append(envelope)
        self.users.append(session.authenticated)
        return "250 OK"

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any
    ) -> AuthResult:
        """Compare a login."""
        credentials = isinstance(data, LoginPassword) and (
            data.login.decode(),
            data.password.decode(),
        )
        return AuthResult(success=credentials == self.login, handled=False)


@contextmanager
def mail_server(
    *, starttls: ssl.SSLContext | None = None, tls: ssl.SSLContext | None = None
) -> Iterator[tuple[Mails, int]]:
    """Give the mails that came, and the port; encryption requires a login."""
    mails = Mails(("array", "a secret"))
    login: dict[str, Any] = {}
    if starttls or tls:
        login = {
            "authenticator": mails.authenticate,
            "auth_required": True,
            "auth_require_tls": starttls is not None,
        }
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(
        mails,
        "127.0.0.1",
        port,
        ssl_context=tls,
        tls_context=starttls,
        require_starttls=starttls is not None,
        **login,
    )
    controller.start()
    try:
        yield mails, port
    finally:
        controller.stop()
