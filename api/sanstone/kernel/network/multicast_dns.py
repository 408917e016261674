"""Messages of multicast DNS (RFC 6762), as one who answers needs them: RFC 1035's, 4.1.

Any machine on the network may send a message. `parse` raises BadMessage for one that it cannot
read, and reads no name twice to which others point, so that its effort is bounded by the message's
length. Names in received messages may be compressed; those in sent ones are not.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

GROUPS = {4: "224.0.0.251", 6: "ff02::fb"}
"""By version of IP: the group that all who answer listen at."""
PORT = 5353
LONGEST = 1400
"""Bytes of a message, so that it fits into one packet of Ethernet with any headers."""
A, PTR, TXT, AAAA, SRV, NSEC, ANY = 1, 12, 16, 28, 33, 47, 255
_INTERNET = 1
_TOP_BIT = 0x8000
"""Of a class: in a record, that no other has it (10.2); in a question, that one alone may hear the
answer (5.4), which we leave out of account, as who answers may."""
_ANSWER = 0x8400
"""Flags of an answer that nobody else can give better (18.2, 18.4)."""
_POINTER = 0xC0
_LONGEST_NAME = 254
"""Bytes of a name's labels, each with the one that tells its length (RFC 1035, 2.3.4)."""

Name = tuple[bytes, ...]
"""The labels of a name, from its beginning."""


class BadMessage(Exception):
    """The received data is no message."""


@dataclass(frozen=True)
class Question:
    """A question for the records of a name, of one type or of `ANY`."""

    name: Name
    type: int


@dataclass(frozen=True)
class Record:
    """A record; `data` in its form on the wire, `ttl` in seconds.

    `is_unique` is whether there are no others of its name and type but ours. `target` is the name
    that it leads to; who asks for the record will want that name's records too.
    """

    name: Name
    type: int
    data: bytes
    ttl: int
    is_unique: bool = True
    target: Name = ()


@dataclass(frozen=True)
class Query:
    """A host's questions, and the records that it knows already."""

    id: int
    questions: tuple[Question, ...]
    known: tuple[Record, ...]

    def knows(self, record: Record) -> bool:
        """Return whether the sender has a record, for half of its time at least (7.1)."""
        return any(
            (each.type, each.data) == (record.type, record.data)
            and folded(each.name) == folded(record.name)
            and each.ttl * 2 >= record.ttl
            for each in self.known
        )


def folded(name: Name) -> Name:
    """Return a name as it is compared: the case of ASCII's letters does not count (16)."""
    return tuple(label.lower() for label in name)


def name_of(*parts: str) -> Name:
    """Return the name below `local` of some labels. Raises ValueError for one that is no label."""
    labels = tuple(part.encode() for part in (*parts, "local"))
    if not all(0 < len(label) < 64 for label in labels):
        raise ValueError(f"{parts} is no name")
    return labels


def pointer(name: Name, target: Name, ttl: int) -> Record:
    """Return a record that leads from a name, which others share, to another."""
    return Record(name, PTR, _packed_name(target), ttl, is_unique=False, target=target)


def service(name: Name, port: int, host: Name, ttl: int) -> Record:
    """Return the record of where a service is: a port of a host."""
    data = struct.pack("!HHH", 0, 0, port) + _packed_name(host)
    return Record(name, SRV, data, ttl, target=host)


def text(name: Name, values: Sequence[str], ttl: int) -> Record:
    """Return the record of a service's attributes, each `key=value`."""
    encoded = [value.encode() for value in values]
    return Record(name, TXT, b"".join(bytes([len(each)]) + each for each in encoded), ttl)


def host_address(name: Name, address: IPv4Address | IPv6Address, ttl: int) -> Record:
    """Return the record of a host's address."""
    return Record(name, A if address.version == 4 else AAAA, address.packed, ttl)


