"""Send messages to syslog servers, in two forms, over UDP (RFC 5426) and TCP (RFC 6587).

    rfc_5424       <PRI>1 TIME HOST sanstone - NAME - TEXT
    legacy_netapp  <PRI>TIME [HOST:NAME:SEVERITY]: TEXT

PRI is 8 times the facility (3, system daemons) plus the severity (RFC 5424, 6.2.1). Over TCP the
first form is framed by octet counting, the second ends with a line feed, as servers expect of each.
A TCP server that goes away may lose what was just written; so a batch counts as delivered only when
the server has closed its side after ours, or has been silent for a while.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

FACILITY = 3
SEVERITIES = {"emergency": 0, "alert": 1, "error": 3, "notice": 5, "informational": 6}
LARGEST = 8192
"""Most octets of a message, as many as servers accept by default."""
TIMEOUT = 5.0
"""Seconds to wait for an answer of a server."""
FAREWELL = 0.5
"""Seconds to wait for a TCP server's end of the connection; some keep theirs open."""


@dataclass(frozen=True)
class Message:
    """One message: `name` and `severity` are those of the event log."""

    time: datetime
    host: str
    name: str
    severity: str
    text: str


@dataclass(frozen=True)
class Form:
    """Format of messages: `rfc_5424` or the other, and the format of the time, '' for the usual."""

    rfc_5424: bool
    timestamp: str

    def render(self, message: Message) -> bytes:
        """Return the octets of a message: one line of limited length."""
        priority = f"<{FACILITY * 8 + SEVERITIES[message.severity]}>"
        iso = self.timestamp.startswith("iso") or (self.rfc_5424 and not self.timestamp)
        time = message.time.isoformat(timespec="milliseconds") if iso else _rfc_3164(message.time)
        text = re.sub(r"[\x00-\x1f\x7f]+", " ", message.text)
        if self.rfc_5424:
            line = f"{priority}1 {time} {message.host} sanstone - {message.name[:32]} - {text}"
        else:
            line = f"{priority}{time} [{message.host}:{message.name}:{message.severity}]: {text}"
        return line.encode()[:LARGEST].decode(errors="ignore").encode()

    def frame(self, line: bytes) -> bytes:
        """Return a message framed for a stream."""
        return b"%d %s" % (len(line), line) if self.rfc_5424 else line + b"\n"


def _rfc_3164(time: datetime) -> str:
    """Return the time in the form of RFC 3164, 4.1.2; a day of one digit has a blank before it."""
    return f"{time:%b} {time.day:2} {time:%H:%M:%S}"


def send_udp(address: tuple[str, int], lines: Sequence[bytes]) -> None:
    """Send each line as a datagram. Raises OSError, but not if no server listens."""
    addresses = socket.getaddrinfo(*_named(address), type=socket.SOCK_DGRAM)
    family, kind, protocol, _, place = addresses[0]
    with socket.socket(family, kind, protocol) as sender:
        sender.settimeout(TIMEOUT)
        for line in lines:
            sender.sendto(line, place)


def send_tcp(address: tuple[str, int], form: Form, lines: Sequence[bytes]) -> None:
    """Send lines over one connection. Raises OSError; some may have been delivered then."""
    with socket.create_connection(_named(address), TIMEOUT) as connection:
        connection.sendall(b"".join(form.frame(line) for line in lines))
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(FAREWELL)
        try:
            while connection.recv(4096):
                continue
        except TimeoutError:
            return


def _named(address: tuple[str, int]) -> tuple[str, int]:
    """Return an address whose name can be resolved. Raises OSError."""
    try:
        address[0].encode("idna")
    except UnicodeError as error:
        raise OSError(f"{address[0]} is no name of a host: {error}") from error
    return address
