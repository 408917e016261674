"""The lab's switch forwards as an Ethernet switch does."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.switch import RESERVED, Client, Network, Switch

ALL = b"\xff" * 6
FIRST, SECOND, THIRD = (bytes([2, 0, 0, 0, 0, number]) for number in (1, 2, 3))


def frame(destination: bytes, source: bytes, payload: bytes = b"payload") -> bytes:
    body = destination + source + payload
    return len(body).to_bytes(4, "big") + body


@pytest.fixture
def network() -> Iterator[Network]:
    network = Network()
    pairs = [socket.socketpair() for _ in range(3)]
    network.clients = [Client(ours, network) for ours, _ in pairs]
    yield network
    for pair in pairs:
        for end in pair:
            end.close()


def send(network: Network, number: int, data: bytes) -> list[bytes]:
    """Let client `number` send, and return the frames that wait for each client then."""
    network.clients[number].received += data
    network.forward(network.clients[number])
    waiting = [bytes(client.waiting) for client in network.clients]
    for client in network.clients:
        client.waiting.clear()
    return waiting


def test_broadcast_reaches_all_others(network: Network) -> None:
    outgoing = frame(ALL, FIRST)
    assert send(network, 0, outgoing) == [b"", outgoing, outgoing]


def test_learned_address_is_sent_to_its_port_alone(network: Network) -> None:
    send(network, 1, frame(ALL, SECOND))
    outgoing = frame(SECOND, FIRST)
    assert send(network, 0, outgoing) == [b"", outgoing, b""]


def test_unknown_address_is_flooded(network: Network) -> None:
    outgoing = frame(THIRD, FIRST)
    assert send(network, 0, outgoing) == [b"", outgoing, outgoing]


def test_address_that_moved_is_followed(network: Network) -> None:
    send(network, 1, frame(ALL, SECOND))
    send(network, 2, frame(ALL, SECOND))
    outgoing = frame(SECOND, FIRST)
    assert send(network, 0, outgoing) == [b"", b"", outgoing]


def test_frame_in_parts_waits_for_its_end(network: Network) -> None:
    outgoing = frame(ALL, FIRST)
    assert send(network, 0, outgoing[:9]) == [b"", b"", b""]
    assert send(network, 0, outgoing[9:] + outgoing[:3]) == [b"", outgoing, outgoing]
    assert send(network, 0, outgoing[3:]) == [b"", outgoing, outgoing]


def test_frames_that_bridges_must_not_forward_are_dropped(network: Network) -> None:
    assert send(network, 0, frame(RESERVED + b"\x02", FIRST)) == [b"", b"", b""]


def test_machine_that_left_is_forgotten(network: Network) -> None:
    former = network.clients[1]
    send(network, 1, frame(ALL, SECOND))
    network.remove(former)
    outgoing = frame(SECOND, FIRST)
    assert send(network, 0, outgoing) == [b"", outgoing]


def test_machine_that_goes_while_it_is_sent_to_harms_nobody(tmp_path: Path) -> None:
    path = tmp_path / "network"
    switch = Switch([path])
    with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
        for machine in (first, second):
            machine.connect(str(path))
            switch.serve_once()
        first.sendall(frame(ALL, FIRST))
        second.close()
        # In one round: the first's frame cannot be delivered, and then the second's end is seen.
        switch.serve_once()
        with socket.socket(socket.AF_UNIX) as third:
            third.connect(str(path))
            switch.serve_once()
            first.sendall(frame(ALL, FIRST))
            switch.serve_once()
            assert third.recv(100) == frame(ALL, FIRST)