def no_others(name: Name, types: Iterable[int], ttl: int) -> Record:
    """Return the record that says that a name has records of these types and no others (6.1)."""
    bits = bytearray(32)
    for each in types:
        bits[each // 8] |= 0x80 >> each % 8
    used = bytes(bits).rstrip(b"\0")
    return Record(name, NSEC, _packed_name(name) + bytes([0, len(used)]) + used, ttl)


def parse(message: bytes) -> Query | None:
    """Return the query in a message, None for an answer of somebody's. Raises BadMessage."""
    try:
        identity, flags, *counts = struct.unpack_from("!6H", message)
        if flags & 0xF800:
            return None
        place = 12
        names = _Names(message)
        questions = []
        for _ in range(counts[0]):
            name, place = names.read(place)
            kind, form = struct.unpack_from("!HH", message, place)
            place += 4
            if form & ~_TOP_BIT in (_INTERNET, ANY):
                questions.append(Question(name, kind))
        known = []
        for _ in range(counts[1]):
            record, place = _read_record(message, names, place)
            known.append(record)
    except (struct.error, IndexError) as error:
        raise BadMessage(str(error)) from error
    return Query(identity, tuple(questions), tuple(known))


def answers(records: Sequence[Record], more: Sequence[Record] = ()) -> Iterator[bytes]:
    """Yield messages with these records as answers; the last one has room for some `more`."""
    packed: list[bytes] = []
    length = 12
    for record in records:
        each = _packed(record)
        if packed and length + len(each) > LONGEST:
            yield _message(0, b"", packed, [])
            packed, length = [], 12
        packed.append(each)
        length += len(each)
    if packed:
        yield _message(0, b"", packed, _fitting(more, LONGEST - length))


def reply(
    query: Query, records: Sequence[Record], more: Sequence[Record], longest_ttl: int
) -> bytes:
    """Return the answer to one question of one that knows DNS and not multicast (6.7).

    It repeats the question, and is believed for `longest_ttl` seconds at most.
    """
    questions_part = b"".join(
        _packed_name(each.name) + struct.pack("!HH", each.type, _INTERNET)
        for each in query.questions
    )
    room = LONGEST - 12 - len(questions_part)
    packed = _fitting(records, room, longest_ttl)
    rest = _fitting(more, room - sum(map(len, packed)), longest_ttl)
    return _message(query.id, questions_part, packed, rest, len(query.questions))


def _fitting(records: Iterable[Record], room: int, longest_ttl: int | None = None) -> list[bytes]:
    """Return the first records, packed, for which there is room."""
    fitting = []
    for record in records:
        packed = _packed(record, longest_ttl)
        room -= len(packed)
        if room < 0:
            break
        fitting.append(packed)
    return fitting


def _message(
    identity: int,
    questions_part: bytes,
    records: Sequence[bytes],
    more: Sequence[bytes],
    questions: int = 0,
) -> bytes:
    head = struct.pack("!6H", identity, _ANSWER, questions, len(records), 0, len(more))
    return head + questions_part + b"".join((*records, *more))


def _packed(record: Record, longest_ttl: int | None = None) -> bytes:
    """Return a record on the wire.

    With `longest_ttl` it is for one that does not know what the top bit of a class is (10.2).
    """
    form = _INTERNET | (_TOP_BIT if record.is_unique and longest_ttl is None else 0)
    ttl = record.ttl if longest_ttl is None else min(record.ttl, longest_ttl)
    head = struct.pack("!HHIH", record.type, form, ttl, len(record.data))
    return _packed_name(record.name) + head + record.data


def _packed_name(name: Name) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in name) + b"\0"


class _Names:
    """Reads the names of a message."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._pointed: dict[int, Name] = {}
        """By place to which a pointer leads: the name there."""

    def read(self, place: int) -> tuple[Name, int]:
        """Return a name, and the place after it. Raises BadMessage and IndexError.

        A pointer leads back, and one after it further back, so that there is an end.
        """
        labels: list[bytes] = []
        followed: list[tuple[int, int]] = []
        after, earliest = 0, place
        while size := self._message[place]:
            if size >= _POINTER:
                after = after or place + 2
                place = (size & ~_POINTER) << 8 | self._message[place + 1]
                if place >= earliest:
                    raise BadMessage("a name does not end")
                earliest = place
                if place in self._pointed:
                    labels += self._pointed[place]
                    break
                followed.append((place, len(labels)))
            elif size < 64:
                labels.append(self._message[place + 1 : place + 1 + size])
                place += 1 + size
                if len(labels) > _LONGEST_NAME // 2:
                    break
            else:
                raise BadMessage("a label of no known kind")
        if sum(map(len, labels)) + len(labels) > _LONGEST_NAME:
            raise BadMessage("a name is too long")
        name = tuple(labels)
        self._pointed |= {target: name[count:] for target, count in followed}
        return name, after or place + 1


def _read_record(message: bytes, names: _Names, place: int) -> tuple[Record, int]:
    """Return a record, and the place after it. Raises BadMessage, IndexError and struct.error."""
    name, place = names.read(place)
    kind, form, ttl, length = struct.unpack_from("!HHIH", message, place)
    place += 10
    data = message[place : place + length]
    if len(data) < length:
        raise BadMessage("a record is cut off")
    if kind == PTR:
        target, _ = names.read(place)
        data = _packed_name(target)
    return Record(name, kind, data, ttl, bool(form & _TOP_BIT)), place + length
