"""Two nodes forward each event once, whichever of them serves."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from simulator import Simulator
from two_nodes import Pair, two_nodes

from sanstone.core import events
from sanstone.core.database.store import writing
from sanstone.model.nodes import every_node
from sanstone.reconcile.tasks.event_forwarder import Forwarder
from sanstone.rules.cluster import takeover


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """An array of two nodes."""
    with two_nodes(tmp_path) as pair:
        yield pair


@pytest.fixture
def server(pair: Pair) -> Iterator[socket.socket]:
    """A syslog server on UDP, which is told of important events."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(30)
        body = {
            "name": "logs",
            "type": "syslog",
            "destination": "127.0.0.1",
            "filters": ["important-events"],
            "syslog": {"port": listener.getsockname()[1]},
        }
        pair.first.do("POST", "support/ems/destinations", body)
        yield listener


def _forward(*nodes: Simulator) -> None:
    """Have nodes forward events, each as if it had just started."""
    for node in nodes:
        with node.itself():
            Forwarder(node.database).deliver()


def _happen(pair: Pair, name: str, node_uuid: str) -> None:
    with writing(pair.first.database) as session:
        condition = events.Condition(events.ERROR, name, f"This is {name}.")
        events.set_conditions(session, node_uuid, {name: condition})


def _received(server: socket.socket) -> list[str]:
    """Return node and name of the events in the messages that are there."""
    server.setblocking(False)
    received = []
    try:
        while True:
            found = re.search(r"(array-0\d).*\b(a\.\w)\b", server.recv(65536).decode())
            assert found
            received.append(" ".join(found.groups()))
    except BlockingIOError:
        return received


def test_each_event_is_sent_once(pair: Pair, server: socket.socket) -> None:
    first, second = pair.first, pair.second
    _happen(pair, "a.a", first.node_uuid)
    _happen(pair, "a.b", second.node_uuid)
    _forward(second, first, second)
    assert _received(server) == ["array-01 a.a", "array-02 a.b"]


def test_the_survivor_goes_on_and_the_first_goes_on_from_there(
    pair: Pair, server: socket.socket
) -> None:
    first, second = pair.first, pair.second
    _happen(pair, "a.a", first.node_uuid)
    _forward(first, second)
    with writing(first.database) as session:
        takeover.take_over(session, *reversed(every_node(session)))
    _happen(pair, "a.b", second.node_uuid)
    _forward(second)
    with writing(first.database) as session:
        takeover.give_back(session, *reversed(every_node(session)))
    _happen(pair, "a.c", second.node_uuid)
    _forward(second, first)
    names = [each.partition(" ")[2] for each in _received(server)]
    assert names[:2] == ["a.a", "a.b"]
    assert sorted(names) == sorted(set(names))
    assert "a.c" in names
