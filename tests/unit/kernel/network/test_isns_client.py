"""Requests to an iSNS server over TCP succeed or fail by its answer."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator

import pytest

from sanstone.kernel.network import isns, isns_client
from sanstone.kernel.network.isns import Entity, Portal

HERE = "127.0.0.1"
ENTITY = Entity("sanstone:1", "iqn.2001-04.com.example:one", "one", (Portal(HERE, 3260, 1),))
Server = Callable[[Callable[[bytes], bytes]], list[bytes]]


def answer(request: bytes, *, status: int = 0, off: int = 0) -> bytes:
    """Return the answer to a request."""
    version, function, _, _, transaction, _ = struct.unpack_from("!HHHHHH", request)
    number = (transaction + off) % 65536
    return struct.pack("!HHHHHHI", version, function | 0x8000, 4, 0x4C00, number, 0, status)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of one connection, with the answers of the test."""
    listener = socket.create_server((HERE, 0))
    monkeypatch.setattr(isns, "PORT", listener.getsockname()[1])
    threads: list[threading.Thread] = []

    def begin(reply: Callable[[bytes], bytes]) -> list[bytes]:
        requests: list[bytes] = []

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                request = connection.recv(1 << 16)
                requests.append(request)
                connection.sendall(reply(request))

        threads.append(threading.Thread(target=serve))
        threads[0].start()
        return requests

    yield begin
    for thread in threads:
        thread.join()
    listener.close()


def test_an_entity_is_registered(server: Server) -> None:
    requests = server(answer)
    isns_client.register(HERE, HERE, ENTITY, replaces=True)
    [request] = requests
    assert dict(isns.attributes(request))[34] == b"one\0"


def test_an_entity_is_taken_back(server: Server) -> None:
    requests = server(answer)
    isns_client.deregister(HERE, HERE, ENTITY.name, ENTITY.target)
    assert requests[0][2:4] == b"\0\x04"


def test_a_refusal_is_an_error(server: Server) -> None:
    server(lambda request: answer(request, status=8))
    with pytest.raises(isns.Refused, match="source unauthorized"):
        isns_client.register(HERE, HERE, ENTITY, replaces=True)


@pytest.mark.parametrize(
    "reply",
    [lambda _: b"", lambda it: answer(it)[:9], lambda it: answer(it, off=1), lambda _: b"HTTP" * 8],
    ids=["nothing", "cut", "another question", "another protocol"],
)
def test_a_malformed_answer_is_an_error(server: Server, reply: Callable[[bytes], bytes]) -> None:
    server(reply)
    with pytest.raises(isns.BadMessage):
        isns_client.register(HERE, HERE, ENTITY, replaces=True)


def test_a_missing_server_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # It is bound and does not listen: a free port may become the client's own, which then connects
    # to itself.
    with socket.socket() as deaf:
        deaf.bind((HERE, 0))
        monkeypatch.setattr(isns, "PORT", deaf.getsockname()[1])
        with pytest.raises(OSError, match="refused"):
            isns_client.register(HERE, HERE, ENTITY, replaces=True)
