"""AgentX (RFC 2741): what an SNMP agent and its subagents send each other.

The agent speaks SNMP, knows users and keys, and asks a subagent for the objects that this has
registered; the subagent has it send notifications. Both connect by a stream on which each message
has a header with its length. A side may write numbers in either order of bytes and says so in each
header (6.1); ours are in network order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

Oid = tuple[int, ...]
"""An object identifier. They are compared as tuples, which is the order of a walk (RFC 3416)."""
HEADER = 20
"""Octets of a header."""
LONGEST = 1 << 20
"""Most octets of a message that we take."""
_VERSION, _NETWORK_ORDER, _OTHER_CONTEXT = 1, 0x10, 0x08
_INTERNET = (1, 3, 6, 1)
"""An object identifier below this is shortened: its next number is in a field of its own (5.1)."""


class BadMessage(OSError):
    """A message is no AgentX."""


class Type(IntEnum):
    """Types of messages (6.1)."""

    OPEN, CLOSE, REGISTER = 1, 2, 3
    GET, GET_NEXT, GET_BULK = 5, 6, 7
    TEST_SET, COMMIT_SET, UNDO_SET, CLEANUP_SET = 8, 9, 10, 11
    NOTIFY, PING, RESPONSE = 12, 13, 18


class Kind(IntEnum):
    """Types of values (5.4)."""

    INTEGER, OCTETS, OBJECT, GAUGE, TICKS, COUNTER_64 = 2, 4, 6, 66, 67, 70
    NO_SUCH_OBJECT, NO_SUCH_INSTANCE, END_OF_VIEW = 128, 129, 130


class Value(NamedTuple):
    """A value: a number, octets or an object identifier, or none for what there is not."""

    kind: Kind
    content: int | bytes | Oid | None = None


class Binding(NamedTuple):
    """An object and its value."""

    name: Oid
    value: Value


class Header(NamedTuple):
    """A header. `order` is that of the bytes of numbers, as `struct` writes it."""

    type: int
    flags: int
    session: int
    transaction: int
    packet: int
    length: int
    order: str


class Range(NamedTuple):
    """A range of objects: from `start`, that included or not, to before `end`, () for none."""

    start: Oid
    included: bool
    end: Oid


def header(data: bytes) -> Header:
    """Parse a header. Raises BadMessage."""
    order = ">" if data[2] & _NETWORK_ORDER else "<"
    version, kind, flags, session, transaction, packet, length = struct.unpack(
        f"{order}BBBxIIII", data
    )
    if version != _VERSION or length > LONGEST or length % 4:
        raise BadMessage(f"this is no AgentX: {data.hex()}")
    return Header(kind, flags, session, transaction, packet, length, order)


def message(kind: Type, session: int, transaction: int, packet: int, payload: bytes) -> bytes:
    """Return a message."""
    parts = (_VERSION, kind, _NETWORK_ORDER, session, transaction, packet, len(payload))
    return struct.pack(">BBBxIIII", *parts) + payload


def opening(seconds: int, description: str) -> bytes:
    """Return the payload of a message that opens a session, with a time for its answers."""
    return struct.pack(">Bxxx", seconds) + _identifier(()) + _octets(description.encode())


def registration(subtree: Oid) -> bytes:
    """Return the payload of a message that registers all objects below one."""
    priority = 127
    return struct.pack(">BBxx", 0, priority) + _identifier(subtree)


def closing() -> bytes:
    """Return the payload of a message that closes a session, for its subagent shuts down."""
    return struct.pack(">Bxxx", 5)


def bindings(values: Iterable[Binding]) -> bytes:
    """Return objects and their values as a payload, or the end of one."""
    return b"".join(_binding(*each) for each in values)


def response(values: Iterable[Binding] = (), error: int = 0, index: int = 0) -> bytes:
    """Return the payload of an answer: the time of the subagent, which nobody reads, and values."""
    return struct.pack(">IHH", 0, error, index) + bindings(values)


def error_of(head: Header, payload: bytes) -> int:
    """Return the error of an answer, 0 for none. Raises BadMessage."""
    try:
        _, error, _ = struct.unpack_from(f"{head.order}IHH", payload)
    except struct.error as problem:
        raise BadMessage(f"this is no answer: {payload.hex()}") from problem
    return int(error)


def question(head: Header, payload: bytes) -> tuple[Sequence[Range], int, int]:
    """Return the ranges, how many are for one object, and the objects for each other one.

    Raises BadMessage.
    """
    try:
        rest = _in_context(head, payload)
        once, often = 0, 1
        if head.type == Type.GET_BULK:
            once, often = struct.unpack_from(f"{head.order}HH", rest)
            rest = rest[4:]
        ranges = []
        while rest:
            start, included, rest = _parsed(head.order, rest)
            end, _, rest = _parsed(head.order, rest)
            ranges.append(Range(start, included, end))
    except (struct.error, IndexError) as problem:
        raise BadMessage(f"this asks nothing: {payload.hex()}") from problem
    return ranges, once, often


def _in_context(head: Header, payload: bytes) -> bytes:
    """Return a payload without the name of a context before it, which is not ours to tell apart."""
    if not head.flags & _OTHER_CONTEXT:
        return payload
    (length,) = struct.unpack_from(f"{head.order}I", payload)
    return payload[4 + length + -length % 4 :]


def _parsed(order: str, data: bytes) -> tuple[Oid, bool, bytes]:
    """Return an object identifier, whether it is included, and what follows it."""
    count, prefix, included = data[0], data[1], data[2]
    numbers = struct.unpack_from(f"{order}{count}I", data, 4)
    oid = (*_INTERNET, prefix, *numbers) if prefix else numbers
    return oid, bool(included), data[4 + 4 * count :]


def _identifier(oid: Oid) -> bytes:
    prefix = 0
    if oid[:4] == _INTERNET and len(oid) > 4 and oid[4] < 256:
        prefix, oid = oid[4], oid[5:]
    return struct.pack(f">BBBx{len(oid)}I", len(oid), prefix, 0, *oid)


def _octets(text: bytes) -> bytes:
    return struct.pack(">I", len(text)) + text + bytes(-len(text) % 4)


def _binding(name: Oid, value: Value) -> bytes:
    content = value.content
    if isinstance(content, tuple):
        packed = _identifier(content)
    elif isinstance(content, bytes):
        packed = _octets(content)
    elif content is None:
        packed = b""
    else:
        form = {Kind.INTEGER: ">i", Kind.COUNTER_64: ">Q"}.get(value.kind, ">I")
        packed = struct.pack(form, content)
    return struct.pack(">Hxx", value.kind) + _identifier(name) + packed
