"""A subagent's connection to the SNMP agent of this machine, over a socket in the file system."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Protocol, Self

from sanstone.kernel.snmp import agentx
from sanstone.kernel.snmp.agentx import BadMessage, Binding, Header, Kind, Oid, Range, Type, Value

PATIENCE = 10
"""Seconds that an answer may take on either side."""
_NOT_WRITABLE = 17
"""The error of SNMP for what cannot be set (RFC 3416, section 3)."""
_TRAP_OID: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)
"""snmpTrapOID.0 of SNMPv2-MIB, which says what a notification is."""


class Objects(Protocol):
    """The objects that a subagent tells."""

    def get(self, name: Oid) -> Value:
        """Return an object's value, or that there is none."""

    def after(self, requested: Range) -> Binding | None:
        """Return the first object of a range, None for no such."""


class AgentConnection:
    """A session with the agent. Raises OSError where the agent is gone or refuses."""

    def __init__(self, path: str, description: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(path)
            self._session = 0
            self._packet = 0
            opened = self._ask(Type.OPEN, agentx.opening(PATIENCE, description))
            self._session = opened.session
        except OSError:
            self._socket.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._send(Type.CLOSE, agentx.closing())
        finally:
            self._socket.close()

    def register(self, subtree: Oid) -> None:
        """Have the agent ask for objects of a subtree."""
        self._ask(Type.REGISTER, agentx.registration(subtree))

    def notify(self, notification: Oid, values: Iterable[Binding]) -> None:
        """Have the agent send a notification to all its receivers."""
        what = Binding(_TRAP_OID, Value(Kind.OBJECT, notification))
        self._ask(Type.NOTIFY, agentx.bindings((what, *values)))

    def serve(self, objects: Objects) -> None:
        """Answer the agent until it closes the session or the connection."""
        self._socket.settimeout(None)
        while received := self._receive():
            head, payload = received
            if head.type == Type.CLOSE:
                return
            if head.type == Type.CLEANUP_SET:
                continue
            answer = _answered(head, payload, objects)
            numbers = head.session, head.transaction, head.packet
            self._socket.sendall(agentx.message(Type.RESPONSE, *numbers, answer))

    def _ask(self, kind: Type, payload: bytes) -> Header:
        """Send a message and return the header of its answer, which tells of no error."""
        self._send(kind, payload)
        received = self._receive()
        if received is None:
            raise ConnectionResetError("the SNMP agent closed the connection")
        head, answer = received
        if head.type != Type.RESPONSE or head.packet != self._packet:
            raise BadMessage("the SNMP agent answered something else")
        if error := agentx.error_of(head, answer):
            raise OSError(f"the SNMP agent refuses: error {error} of AgentX")
        return head

    def _send(self, kind: Type, payload: bytes) -> None:
        self._packet += 1
        self._socket.sendall(agentx.message(kind, self._session, 0, self._packet, payload))

    def _receive(self) -> tuple[Header, bytes] | None:
        """Return the next message, None at the end of the connection."""
        data = self._read(agentx.HEADER)
        if not data:
            return None
        head = agentx.header(data)
        return head, self._read(head.length)

    def _read(self, length: int) -> bytes:
        """Return so many octets, or none if the connection ends before the first of them."""
        data = b""
        while len(data) < length:
            part = self._socket.recv(length - len(data))
            if not part:
                if data:
                    raise ConnectionResetError("the SNMP agent ended in the middle of a message")
                break
            data += part
        return data


def _answered(head: Header, payload: bytes, objects: Objects) -> bytes:
    """Return the payload of the answer to a message."""
    if head.type == Type.PING:
        return agentx.response()
    if head.type not in (Type.GET, Type.GET_NEXT, Type.GET_BULK):
        return agentx.response(error=_NOT_WRITABLE, index=1)
    ranges, once, often = agentx.question(head, payload)
    if head.type == Type.GET:
        return agentx.response(Binding(each.start, objects.get(each.start)) for each in ranges)
    if head.type == Type.GET_NEXT:
        return agentx.response(_next(each, objects) for each in ranges)
    bindings = [_next(each, objects) for each in ranges[:once]]
    return agentx.response([*bindings, *_repeated(ranges[once:], often, objects)])


def _repeated(ranges: Sequence[Range], often: int, objects: Objects) -> list[Binding]:
    """Return the next objects of each range, over and over, until all have ended."""
    bindings: list[Binding] = []
    for _ in range(often):
        row = [_next(each, objects) for each in ranges]
        bindings += row
        if all(each.value.kind == Kind.END_OF_VIEW for each in row):
            break
        ranges = [
            Range(each.name, included=False, end=former.end)
            for each, former in zip(row, ranges, strict=True)
        ]
    return bindings


def _next(former: Range, objects: Objects) -> Binding:
    return objects.after(former) or Binding(former.start, Value(Kind.END_OF_VIEW))
