"""Messages of multicast DNS: as others send them, and as others read them."""

from __future__ import annotations

import random
import struct
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.kernel.network import multicast_dns as dns
from sanstone.kernel.network.multicast_dns import BadMessage, Query, Question, Record

TYPE = dns.name_of("_nvme-disc", "_tcp")
INSTANCE = (b"lif one", *TYPE)
HOST = dns.name_of("host")
ON_WIRE = b"\x0a_nvme-disc\x04_tcp\x05local\x00"
POINTER = dns.pointer(TYPE, INSTANCE, 4500)
SERVICE = dns.service(INSTANCE, 8009, HOST, 120)
ADDRESS = dns.host_address(HOST, ip_address("10.10.1.2"), 120)
# A browser of services that wants an answer for itself (QU).
BROWSED = bytes.fromhex("000000000001000000000000") + ON_WIRE + b"\x00\x0c\x80\x01"


def query(
    questions: bytes, known_answers: bytes = b"", *, count: int = 1, number: int = 0
) -> bytes:
    """Return a message that asks."""
    return struct.pack("!6H", 7, 0, count, number, 0, 0) + questions + known_answers


def question(kind: int = dns.PTR, form: int = 1, name: bytes = ON_WIRE) -> bytes:
    """Return a question."""
    return name + struct.pack("!HH", kind, form)


def known_answer(target: bytes, ttl: int = 4500, name: bytes = b"\xc0\x0c") -> bytes:
    """Return a PTR record that the sender has; its name is that of the first question."""
    return name + struct.pack("!HHIH", dns.PTR, 1, ttl, len(target)) + target


def test_a_question_is_read() -> None:
    expected = Query(0, (Question(TYPE, dns.PTR),), ())
    assert dns.parse(BROWSED) == expected
    assert dns.parse(query(question(form=1))) == Query(7, expected.questions, ())


def test_names_may_be_compressed() -> None:
    second = b"\x07lif one\xc0\x0c" + struct.pack("!HH", dns.SRV, 1)
    read = dns.parse(query(question() + second, count=2))
    assert read
    assert read.questions == (Question(TYPE, dns.PTR), Question(INSTANCE, dns.SRV))


def test_questions_of_other_classes_are_ignored() -> None:
    read = dns.parse(query(question(form=3)))
    assert read
    assert read.questions == ()


def test_known_answers_are_read() -> None:
    read = dns.parse(query(question(), known_answer(b"\x07lif one\xc0\x0c"), number=1))
    assert read
    assert read.knows(POINTER)
    assert not read.knows(dns.pointer(TYPE, (b"lif two", *TYPE), 4500))
    old = dns.parse(query(question(), known_answer(b"\x07lif one\xc0\x0c", ttl=2249), number=1))
    assert old
    assert not old.knows(POINTER), "soon it will have forgotten"


def test_an_answer_is_no_query() -> None:
    [answer] = dns.answers([POINTER])
    assert dns.parse(answer) is None


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\0" * 11,
        query(b""),
        query(question()[:-1]),
        query(question(name=b"\xc0\x0c")),
        query(question(name=b"\x01a\xc0\x0c")),
        query(question(name=b"\xc0\x0e\xc0\x0c")),
        query(question(name=b"\xc0\xff")),
        query(question(name=b"\x41" + b"a" * 65 + b"\0")),
        query(question(name=(b"\x3f" + b"a" * 63) * 4 + b"\0")),
        query(question(), known_answer(b"\x07lif one\xc0\x0c")[:-1], number=1),
        query(question(), known_answer(b"\x07lif"), number=1),
    ],
)
def test_a_malformed_message_is_ignored(message: bytes) -> None:
    with pytest.raises(BadMessage):
        dns.parse(message)


def test_any_bytes_are_a_message_or_none() -> None:
    numbers = random.Random(8009)
    good = query(question(), known_answer(b"\x07lif one\xc0\x0c"), number=1)
    for _ in range(5000):
        message = bytearray(good)
        for _ in range(numbers.randrange(1, 6)):
            message[numbers.randrange(len(message))] = numbers.randrange(256)
        try:
            dns.parse(bytes(message[: numbers.randrange(len(message) + 1)]))
        except BadMessage:
            continue


def test_an_answer_is_as_others_read_it() -> None:
    [message] = dns.answers([POINTER], [ADDRESS])
    target = b"\x07lif one" + ON_WIRE
    assert message == b"".join(
        (
            struct.pack("!6H", 0, 0x8400, 0, 1, 0, 1),
            *(ON_WIRE, struct.pack("!HHIH", 12, 1, 4500, len(target)), target),
            *(b"\x04host\x05local\x00", struct.pack("!HHIH", 1, 0x8001, 120, 4)),
            bytes([10, 10, 1, 2]),
        )
    )


