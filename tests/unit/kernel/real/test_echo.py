"""Echo requests, and the answers that are taken for such."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.kernel.real import echo

TOKEN = b"\x00tokens\xff"
HEADERS = {4: b"\x45".ljust(20, b"\0"), 6: b""}
"""The bytes that the kernel puts before a received message."""


def answer(version: int, size: int, *, token: bytes = TOKEN, identity: int = 7) -> bytes:
    """Return the answer of a host, as a socket receives it."""
    request = echo.request(version, identity, 2, token, size)
    return HEADERS[version] + bytes([echo._TYPES[version][1]]) + request[1:]


@pytest.mark.parametrize(("version", "ip_header"), [(4, 20), (6, 40)])
@given(size=st.integers(576, 65535))
def test_a_packet_is_as_large_as_it_is_to_be(version: int, ip_header: int, size: int) -> None:
    assert ip_header + len(echo.request(version, 1, 1, TOKEN, size)) == size


@given(st.integers(0, 65535), st.integers(0, 2), st.integers(576, 1501))
def test_the_checksum_is_right(identity: int, number: int, size: int) -> None:
    message = echo.request(4, identity, number, TOKEN, size)
    assert message[:2] == b"\x08\0"
    # RFC 1071: over all of a message, its checksum included, it is nothing.
    assert echo.checksum(message) == 0


@given(st.binary(max_size=65))
def test_a_checksum_finds_a_bit_that_changed(message: bytes) -> None:
    changed = bytes([message[0] ^ 1]) + message[1:] if message else b"\1"
    assert echo.checksum(message) != echo.checksum(changed)


@pytest.mark.parametrize("version", [4, 6])
def test_an_answer_is_known(version: int) -> None:
    assert echo.answers(version, answer(version, 9000), 7, TOKEN, 9000)


@pytest.mark.parametrize("version", [4, 6])
def test_a_foreign_reply_is_ignored(version: int) -> None:
    foreign = [
        HEADERS[version] + echo.request(version, 7, 2, TOKEN, 9000),
        answer(version, 9000, token=b"anothers"),
        answer(version, 9000, identity=8),
        answer(version, 1500),
        answer(version, 9000)[:-1],
    ]
    assert [echo.answers(version, each, 7, TOKEN, 9000) for each in foreign] == [False] * 5


@pytest.mark.parametrize("version", [4, 6])
@given(garbage=st.binary(max_size=200))
def test_garbage_is_no_answer(version: int, garbage: bytes) -> None:
    assert not echo.answers(version, garbage, 7, TOKEN, 576)
    assert not echo.answers(version, struct.pack("!B", 15) + garbage, 7, TOKEN, 576)
