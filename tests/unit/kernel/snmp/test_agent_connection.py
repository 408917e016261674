"""A subagent answers all requests of an agent, in either order of bytes."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sanstone.kernel.snmp import agentx
from sanstone.kernel.snmp.agent_connection import AgentConnection
from sanstone.kernel.snmp.agentx import BadMessage, Binding, Kind, Oid, Range, Type, Value

ROOT: Oid = (1, 3, 6, 1, 4, 1, 9)
VALUES = {(*ROOT, n): Value(Kind.GAUGE, n) for n in (1, 2, 3)}


class ThreeObjects:
    """Three objects."""

    def get(self, name: Oid) -> Value:
        """Return one."""
        return VALUES.get(name, Value(Kind.NO_SUCH_INSTANCE))

    def after(self, search_range: Range) -> Binding | None:
        """Return the next one."""
        for name, value in VALUES.items():
            if name > search_range.start or (search_range.included and name == search_range.start):
                return (
                    Binding(name, value)
                    if not search_range.end or name < search_range.end
                    else None
                )
        return None


class Peer:
    """An agent that writes numbers in the other order of bytes than we do."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rwb")

    def send(self, kind: int, payload: bytes, packet: int = 1) -> None:
        """Send a message."""
        self._stream.write(struct.pack("<BBBxIIII", 1, kind, 0, 7, 0, packet, len(payload)))
        self._stream.write(payload)
        self._stream.flush()

    def receive(self) -> tuple[agentx.Header, bytes]:
        """Take a message."""
        head = agentx.header(self._stream.read(agentx.HEADER))
        return head, self._stream.read(head.length)

    def ask(self, kind: int, payload: bytes) -> bytes:
        """Return the values of an answer."""
        self.send(kind, payload, packet=5)
        head, answer = self.receive()
        assert (head.type, head.session, head.packet) == (Type.RESPONSE, 7, 5)
        return answer[8:]


@contextmanager
def connected(path: Path) -> Iterator[Peer]:
    """Give the agent's side of a connection that serves the objects."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            with AgentConnection(str(path), "test") as agent:
                agent.serve(ThreeObjects())

        subagent = threading.Thread(target=serve)
        subagent.start()
        connection, _ = listener.accept()
        with connection:
            peer = Peer(connection)
            head, _ = peer.receive()
            assert head.type == Type.OPEN
            peer.send(Type.RESPONSE, struct.pack("<IHH", 0, 0, 0), head.packet)
            yield peer
            peer.send(Type.CLOSE, struct.pack("<Bxxx", 5))
            subagent.join()


def search_ranges(*oids: Oid) -> bytes:
    """Return the search ranges of a question, without ends."""
    ranges = b""
    for oid in oids:
        numbers = oid[5:]
        ranges += struct.pack(f"<BBBx{len(numbers)}I", len(numbers), oid[4], 0, *numbers) + bytes(4)
    return ranges


def values(*names: Oid) -> bytes:
    """Return the values of known objects in an answer."""
    return agentx.bindings(Binding(name, VALUES[name]) for name in names)


def test_questions_are_answered(tmp_path: Path) -> None:
    one, two, three = VALUES
    with connected(tmp_path / "agentx") as peer:
        assert peer.ask(Type.GET, search_ranges(two)) == values(two)
        assert peer.ask(Type.GET_NEXT, search_ranges(one)) == values(two)
        nothing = agentx.bindings([Binding(three, Value(Kind.END_OF_VIEW))])
        assert peer.ask(Type.GET_NEXT, search_ranges(three)) == nothing
        bulk = struct.pack("<HH", 1, 5) + search_ranges(ROOT, one)
        assert peer.ask(Type.GET_BULK, bulk) == values(one, two, three) + nothing


def test_nothing_can_be_set(tmp_path: Path) -> None:
    with connected(tmp_path / "agentx") as peer:
        peer.send(Type.TEST_SET, b"")
        _, answer = peer.receive()
        assert struct.unpack_from(">IHH", answer)[1] == 17, "notWritable"


@pytest.mark.parametrize(
    "data", [bytes(20), struct.pack("<BBBxIIII", 1, 5, 0, 0, 0, 0, 1 << 30)], ids=["none", "long"]
)
def test_a_message_that_is_no_agentx_is_refused(data: bytes) -> None:
    with pytest.raises(BadMessage):
        agentx.header(data)


def test_a_missing_agent_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        AgentConnection(str(tmp_path / "agentx"), "test")