def test_data_of_each_type() -> None:
    assert SERVICE.data == struct.pack("!HHH", 0, 0, 8009) + b"\x04host\x05local\x00"
    assert dns.text(INSTANCE, ["p=tcp", "nqn=n"], 1).data == b"\x05p=tcp\x05nqn=n"
    other = dns.host_address(HOST, ip_address("fd00::2"), 120)
    assert (other.type, other.data) == (28, bytes.fromhex("fd" + "00" * 14 + "02"))
    assert dns.no_others(HOST, [dns.A], 120).data == b"\x04host\x05local\x00\x00\x01\x40"


def test_a_reply_to_one_that_knows_dns_alone() -> None:
    read = dns.parse(query(question()))
    assert read
    message = dns.reply(read, [POINTER], [ADDRESS], 10)
    assert message.startswith(struct.pack("!6H", 7, 0x8400, 1, 1, 0, 1) + question())
    assert message.endswith(struct.pack("!HHIH", 1, 1, 10, 4) + bytes([10, 10, 1, 2]))


def test_answers_fit_into_packets() -> None:
    many = [dns.pointer(TYPE, (b"%060d" % number, *TYPE), 4500) for number in range(100)]
    messages = list(dns.answers(many, [SERVICE] * 100))
    assert max(map(len, messages)) <= dns.LONGEST
    counts = [struct.unpack_from("!6H", message)[3] for message in messages]
    assert sum(counts) == 100
    read = dns.parse(query(question()))
    assert read
    assert len(dns.reply(read, many, many, 10)) <= dns.LONGEST


def test_case_makes_no_difference() -> None:
    upper = tuple(label.upper() for label in TYPE)
    assert dns.folded(upper) == dns.folded(POINTER.name)


LARGEST = 9000
"""Bytes of a message at most (RFC 6762, 17)."""


def laid_out(count: int, entry: bytes, names: bytes, number: int = 0) -> bytes:
    """Return a message of the largest size: names in a record's data, then records that use them.

    The first record is of a kind whose data nobody reads. `entry` is repeated `count` times.
    """
    first = b"\0" + struct.pack("!HHIH", dns.TXT, 1, 1, len(names)) + names
    message = query(b"", first + entry * count, count=0, number=number or count + 1)
    assert len(message) <= LARGEST
    return message


class Counted(bytes):
    """A message that counts how often its bytes are looked at."""

    looks = 0

    def __getitem__(self, key: Any) -> Any:
        self.looks += 1
        return super().__getitem__(key)


AT = 12 + 11
"""Where the data of the first record of `laid_out` begins."""


def test_names_by_long_ways_cost_no_more_than_the_length_of_the_message() -> None:
    # A pointer that leads to a pointer, 2000 times, and at the end of the way a name.
    chain = b"\x01a\0\0" + b"".join(
        struct.pack("!H", 0xC000 | AT + (2 * at if at > 1 else 0)) for at in range(1, 2000)
    )
    start = AT + len(chain) - 2
    entry = struct.pack("!H", 0xC000 | start) + struct.pack("!HHIH", dns.A, 1, 1, 0)
    message = Counted(laid_out(400, entry, chain))
    read = dns.parse(message)
    assert read
    assert {record.name for record in read.known[1:]} == {(b"a",)}
    assert message.looks < 3 * LARGEST


def test_labels_in_common_are_read_once() -> None:
    labels = b"\x01a" * 127 + b"\0"
    entry = struct.pack("!H", 0xC000 | AT) + struct.pack("!HHIH", dns.A, 1, 1, 0)
    message = Counted(laid_out(700, entry, labels))
    read = dns.parse(message)
    assert read
    assert read.known[-1].name == (b"a",) * 127
    assert message.looks < 3 * LARGEST
    with pytest.raises(BadMessage, match="too long"):
        dns.parse(laid_out(1, b"\x01b" + entry, labels))


@given(st.binary(max_size=600))
def test_no_bytes_are_anything_but_a_message_or_none(tail: bytes) -> None:
    """A message states its counts of questions and records, up to 65,535 of each."""
    for head in (
        b"",
        bytes(4) + b"\xff\xff\xff\xff" + bytes(4),
        bytes(5) + b"\x02\0\x03" + bytes(4),
    ):
        try:
            read = dns.parse(head + tail)
        except BadMessage:
            continue
        assert read is None or all(sum(map(len, q.name)) < 255 for q in read.questions)


@pytest.mark.parametrize("label", ["", "a" * 64])
def test_an_invalid_label_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        dns.name_of(label)


def test_records_are_distinguished() -> None:
    assert len({POINTER, Record(*(POINTER.name, POINTER.type, POINTER.data, 1))}) == 2
