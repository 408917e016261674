"""Calls of the API over real connections, and their failures."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from pathlib import Path
from socketserver import UnixStreamServer
from threading import Thread
from typing import Any

import pytest
from installed import installed_array
from served import served
from simulator import LOGIN, Simulator
from system_disk import Package

from sanstone.client import connection, errors, rest
from sanstone.client.connection import local, remote
from sanstone.client.errors import NotAuthenticated
from sanstone.client.rest import Array
from sanstone.kernel.host import CommandError


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Simulator, Array]]:
    """A simulated array and a client of it."""
    with served(tmp_path_factory.mktemp("array")) as (simulator, array):
        yield simulator, array


def test_a_change_returns_when_its_job_has_ended(world: tuple[Simulator, Array]) -> None:
    _, array = world
    created = array.create("svm/svms", {"name": "svm1"})
    assert created["name"] == "svm1" and array.job
    array.modify(f"svm/svms/{created['uuid']}", {"comment": "new"})
    assert array.get(f"svm/svms/{created['uuid']}", {"fields": "comment"})["comment"] == "new"
    array.delete(f"svm/svms/{created['uuid']}")
    assert list(array.records("svm/svms")) == []


def test_an_account_with_codes_works_in_a_session(
    world: tuple[Simulator, Array],
) -> None:
    _, array = world
    entry = {"application": "http", "authentication_methods": ["password"]}
    asking = {**entry, "second_authentication_method": "totp"}
    password = "a long Password 1"
    joe = {"name": "joe", "password": password, "applications": [asking]}
    array.create("security/accounts", joe)
    profile = array.create("security/login/totps", {"account.name": "joe"})
    host, port = array._way.connect().host, array._way.connect().port
    way = remote(f"http://{host}:{port}", "joe", password)
    codes = ["", *profile["emergency_codes"]]
    with Array(way) as program, pytest.raises(NotAuthenticated, match="needs a verification code"):
        program.get("cluster")
    with Array(way, lambda _why: codes.pop(0)) as client:
        with pytest.raises(NotAuthenticated, match="needs a verification code"):
            client.get("cluster")
        created = client.create("svm/svms", {"name": "svm1"})
        client.delete(f"svm/svms/{created['uuid']}")
        assert len(codes) == 4
        client.log_out()
        client.get("cluster")
        assert len(codes) == 3, "after the end of the session"
        client.log_out()
    wrong = remote(f"http://{host}:{port}", "joe", "wrong")
    with Array(wrong, lambda _why: codes.pop(0)) as client:
        with pytest.raises(NotAuthenticated, match="not authorized"):
            client.get("cluster")
        assert len(codes) == 3, "a wrong password gets no prompt"


def test_a_file_is_uploaded_in_pieces(
    world: tuple[Simulator, Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulator, array = world
    installed_array(simulator)
    monkeypatch.setattr(rest, "PIECE", 16)
    content = Package("2.0").content()
    assert len(content) > 2 * rest.PIECE
    answer = array.upload("cluster/software/upload", BytesIO(content), len(content))
    assert answer["received"] == len(content)
    assert [each["version"] for each in array.records("cluster/software/packages")] == ["2.0"]


def test_pages_are_followed(world: tuple[Simulator, Array]) -> None:
    _, array = world
    names = [disk["name"] for disk in array.records("storage/disks", {"max_records": "2"})]
    assert len(names) == len(set(names)) == 9


@pytest.mark.parametrize(
    ("method", "path", "body", "kind", "code"),
    [
        ("create", "svm/svms", {"nope": 1}, errors.Refused, "262179"),
        ("get", "svm/svms/00000000-0000-4000-8000-000000000000", None, errors.NotFound, "4"),
        ("get", "nowhere", None, errors.NotFound, "3"),
    ],
)
def test_refusals(
    world: tuple[Simulator, Array],
    method: str,
    path: str,
    body: Any,
    kind: type[errors.Refused],
    code: str,
) -> None:
    _, array = world
    with pytest.raises(kind) as caught:
        getattr(array, method)(path, body)
    assert caught.value.code == code and str(caught.value) == caught.value.message


def test_conflicts_and_wrong_passwords(world: tuple[Simulator, Array]) -> None:
    _, array = world
    array.create("svm/svms", {"name": "twice"})
    with pytest.raises(errors.Conflict) as caught:
        array.create("svm/svms", {"name": "twice"})
    assert caught.value.target == "name"
    connection = array._way.connect()
    stranger = Array(remote(f"http://{connection.host}:{connection.port}", LOGIN[0], "wrong"))
    with pytest.raises(errors.NotAuthenticated):
        stranger.get("cluster")


def test_a_failed_job_is_an_error(world: tuple[Simulator, Array]) -> None:
    simulator, array = world
    simulator.kernel.fail_when(lambda step: "mdadm" in step, CommandError(["mdadm"], 1, "no"))
    try:
        with pytest.raises(errors.Refused) as caught:
            array.create("storage/aggregates", {"name": "a", "block_storage.primary.disk_count": 4})
    finally:
        simulator.kernel.interrupt.clear()
        simulator.settle()
    assert caught.value.message


class Closing(BaseHTTPRequestHandler):
    """Says that connections are kept, and closes them; lists the methods of requests."""

    protocol_version = "HTTP/1.1"
    methods: list[str] = []
    raw = b'{"records": []}'

    def do_GET(self) -> None:
        self.methods.append(self.command)
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.raw)))
        self.end_headers()
        self.wfile.write(self.raw)
        self.close_connection = True

    def do_POST(self) -> None:
        self.methods.append(self.command)
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def closing() -> Iterator[str]:
    """The address of a server that closes every connection."""
    server = HTTPServer(("127.0.0.1", 0), Closing)
    Closing.methods, Closing.raw = [], b'{"records": []}'
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_reading_survives_a_connection_that_was_closed(closing: str) -> None:
    array = Array(remote(closing, "a", "b"))
    for _ in range(3):
        assert array.get("x") == {"records": []}
    array.close()


def test_a_change_is_never_sent_twice(closing: str) -> None:
    array = Array(remote(closing, "a", "b"))
    array.get("x")
    with pytest.raises(errors.Unreachable):
        array.create("x", {})
    assert Closing.methods == ["GET", "POST"]


@pytest.mark.parametrize("raw", [b"<html>", b"[1]"])
def test_a_server_that_is_no_array_is_an_error(closing: str, raw: bytes) -> None:
    Closing.raw = raw
    array = Array(remote(closing, "a", "b"))
    with pytest.raises(errors.BadAnswer):
        array.get("x")
    array.close()


def test_nobody_listens(tmp_path: Path) -> None:
    with pytest.raises(errors.Unreachable, match="No such file or directory"):
        Array(local(str(tmp_path / "nothing.sock"))).get("cluster")
    with pytest.raises(errors.Unreachable, match="Connection refused"):
        Array(remote("https://127.0.0.1:1", "a", "b")).get("cluster")


@pytest.mark.parametrize("url", ["array", "ftp://array", "https://"])
def test_bad_addresses(url: str) -> None:
    with pytest.raises(ValueError, match="is not of the form"):
        remote(url, "a", "b")


class OverSocket(Closing):
    """Answers with the request that it received."""

    def do_GET(self) -> None:
        Closing.raw = json.dumps({"authorized": self.headers["Authorization"]}).encode()
        super().do_GET()

    def address_string(self) -> str:
        return "local"


def test_the_local_socket_carries_no_password(tmp_path: Path) -> None:
    path = str(tmp_path / "api.sock")
    server = UnixStreamServer(path, OverSocket)
    thread = Thread(target=server.handle_request, daemon=True)
    thread.start()
    array = Array(local(path))
    assert array.get("x") == {"authorized": None}
    array.close()
    thread.join()
    server.server_close()


def test_certificates_are_verified_unless_that_is_switched_off() -> None:
    contexts = []
    for verify in (True, False):
        opened = remote("https://127.0.0.1:1", "a", "b", verify=verify).connect()
        contexts.append(opened._context)  # type: ignore[attr-defined]
    assert [context.verify_mode for context in contexts] == [ssl.CERT_REQUIRED, ssl.CERT_NONE]
    assert contexts[0].check_hostname


def test_time_outs_are_above_the_longest_wait_of_the_api() -> None:
    assert connection.TIMEOUT > 120 and rest.JOB_WAIT < 120
    assert local("/x").connect().timeout == connection.TIMEOUT
    assert socket.getdefaulttimeout() is None
