"""iSNS (RFC 4171): the messages by which an SVM's iSCSI target makes itself known to a name server.

A message is a header of 12 bytes and attributes, each a tag, a length and a value that is padded to
four bytes (5.1). Of the many messages two are sent, a registration and its end, and their answers
are read. An entity is registered as a whole: a node, which is the target, the portals at which it
listens, and a portal group for each.

The server forgets an entity that does not register again within the `PERIOD` that it names. So an
entity registers again and again, and that of an array that was switched off ends by itself.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

PORT = 3205
PERIOD = 900
"""Seconds for which a registration holds."""
REGISTER, DEREGISTER = 0x0001, 0x0004
_ANSWER = 0x8000
_VERSION = 1
_FROM_CLIENT, _REPLACE, _LAST, _FIRST = 0x8000, 0x1000, 0x0800, 0x0400
_HEADER = struct.Struct("!HHHHHH")
HEADER_BYTES = _HEADER.size
LONGEST = 0xFFFC
"""Most bytes of attributes in one message."""
_DELIMITER, _ENTITY, _ENTITY_PROTOCOL, _PERIOD = 0, 1, 2, 6
_PORTAL_ADDRESS, _PORTAL_PORT = 16, 17
_NODE_NAME, _NODE_TYPE, _NODE_ALIAS = 32, 33, 34
_GROUP_NODE, _GROUP_ADDRESS, _GROUP_PORT, _GROUP_TAG = 48, 49, 50, 51
_ISCSI, _TARGET = 2, 1
"""Protocol of an entity, and type of a node."""
STATUSES = {
    1: "unknown error",
    2: "message format error",
    3: "invalid registration",
    5: "invalid query",
    6: "source unknown",
    7: "source absent",
    8: "source unauthorized",
    9: "no such entry",
    10: "version not supported",
    11: "internal error",
    12: "busy",
    13: "option not understood",
    14: "invalid update",
    15: "message not supported",
    21: "ESI not available",
    22: "invalid deregistration",
    23: "registration feature not supported",
}
"""The meanings of an answer's status (RFC 4171, 5.4)."""


class BadMessage(Exception):
    """A received message is not iSNS's, or attributes to send have no room in one."""


class Refused(Exception):
    """The server refused a request."""

    def __init__(self, status: int) -> None:
        super().__init__(STATUSES.get(status, f"status {status}"))
        self.status = status


@dataclass(frozen=True, order=True)
class Portal:
    """Where a target listens, and the tag of the portal group there."""

    address: str
    port: int
    tag: int


@dataclass(frozen=True)
class Entity:
    """A target with its portals. `name` identifies it at the server, `target` is the IQN."""

    name: str
    target: str
    alias: str
    portals: tuple[Portal, ...]


@dataclass(frozen=True)
class Answer:
    """An answer of a server; `status` is 0 where it fulfilled the request."""

    function: int
    transaction: int
    status: int


def registration(entity: Entity, transaction: int, *, replaces: bool) -> bytes:
    """Return the message that registers an entity (RFC 4171, 5.6.5.1).

    Where it `replaces` the entity of its name, the server removes portals that it has no more, and
    tells hosts of the changes. Raises BadMessage if it has no room.
    """
    attributes = [
        _text(_NODE_NAME, entity.target),
        _text(_ENTITY, entity.name),
        _attribute(_DELIMITER, b""),
        _text(_ENTITY, entity.name),
        _number(_ENTITY_PROTOCOL, _ISCSI),
        _number(_PERIOD, PERIOD),
    ]
    for portal in entity.portals:
        attributes += [
            _address(_PORTAL_ADDRESS, portal.address),
            _number(_PORTAL_PORT, portal.port),
        ]
    attributes += [_text(_NODE_NAME, entity.target), _number(_NODE_TYPE, _TARGET)]
    if entity.alias:
        attributes.append(_text(_NODE_ALIAS, entity.alias))
    for portal in entity.portals:
        attributes += [
            _text(_GROUP_NODE, entity.target),
            _address(_GROUP_ADDRESS, portal.address),
            _number(_GROUP_PORT, portal.port),
            _number(_GROUP_TAG, portal.tag),
        ]
    return _message(REGISTER, transaction, attributes, _REPLACE if replaces else 0)


def deregistration(name: str, target: str, transaction: int) -> bytes:
    """Return the message that takes an entity and all that is in it back (RFC 4171, 5.6.5.4)."""
    attributes = [
        _text(_NODE_NAME, target),
        _attribute(_DELIMITER, b""),
        _text(_ENTITY, name),
    ]
    return _message(DEREGISTER, transaction, attributes)


def payload_length(header: bytes) -> int:
    """Return how many bytes follow a header. Raises BadMessage if it is none of an answer."""
    if len(header) != HEADER_BYTES:
        raise BadMessage("it ends within the header")
    version, function, length, _, _, sequence = _HEADER.unpack(header)
    if version != _VERSION or not function & _ANSWER:
        raise BadMessage(f"version {version}, function {function:#06x} is no answer")
    if sequence:
        raise BadMessage("it is the middle of a message")
    return int(length)


def parse(message: bytes) -> Answer:
    """Return the answer in a message. Raises BadMessage."""
    length = payload_length(message[:HEADER_BYTES])
    payload = message[HEADER_BYTES:]
    if len(payload) != length or length < 4:
        raise BadMessage(f"{length} bytes are announced, and {len(payload)} came")
    _, function, _, _, transaction, _ = _HEADER.unpack_from(message)
    (status,) = struct.unpack_from("!I", payload)
    return Answer(function & ~_ANSWER, transaction, status)


def attributes(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield tag and value of each attribute of a request. Raises BadMessage."""
    place, end = HEADER_BYTES, len(message)
    while place < end:
        if end - place < 8:
            raise BadMessage("it ends within an attribute")
        tag, length = struct.unpack_from("!II", message, place)
        place += 8
        if length > end - place or length % 4:
            raise BadMessage(f"attribute {tag} has {length} bytes")
        yield tag, message[place : place + length]
        place += length


def _message(function: int, transaction: int, parts: Sequence[bytes], flags: int = 0) -> bytes:
    payload = b"".join(parts)
    if len(payload) > LONGEST:
        raise BadMessage("there are too many portals for one message")
    flags |= _FROM_CLIENT | _FIRST | _LAST
    return _HEADER.pack(_VERSION, function, len(payload), flags, transaction, 0) + payload


def _attribute(tag: int, value: bytes) -> bytes:
    return struct.pack("!II", tag, len(value)) + value


def _number(tag: int, value: int) -> bytes:
    return _attribute(tag, struct.pack("!I", value))


def _text(tag: int, value: str) -> bytes:
    """Return a text, which ends with a NUL byte at least (RFC 4171, 6)."""
    encoded = value.encode() + b"\0"
    return _attribute(tag, encoded + b"\0" * (-len(encoded) % 4))


def _address(tag: int, value: str) -> bytes:
    """Return an address, of IPv4 as an IPv6 address that stands for it (RFC 4171, 6.3.1)."""
    address = ip_address(value)
    mapped = IPv6Address(f"::ffff:{address}") if address.version == 4 else address
    return _attribute(tag, mapped.packed)
