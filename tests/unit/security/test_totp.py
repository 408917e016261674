"""Codes are those of RFC 6238, which every app computes."""

from __future__ import annotations

import base64
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from sqlalchemy import Engine

from sanstone.security import totp

SECRET = base64.b32encode(b"12345678901234567890").decode()
"""That of the RFC's appendix B."""


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_the_vectors_of_the_standard(seconds: int, code: str) -> None:
    step = totp.step_at(seconds)
    assert totp.code_of(SECRET, step, 8) == code
    assert totp.code_of(SECRET, step) == code[2:]
    assert totp.matching_step(SECRET, code[2:], seconds) == step


def test_a_clock_may_differ_by_one_step_and_no_more() -> None:
    now, step = 2_000_000_000.0, totp.step_at(2_000_000_000)
    offsets = [
        offset
        for offset in range(-3, 4)
        if totp.matching_step(SECRET, totp.code_of(SECRET, step + offset), now) is not None
    ]
    assert offsets == [-1, 0, 1]


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "٢٧٩٠٣٧", "-79037"])
def test_an_invalid_code_is_wrong(code: str) -> None:
    assert totp.matching_step(SECRET, code, 2_000_000_000) is None


def test_an_app_takes_a_secret_over_by_its_uri() -> None:
    secret = totp.new_secret()
    parts = urlsplit(totp.uri(secret, "array 1", "joe@example.org"))
    assert (parts.scheme, parts.netloc) == ("otpauth", "totp")
    assert unquote(parts.path) == "/array 1:joe@example.org"
    assert "+" not in parts.query, "apps take a plus for itself"
    assert parse_qs(parts.query) == {"secret": [secret], "issuer": ["array 1"]}
    assert len(base64.b32decode(secret)) == 20
    assert secret != totp.new_secret()


def test_an_emergency_code_is_stored_so_that_only_this_array_knows_it(toys: Engine) -> None:
    codes = totp.new_emergency_codes()
    assert len(set(codes)) == 5
    assert all(len(code) == 8 and code.isdecimal() for code in codes)
    digests = {totp.emergency_digest(account, codes[0]) for account in ("one", "other")}
    assert len(digests) == 2
    assert not any(codes[0] in digest for digest in digests)
