"""Destinations get their events in time, and those out of reach get them later."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from receivers import mail_server, tls_listening, web_server
from simulator import Simulator
from sqlalchemy import select
from tls_material import material
from web_client_process import urls_are_opened

from sanstone.core import events, places
from sanstone.core.database.store import reading, writing
from sanstone.core.events import Event
from sanstone.core.observed import load
from sanstone.model.events import EmsDestination
from sanstone.reconcile.tasks import event_channels, event_forwarder
from sanstone.reconcile.tasks.event_forwarder import Forwarder

PATH = EmsDestination.kind
TCP = {"transport": "tcp_unencrypted"}


@pytest.fixture(autouse=True)
def urls_are_opened_for(array: Simulator) -> Iterator[None]:
    """The process that sends to web servers."""
    with urls_are_opened(places.web_client()):
        yield


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A syslog server on UDP."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(30)
        yield listener


def destination(array: Simulator, port: int, name: str = "logs", **syslog: str) -> None:
    """Have important events sent to a port of this machine."""
    body = {
        "name": name,
        "type": "syslog",
        "destination": "127.0.0.1",
        "filters": ["important-events"],
        "syslog": {"port": port} | syslog,
    }
    array.do("POST", PATH, body)


def happen(array: Simulator, *names: str, severity: str = events.ERROR) -> None:
    with writing(array.database) as session:
        for name in names:
            events.emit(session, severity, name, f"This is {name}.")


def event_names(server: socket.socket) -> list[str]:
    """Return the names of the events in all datagrams that came."""
    server.setblocking(False)
    names = []
    while True:
        try:
            names.append(server.recv(9000).decode().split(":")[-3])
        except BlockingIOError:
            return names


def newest(array: Simulator, name: str) -> list[str]:
    with reading(array.database) as session:
        events = session.scalars(select(Event).filter_by(name=name))
        return [event.message for event in events]


def state(array: Simulator) -> str:
    return str(array.get(f"{PATH}/logs")["connectivity"]["state"])


def test_a_new_destination_gets_later_events_only(array: Simulator, server: socket.socket) -> None:
    happen(array, "before")
    destination(array, server.getsockname()[1])
    forwarder = Forwarder(array.database)
    assert forwarder.forward(0.0) is False
    happen(array, "a.b", "a.c")
    happen(array, "quiet", severity=events.NOTICE)
    forwarder.forward(1.0)
    forwarder.forward(2.0)
    assert event_names(server) == ["a.b", "a.c"]
    assert state(array) == "success"


def test_a_restart_repeats_nothing(array: Simulator, server: socket.socket) -> None:
    destination(array, server.getsockname()[1])
    happen(array, "first")
    Forwarder(array.database).forward(0.0)
    happen(array, "second")
    Forwarder(array.database).forward(0.0)
    assert event_names(server) == ["first", "second"]


def test_many_events_go_in_batches(
    array: Simulator, server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_channels.Syslog, "batch", 2)
    destination(array, server.getsockname()[1])
    happen(array, "a", "b", "c", "d", "e")
    forwarder = Forwarder(array.database)
    assert [forwarder.forward(0.0) for _ in range(3)] == [True, True, False]
    assert event_names(server) == ["a", "b", "c", "d", "e"]


def test_an_unreachable_destination_is_an_event_and_gets_its_events_later(array: Simulator) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    destination(array, port, **TCP)
    forwarder = Forwarder(array.database)
    happen(array, "lost")
    for now in (0.0, 1.0, event_forwarder.SHORTEST):
        forwarder.forward(now)
    assert state(array) == "fail"
    [text] = newest(array, "ems.destination.unreachable")
    assert '"logs"' in text and "refused" in text
    received = bytearray()
    with socket.create_server(("127.0.0.1", port)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                while part := connection.recv(1000):
                    received.extend(part)

        thread = threading.Thread(target=serve)
        thread.start()
        forwarder.forward(1000.0)
        thread.join()
    assert b"This is lost." in received
    assert b"Events do not reach destination" in received, "the fault itself is an important event"
    assert state(array) == "success"
    assert len(newest(array, "ems.destination.unreachable.resolved")) == 1


def test_retries_come_at_growing_delays(array: Simulator) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        destination(array, closed.getsockname()[1], **TCP)
    happen(array, "lost")
    tried: list[float] = []
    forwarder = Forwarder(array.database)
    with pytest.MonkeyPatch.context() as patch:

        def refuse(*_arguments: object) -> None:
            tried.append(now)
            raise ConnectionRefusedError("refused")

        patch.setattr("sanstone.kernel.notification.syslog.send_tcp", refuse)
        for now in (float(second) for second in range(1000)):
            forwarder.forward(now)
    assert tried == [0, 5, 15, 35, 75, 155, 315, 615, 915]


def test_a_destination_with_a_new_address_is_tried_at_once(
    array: Simulator, server: socket.socket
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        destination(array, closed.getsockname()[1], **TCP)
    happen(array, "a")
    forwarder = Forwarder(array.database)
    forwarder.forward(0.0)
    syslog = {"port": server.getsockname()[1], "transport": "udp_unencrypted"}
    array.do("PATCH", f"{PATH}/logs", {"syslog": syslog})
    forwarder.forward(0.1)
    assert event_names(server)[0] == "a"


def test_after_a_long_outage_only_the_newest_events_are_sent(
    array: Simulator, server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_forwarder, "BACKLOG", 2)
    destination(array, server.getsockname()[1])
    happen(array, "a", "b", "c", "d", "e")
    forwarder = Forwarder(array.database)
    forwarder.forward(0.0)
    assert event_names(server) == ["d", "e"]
    assert newest(array, "ems.destination.missed") == ['Destination "logs" missed 3 older events.']


def test_an_unreachable_destination_does_not_delay_others(
    array: Simulator, server: socket.socket
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        destination(array, closed.getsockname()[1], **TCP)
    destination(array, server.getsockname()[1], "others")
    happen(array, "a")
    Forwarder(array.database).forward(0.0)
    assert "a" in event_names(server)


def test_of_one_that_was_deleted_nothing_is_kept(array: Simulator, server: socket.socket) -> None:
    destination(array, server.getsockname()[1])
    happen(array, "a")
    forwarder = Forwarder(array.database)
    forwarder.forward(0.0)
    array.do("DELETE", f"{PATH}/logs")
    forwarder.forward(1.0)
    with reading(array.database) as session:
        assert load(session, PATH) == {}


def test_one_run_sends_all_pending_events(array: Simulator, server: socket.socket) -> None:
    destination(array, server.getsockname()[1])
    happen(array, "a")
    assert not Forwarder(array.database).deliver()
    assert b":a:error]: This is a." in server.recv(1000)
    assert state(array) == "success"


def vouch(array: Simulator) -> None:
    """Have the array believe servers of the authority of the tests."""
    body = {"type": "server_ca", "public_certificate": material().authority.text}
    array.do("POST", "security/certificates", body)


def receiver(array: Simulator, kind: str, place: str, **more: object) -> None:
    """Have important events sent to a receiver, `logs`."""
    body = {"name": "logs", "type": kind, "destination": place, "filters": ["important-events"]}
    array.do("POST", PATH, body | more)


def test_syslog_by_tls_works_once_the_authority_is_installed(array: Simulator) -> None:
    received = bytearray()
    forwarder = Forwarder(array.database)
    with tls_listening(material().server_context(), received) as (_, port):
        destination(array, port, transport="tcp_encrypted")
        happen(array, "a")
        forwarder.forward(0.0)
    assert state(array) == "fail" and received == b""
    [error] = array.get(f"{PATH}/logs")["connectivity"]["errors"]
    assert (
        "its certificate is not accepted: unable to get local issuer" in error["message"]["message"]
    )
    vouch(array)
    with tls_listening(material().server_context(), received) as (_, port):
        array.do("PATCH", f"{PATH}/logs", {"syslog": {"port": port}})
        forwarder.forward(0.0)
    assert b":a:error]: This is a." in received
    assert state(array) == "success"


def test_events_of_a_run_are_one_mail(array: Simulator) -> None:
    receiver(array, "email", "duty@example.org")
    happen(array, "a", "b")
    happen(array, "quiet", severity=events.NOTICE)
    forwarder = Forwarder(array.database)
    forwarder.forward(0.0)
    [error] = array.get(f"{PATH}/logs")["connectivity"]["errors"]
    assert error["message"]["message"] == "mail_server and mail_from of support/ems are not set"
    vouch(array)
    with mail_server(starttls=material().server_context()) as (mails, port):
        body = {"mail_from": "array@example.org", "mail_server": "127.0.0.1"}
        login = {"mail_server_user": "array", "mail_server_password": "a secret"}
        array.do("PATCH", "support/ems", body | login | {"mail_server_port": port})
        forwarder.forward(0.1)
    [mail] = mails.mails
    assert mail.rcpt_tos == ["duty@example.org"] and isinstance(mail.content, bytes)
    assert b"Subject: [array-01] ERROR: This is a. and 2 more" in mail.content
    assert b"This is b." in mail.content and b"quiet" not in mail.content
    assert b"Events do not reach destination" in mail.content, (
        "that it was out of reach is an event"
    )
    assert state(array) == "success"


def test_a_webhook_gets_each_event_as_rest_shows_it(array: Simulator) -> None:
    vouch(array)
    with web_server(material().server_context()) as web:
        receiver(array, "rest_api", web.url)
        happen(array, "a", "b")
        Forwarder(array.database).forward(0.0)
    records = array.get("support/ems/events?message.name=a|b&fields=*")["records"]
    assert [request.body for request in web.requests] == [
        {name: value for name, value in record.items() if name != "_links"} for record in records
    ]
    assert state(array) == "success"


def test_a_webhook_is_called_with_the_clients_certificate(array: Simulator) -> None:
    vouch(array)
    client = material().client
    body = {"type": "client", "public_certificate": client.text, "private_key": client.key}
    array.do("POST", "security/certificates", body | {"name": "caller"})
    with web_server(material().server_context(asks=True)) as web:
        receiver(array, "rest_api", web.url, certificate={"name": "caller"})
        happen(array, "a")
        Forwarder(array.database).forward(0.0)
    assert [request.body["message"]["name"] for request in web.requests] == ["a"]


def test_a_webhook_that_refuses_is_called_later(array: Simulator) -> None:
    forwarder = Forwarder(array.database)
    with web_server() as web:
        web.status = 503
        receiver(array, "rest_api", web.url)
        happen(array, "a")
        forwarder.forward(0.0)
        [error] = array.get(f"{PATH}/logs")["connectivity"]["errors"]
        assert error["message"]["message"] == "it answered 503 Service Unavailable"
        web.status = 202
        forwarder.forward(1.0)
        assert len(web.requests) == 1, "it is too early"
        forwarder.forward(event_forwarder.SHORTEST)
    assert [r.body["message"]["name"] for r in web.requests[1:]] == [
        "a",
        "ems.destination.unreachable",
    ]
    assert state(array) == "success"


def test_a_webhook_is_called_by_way_of_the_proxy(array: Simulator) -> None:
    with web_server() as proxy:
        address = proxy.url.rpartition("/")[0]
        login = {"proxy_user": "a b", "proxy_password": "c:d"}
        array.do("PATCH", "support/ems", {"proxy_url": address} | login)
        receiver(array, "rest_api", "http://hooks.example.org/san")
        happen(array, "a")
        Forwarder(array.database).forward(0.0)
    [request] = proxy.requests
    assert request.path == "http://hooks.example.org/san"
    assert request.headers["Proxy-Authorization"] == "Basic YSBiOmM6ZA=="


def test_a_destination_that_the_api_would_refuse_gets_nothing(array: Simulator) -> None:
    receiver(array, "rest_api", "https://hooks.example.org/")
    with writing(array.database) as session:
        session.scalars(select(EmsDestination)).one().destination = "file:///etc/passwd"
    happen(array, "a")
    Forwarder(array.database).forward(0.0)
    [error] = array.get(f"{PATH}/logs")["connectivity"]["errors"]
    assert "no request can have set" in error["message"]["message"]
