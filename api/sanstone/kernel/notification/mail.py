"""Send a mail about events to a mail server (RFC 5321), in the clear, by STARTTLS or by TLS.

Events that happen together go out in one mail, so that a fault of many objects is one mail and not
a hundred.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from sanstone.kernel.notification.message import TIMEOUT, Message
from sanstone.kernel.notification.syslog import SEVERITIES
from sanstone.kernel.web import destination

LONGEST_SUBJECT = 200


@dataclass(frozen=True)
class MailServer:
    """A mail server, and the login there, if it wants one.

    It is spoken to by `tls` from the first byte on, by `starttls` after its greeting, or in the
    clear.
    """

    host: str
    port: int
    tls: bool = False
    starttls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)


def send(server: MailServer, context: ssl.SSLContext, mail: EmailMessage, node: str) -> None:
    """Send a mail from the node of this name. Raises OSError."""
    try:
        with _connection(server, context, node) as connection:
            if server.starttls:
                connection.starttls(context=context)
            if server.user:
                connection.login(server.user, server.password)
            connection.send_message(mail)
    except smtplib.SMTPRecipientsRefused as error:
        [(code, text), *_] = error.recipients.values()
        raise OSError(f"it refused the receiver: {code} {_printable(text)}") from error
    except smtplib.SMTPResponseException as error:
        raise OSError(f"it answered {error.smtp_code} {_printable(error.smtp_error)}") from error


class _Plain(smtplib.SMTP):
    """A connection to where one may go (`kernel.web.destination`)."""

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        return destination.connect(host, port, timeout)


class _Encrypted(smtplib.SMTP_SSL):
    """The same by TLS from the first byte on."""

    context: ssl.SSLContext

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        plain: socket.socket = destination.connect(host, port, timeout)
        return self.context.wrap_socket(plain, server_hostname=host)


def _connection(server: MailServer, context: ssl.SSLContext, node: str) -> smtplib.SMTP:
    """Return a connection. smtplib would look up the machine's name unless it gets one."""
    if server.tls:
        return _Encrypted(
            server.host, server.port, local_hostname=node, timeout=TIMEOUT, context=context
        )
    return _Plain(server.host, server.port, local_hostname=node, timeout=TIMEOUT)


def _printable(text: bytes | str) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text


def compose(sender: str, receiver: str, messages: Sequence[Message], identity: str) -> EmailMessage:
    """Return a mail about events, the oldest first. Raises ValueError for a bad address.

    One that is sent again has the same `identity`, so that mail programs show it once.
    """
    gravest = min(messages, key=lambda message: SEVERITIES[message.severity])
    more = f" and {len(messages) - 1} more" if len(messages) > 1 else ""
    subject = f"[{gravest.host}] {gravest.severity.upper()}: {gravest.text}"
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, receiver
    mail["Subject"] = " ".join(subject.split())[:LONGEST_SUBJECT] + more
    mail["Date"] = format_datetime(messages[-1].time)
    mail["Message-ID"] = f"<{identity}@{gravest.host}>"
    mail["Auto-Submitted"] = "auto-generated"  # No answer by a program (RFC 3834, 5).
    mail.set_content("\n\n".join(_paragraph(message) for message in messages) + "\n")
    return mail


def _paragraph(message: Message) -> str:
    time = message.time.isoformat(" ", timespec="seconds")
    lines = [f"{message.severity.upper()} {message.name}, {time}, {message.host}", message.text]
    return "\n".join([*lines, f"What to do: {message.remedy}"] if message.remedy else lines)
