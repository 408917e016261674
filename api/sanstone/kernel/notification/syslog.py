"""Send messages to syslog servers, in two forms, over UDP (RFC 5426), TCP (RFC 6587) and TLS
(RFC 5425).

    rfc_5424       <PRI>1 TIME HOST sanstone - NAME - TEXT
    legacy_netapp  <PRI>TIME [HOST:NAME:SEVERITY]: TEXT

PRI is 8 times the facility (3, system daemons) plus the severity (RFC 5424, 6.2.1). Over TCP the
first form is framed by octet counting, the second ends with a line feed, as servers expect of each;
over TLS both are counted, which RFC 5425 (4.3) demands.
A server that goes away may lose what was just written; so a batch counts as delivered only when
the server has closed its side after ours, or has been silent for a while, as it always is by TLS.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from sanstone.kernel.notification.message import TIMEOUT, Message
from sanstone.kernel.web import destination

FACILITY = 3
SEVERITIES = {"emergency": 0, "alert": 1, "error": 3, "notice": 5, "informational": 6}
LARGEST = 8192
"""Most octets of a message, as many as servers accept by default."""
FAREWELL = 0.5
"""Seconds to wait for a server's end of the connection; some keep theirs open."""


@dataclass(frozen=True)
class Form:
    """Format of messages: `rfc_5424` or the other, and the format of the time, '' for the usual.

    Times are written as in `zone`.
    """

    rfc_5424: bool
    timestamp: str
    zone: tzinfo = UTC

    def render(self, message: Message) -> bytes:
        """Return the octets of a message: one line of limited length."""
        priority = f"<{FACILITY * 8 + SEVERITIES[message.severity]}>"
        moment = message.time.astimezone(self.zone)
        iso = self.timestamp.startswith("iso") or (self.rfc_5424 and not self.timestamp)
        time = moment.isoformat(timespec="milliseconds") if iso else _rfc_3164(moment)
        text = re.sub(r"[\x00-\x1f\x7f]+", " ", message.text)
        if self.rfc_5424:
            line = f"{priority}1 {time} {message.host} sanstone - {message.name[:32]} - {text}"
        else:
            line = f"{priority}{time} [{message.host}:{message.name}:{message.severity}]: {text}"
        return line.encode()[:LARGEST].decode(errors="ignore").encode()

    def frame(self, line: bytes) -> bytes:
        """Return a message framed for a stream that is not encrypted."""
        return _counted(line) if self.rfc_5424 else line + b"\n"


def _counted(line: bytes) -> bytes:
    return b"%d %s" % (len(line), line)


def _rfc_3164(time: datetime) -> str:
    """Return the time in the form of RFC 3164, 4.1.2; a day of one digit has a blank before it."""
    return f"{time:%b} {time.day:2} {time:%H:%M:%S}"


def send_udp(address: tuple[str, int], lines: Sequence[bytes]) -> None:
    """Send each line as a datagram. Raises OSError, but not if no server listens."""
    family, place = destination.resolved(*address, socket.SOCK_DGRAM)[0]
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.settimeout(TIMEOUT)
        for line in lines:
            sender.sendto(line, place)


def send_tcp(address: tuple[str, int], form: Form, lines: Sequence[bytes]) -> None:
    """Send lines over one connection. Raises OSError; some may have been delivered then."""
    with destination.connect(*address, TIMEOUT) as connection:
        connection.sendall(b"".join(form.frame(line) for line in lines))
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(FAREWELL)
        with suppress(TimeoutError):
            while connection.recv(4096):
                continue


def send_tls(address: tuple[str, int], context: ssl.SSLContext, lines: Sequence[bytes]) -> None:
    """Send lines over one encrypted connection, to a server that proves its name.

    Raises OSError; some may have been delivered then.
    """
    with (
        destination.connect(*address, TIMEOUT) as plain,
        context.wrap_socket(plain, server_hostname=address[0]) as connection,
    ):
        connection.sendall(b"".join(_counted(line) for line in lines))
        connection.settimeout(FAREWELL)
        # A server has nothing to say, unless it refuses our certificate: that comes in TLS 1.3 when
        # we have shaken hands already (RFC 8446, 4.4.2.4). We listen for it before we end our side:
        # who writes to a connection that was ended loses what came before.
        with suppress(TimeoutError):
            if not connection.recv(4096):
                raise ConnectionResetError("it ended the connection")
        connection.setblocking(False)
        with suppress(OSError):
            connection.unwrap()
