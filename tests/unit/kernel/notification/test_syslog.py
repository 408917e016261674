"""Messages as syslog servers get them, over sockets of this machine."""

from __future__ import annotations

import socket
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from patience import HOUR
from receivers import listening, tls_listening
from tls_material import material

from sanstone.kernel.notification import syslog
from sanstone.kernel.notification.message import Message
from sanstone.kernel.tls import Trust

MESSAGE = Message(
    datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC),
    "array-01",
    "disk.missing",
    "error",
    "Disk 1.0.3 is missing.",
)
RFC_5424, LEGACY = syslog.Form(True, ""), syslog.Form(False, "")


def test_the_form_of_rfc_5424() -> None:
    line = b"<27>1 2026-01-02T03:04:05.678+00:00 array-01 sanstone - disk.missing - "
    assert RFC_5424.render(MESSAGE) == line + b"Disk 1.0.3 is missing."


def test_the_form_of_ontap() -> None:
    line = b"<27>Jan  2 03:04:05 [array-01:disk.missing:error]: Disk 1.0.3 is missing."
    assert LEGACY.render(MESSAGE) == line


def test_the_form_of_the_time() -> None:
    zone = timezone(timedelta(hours=2))
    local = Message(MESSAGE.time, "a", "n", "alert", "t")
    iso = syslog.Form(False, "iso_8601_local_time", zone)
    assert b"<25>2026-01-02T05:04:05.678+02:00 [a" in iso.render(local)
    assert b"<25>1 Jan  2 05:04:05 a " in syslog.Form(True, "rfc_3164", zone).render(local)


def test_a_message_is_one_line_and_not_too_long() -> None:
    split = Message(MESSAGE.time, "a", "n" * 40, "notice", "one\r\n<0>two\x00" + "ü" * 9000)
    line = RFC_5424.render(split)
    assert b"\n" not in line and b"one <0>two " in line
    assert len(line) <= syslog.LARGEST
    assert line.decode().endswith("ü")
    assert f" - {'n' * 32} - " in line.decode()


def test_datagrams() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        syslog.send_udp(("localhost", server.getsockname()[1]), [b"one", b"two"])
        assert [server.recv(100), server.recv(100)] == [b"one", b"two"]


@pytest.mark.parametrize(
    ("form", "stream"), [(RFC_5424, b"3 one5 three"), (LEGACY, b"one\nthree\n")]
)
def test_a_stream_is_framed_as_servers_expect(form: syslog.Form, stream: bytes) -> None:
    received = bytearray()

    def answer(connection: socket.socket) -> None:
        while part := connection.recv(100):
            received.extend(part)

    with listening(answer) as address:
        syslog.send_tcp(address, form, [b"one", b"three"])
    assert bytes(received) == stream


def test_a_server_that_keeps_its_side_open_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(syslog, "FAREWELL", 0.01)
    has_returned = threading.Event()

    def wait(_connection: socket.socket) -> None:
        has_returned.wait()

    with listening(wait) as address:
        syslog.send_tcp(address, LEGACY, [b"one"])
        has_returned.set()


def test_by_tls_messages_are_counted_in_both_forms() -> None:
    received = bytearray()
    with tls_listening(material().server_context(), received) as address:
        context = Trust((material().authority.text,)).context()
        syslog.send_tls(address, context, [b"<1>one", "<1>zwölf".encode()])
    assert bytes(received) == "6 <1>one9 <1>zwölf".encode()


def test_a_tls_server_without_a_trusted_certificate_gets_nothing() -> None:
    received = bytearray()
    with (
        tls_listening(material().server_context(), received) as address,
        pytest.raises(OSError, match="unable to get local issuer certificate"),
    ):
        syslog.send_tls(address, Trust().context(), [b"secret"])
    assert received == b""


def test_a_tls_server_with_another_name_gets_nothing() -> None:
    received = bytearray()
    with (
        tls_listening(material().server_context(), received) as (_, port),
        pytest.raises(OSError, match="localhost"),
    ):
        context = Trust((material().authority.text,)).context()
        syslog.send_tls(("localhost", port), context, [b"secret"])
    assert received == b""


def test_a_tls_server_may_require_a_client_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    authorities, received = (material().authority.text,), bytearray()
    monkeypatch.setattr(syslog, "FAREWELL", HOUR)
    with (
        tls_listening(material().server_context(asks=True), received) as address,
        pytest.raises(OSError, match=r"(?i)certificate.required|EOF|reset|broken pipe"),
    ):
        syslog.send_tls(address, Trust(authorities).context(), [b"one"])
    monkeypatch.setattr(syslog, "FAREWELL", 0.01)
    trust = Trust(authorities, material().client.text, material().client.key)
    with tls_listening(material().server_context(asks=True), received) as address:
        syslog.send_tls(address, trust.context(), [b"one"])
    assert bytes(received) == b"3 one"


def test_a_message_that_cannot_be_sent_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        syslog.send_tcp(("127.0.0.1", port), LEGACY, [b"one"])
    for name in ("x" * 70, "a..b"):
        with pytest.raises(OSError, match="no name of a host"):
            syslog.send_udp((name, port), [b"one"])
