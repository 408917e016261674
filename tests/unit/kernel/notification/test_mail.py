"""Mails about events, as a mail server gets them."""

from __future__ import annotations

import email
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage

import pytest
from receivers import mail_server
from tls_material import material

from sanstone.kernel.notification import mail
from sanstone.kernel.notification.mail import MailServer
from sanstone.kernel.notification.message import Message
from sanstone.kernel.tls import Trust

TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
QUIET = Message(TIME, "array-01", "node.power", "notice", "The node restarts.")
GRAVE = Message(TIME, "array-01", "disk.missing", "alert", "Disk ü is missing.", "Replace it.")
FROM, TO = "array@example.org", "duty@example.org"


def composed(receiver: str = TO) -> EmailMessage:
    return mail.compose(FROM, receiver, [QUIET, GRAVE], "id.7")


def secure(port: int, *, tls: bool = False, password: str = "a secret") -> MailServer:
    """Return a server that is spoken to by TLS, else by STARTTLS, with a login."""
    return MailServer("127.0.0.1", port, tls, not tls, "array", password)


def send(server: MailServer, receiver: str = TO) -> None:
    context = Trust((material().authority.text,)).context()
    mail.send(server, context, composed(receiver), "array-01")


def test_events_that_happen_together_are_one_mail() -> None:
    with mail_server() as (mails, port):
        send(MailServer("127.0.0.1", port))
    [mail] = mails.mails
    assert (mail.mail_from, mail.rcpt_tos) == (FROM, [TO])
    assert isinstance(mail.content, bytes)
    read = email.message_from_bytes(mail.content, policy=policy.default)
    assert read["Subject"] == "[array-01] ALERT: Disk ü is missing. and 1 more"
    assert (read["From"], read["To"]) == (FROM, TO)
    assert read["Date"].datetime == TIME
    assert read["Message-ID"] == "<id.7@array-01>"
    assert read.get_content().splitlines() == [
        "NOTICE node.power, 2026-01-02 03:04:05+00:00, array-01",
        "The node restarts.",
        "",
        "ALERT disk.missing, 2026-01-02 03:04:05+00:00, array-01",
        "Disk ü is missing.",
        "What to do: Replace it.",
    ]


def test_one_event_is_its_subject() -> None:
    alone = Message(TIME, "a", "n", "error", "One\nline " + "long " * 100)
    subject = mail.compose(FROM, TO, [alone], "i")["Subject"]
    assert subject.startswith("[a] ERROR: One line long long")
    assert len(subject) <= mail.LONGEST_SUBJECT and "more" not in subject


def test_a_login_by_starttls() -> None:
    with mail_server(starttls=material().server_context()) as (mails, port):
        send(secure(port))
    assert mails.users == [True]


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_login_by_tls() -> None:
    with mail_server(tls=material().server_context()) as (mails, port):
        send(secure(port, tls=True))
    assert mails.users == [True]


def test_a_wrong_login_is_an_error() -> None:
    with (
        mail_server(starttls=material().server_context()) as (mails, port),
        pytest.raises(OSError, match="it answered 535") as error,
    ):
        send(secure(port, password="wrong"))
    assert mails.mails == [] and "wrong" not in str(error.value)


def test_a_receiver_that_the_server_refuses_is_an_error() -> None:
    with (
        mail_server() as (_, port),
        pytest.raises(OSError, match="it refused the receiver: 550 no such mailbox"),
    ):
        send(MailServer("127.0.0.1", port), "unknown@example.org")


def test_a_server_without_a_trusted_certificate_does_not_get_the_password() -> None:
    with (
        mail_server(starttls=material().server_context()) as (mails, port),
        pytest.raises(OSError, match="certificate verify failed"),
    ):
        mail.send(secure(port), Trust().context(), composed(), "array-01")
    assert mails.mails == []


def test_a_server_without_starttls_gets_no_mail_in_the_clear() -> None:
    with mail_server() as (mails, port), pytest.raises(OSError, match="STARTTLS"):
        send(MailServer("127.0.0.1", port, starttls=True))
    assert mails.mails == []
