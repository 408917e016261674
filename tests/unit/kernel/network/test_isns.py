"""Messages of iSNS, octet by octet as in RFC 4171."""

from __future__ import annotations

import struct
from ipaddress import IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.kernel.network import isns
from sanstone.kernel.network.isns import Entity, Portal

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60)
PORTALS = st.builds(
    Portal,
    st.ip_addresses().map(str).filter(lambda text: "%" not in text),
    st.integers(1, 65535),
    st.integers(1, 65535),
)
ENTITIES = st.builds(Entity, NAMES, NAMES, NAMES, st.lists(PORTALS, max_size=8).map(tuple))
TRANSACTIONS = st.integers(0, 65535)


def text(value: bytes) -> str:
    """Return a text as a server reads it."""
    assert value.endswith(b"\0")
    return value.rstrip(b"\0").decode()


def number(value: bytes) -> int:
    """Return a number."""
    return int(struct.unpack("!I", value)[0])


def address(value: bytes) -> str:
    """Return an address."""
    parsed = IPv6Address(value)
    return str(parsed.ipv4_mapped or parsed)


def test_a_registration_octet_by_octet() -> None:
    entity = Entity("abc", "iqn.x:1", "", (Portal("10.0.0.1", 3260, 7),))
    ip = bytes(10) + b"\xff\xff\x0a\0\0\x01"
    payload = (
        b"\0\0\0\x20\0\0\0\x08iqn.x:1\0"
        b"\0\0\0\x01\0\0\0\x04abc\0"
        b"\0\0\0\0\0\0\0\0"
        b"\0\0\0\x01\0\0\0\x04abc\0"
        b"\0\0\0\x02\0\0\0\x04\0\0\0\x02"
        b"\0\0\0\x06\0\0\0\x04\0\0\x03\x84"
        b"\0\0\0\x10\0\0\0\x10" + ip + b"\0\0\0\x11\0\0\0\x04\0\0\x0c\xbc"
        b"\0\0\0\x20\0\0\0\x08iqn.x:1\0"
        b"\0\0\0\x21\0\0\0\x04\0\0\0\x01"
        b"\0\0\0\x30\0\0\0\x08iqn.x:1\0"
        b"\0\0\0\x31\0\0\0\x10" + ip + b"\0\0\0\x32\0\0\0\x04\0\0\x0c\xbc"
        b"\0\0\0\x33\0\0\0\x04\0\0\0\x07"
    )
    head = b"\0\x01\0\x01" + struct.pack("!H", len(payload))
    assert isns.registration(entity, 9, replaces=False) == head + b"\x8c\0\0\x09\0\0" + payload
    assert isns.registration(entity, 9, replaces=True) == head + b"\x9c\0\0\x09\0\0" + payload


def test_a_deregistration_octet_by_octet() -> None:
    assert isns.deregistration("abc", "iqn.x:1", 9) == (
        b"\0\x01\0\x04\0\x24\x8c\0\0\x09\0\0"
        b"\0\0\0\x20\0\0\0\x08iqn.x:1\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x04abc\0"
    )


@given(ENTITIES, TRANSACTIONS, st.booleans())
def test_all_of_an_entity_is_in_its_registration(
    entity: Entity, transaction: int, replaces: bool
) -> None:
    message = isns.registration(entity, transaction, replaces=replaces)
    attributes = list(isns.attributes(message))
    tags = [tag for tag, _ in attributes]
    assert all(len(value) % 4 == 0 for _, value in attributes)
    of = {tag: [value for each, value in attributes if each == tag] for tag in tags}
    assert [text(value) for value in of[1]] == [entity.name] * 2
    assert {text(value) for value in of[32]} == {entity.target}
    assert [text(value) for value in of[34]] == [entity.alias]
    expected = [(str(ip_address(p.address)), p.port) for p in entity.portals]
    mapped = [(str(getattr(ip_address(a), "ipv4_mapped", None) or a), p) for a, p in expected]
    for addresses, ports in ((16, 17), (49, 50)):
        pairs = zip(of.get(addresses, []), of.get(ports, []), strict=True)
        assert [(address(value), number(port)) for value, port in pairs] == mapped
    assert [number(value) for value in of.get(51, [])] == [p.tag for p in entity.portals]


def test_an_oversized_message_is_refused() -> None:
    portals = tuple(Portal("10.0.0.1", 3260, tag) for tag in range(1, 1000))
    with pytest.raises(isns.BadMessage, match="too many"):
        isns.registration(Entity("a", "b", "c", portals), 1, replaces=True)


@given(st.sampled_from([isns.REGISTER, isns.DEREGISTER]), TRANSACTIONS, st.integers(0, 2**32 - 1))
def test_an_answer_is_read(function: int, transaction: int, status: int) -> None:
    more = b"\0\0\0\x01\0\0\0\x04abc\0"
    head = struct.pack("!HHHHHH", 1, function | 0x8000, 4 + len(more), 0x4C00, transaction, 0)
    answer = isns.parse(head + struct.pack("!I", status) + more)
    assert answer == isns.Answer(function, transaction, status)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\0\x01\x80\x01\0\x04",
        b"\0\x02\x80\x01\0\x04\x4c\0\0\0\0\0\0\0\0\0",
        b"\0\x01\0\x01\0\x04\x8c\0\0\0\0\0\0\0\0\0",
        b"\0\x01\x80\x01\0\x04\x4c\0\0\0\0\x01\0\0\0\0",
        b"\0\x01\x80\x01\0\x08\x4c\0\0\0\0\0\0\0\0\0",
        b"\0\x01\x80\x01\0\0\x4c\0\0\0\0\0",
    ],
    ids=["nothing", "cut", "version", "a request", "a middle", "too short", "no status"],
)
def test_a_malformed_answer_is_an_error(message: bytes) -> None:
    with pytest.raises(isns.BadMessage):
        isns.parse(message)


@given(st.binary(max_size=200))
def test_garbage_is_read_or_refused(garbage: bytes) -> None:
    for read in (isns.parse, lambda it: list(isns.attributes(it))):
        try:
            read(garbage)
        except isns.BadMessage:
            continue


@pytest.mark.parametrize(("status", "text"), [(8, "source unauthorized"), (99, "status 99")])
def test_a_refusal_has_its_reason(status: int, text: str) -> None:
    assert str(isns.Refused(status)) == text
