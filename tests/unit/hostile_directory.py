"""An LDAP server that answers as no good one does: with bytes that a test makes (RFC 4511, 4).

It speaks TLS from the first byte on, by the certificate of `tls_material`.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from socket import SHUT_RDWR, create_server, socket

from tls_material import material

from sanstone.security.certificates import KeyAndText

BIND, ENTRY, DONE, REFERENCE = 0x61, 0x64, 0x65, 0x73
"""Tags of answers (RFC 4511, 4.2.2 and 4.5.2)."""
SUCCESS, REFERRAL = 0, 10


def element(tag: int, *contents: bytes) -> bytes:
    """Return an element of BER, its length in four bytes."""
    content = b"".join(contents)
    return bytes((tag, 0x84)) + len(content).to_bytes(4) + content


def text(value: str | bytes) -> bytes:
    """Return an octet string."""
    return element(4, value.encode() if isinstance(value, str) else value)


def message(number: int, operation: bytes) -> bytes:
    """Return an answer to the request of a number below 128."""
    return element(0x30, bytes((2, 1, number)), operation)


def result(tag: int, code: int = SUCCESS, diagnostic: str = "", *referrals: str) -> bytes:
    """Return how an operation ended, with the URLs of where to go on."""
    parts = [bytes((10, 1, code)), text(""), text(diagnostic)]
    if referrals:
        parts.append(element(0xA3, *(text(url) for url in referrals)))
    return element(tag, *parts)


def entry(dn: str, /, **attributes: str | bytes) -> bytes:
    """Return an entry that was found, with one value of each attribute."""
    lists = (element(0x30, text(n), element(0x31, text(v))) for n, v in attributes.items())
    return element(ENTRY, text(dn), element(0x30, *lists))


@dataclass
class Conversation:
    """A client's connection. The client asks by numbers from 1 on, each after an answer."""

    connection: ssl.SSLSocket
    number: int = 0

    def hear(self) -> None:
        """Take the next request."""
        if not self.connection.recv(65_536):
            raise ConnectionResetError
        self.number += 1

    def say(self, *operations: bytes) -> None:
        """Answer the last request."""
        self.connection.sendall(b"".join(message(self.number, each) for each in operations))

    def let_bind(self) -> None:
        """Accept the first bind, and receive the next request."""
        self.hear()
        self.say(result(BIND))
        self.hear()


@dataclass
class HostileDirectory:
    """The server; `ended` counts the conversations that are over."""

    port: int
    began: int = 0
    ended: list[int] = field(default_factory=list)


Answer = Callable[[Conversation], None]


@contextmanager
def hostile_directory(
    *answers: Answer, certificate: KeyAndText | None = None
) -> Iterator[HostileDirectory]:
    """Give a server that answers each connection by the next of `answers`, then by the last again.

    An OSError of an answer ends its conversation, as when the client closes it.
    """
    context = material().server_context(certificate)
    with create_server(("127.0.0.1", 0)) as listening:
        server = HostileDirectory(listening.getsockname()[1])

        def talk(plain: socket, number: int) -> None:
            with plain, suppress(OSError), context.wrap_socket(plain, server_side=True) as secure:
                answers[min(number, len(answers) - 1)](Conversation(secure))
            server.ended.append(number)

        def serve() -> None:
            while True:
                try:
                    plain, _ = listening.accept()
                except OSError:
                    return
                talk(plain, server.began)
                server.began += 1

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown(SHUT_RDWR)
            thread.join()
