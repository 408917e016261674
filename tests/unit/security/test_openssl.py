"""What openssl(1) is given to read, and what is made of what it prints."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanstone.security import certificates, openssl
from sanstone.security.certificates import BadCertificate, CertificateSpecification
from sanstone.security.openssl import OpensslError

MADE = certificates.self_signed(CertificateSpecification((("CN", "array.example.org"),)), 30)
DER = base64.b64decode("".join(MADE.text.splitlines()[1:-1]))


def pem(der: bytes) -> str:
    """Return a certificate in PEM."""
    text = base64.encodebytes(der).decode()
    return f"-----BEGIN CERTIFICATE-----\n{text}-----END CERTIFICATE-----\n"


def test_blocks_are_found_among_other_text() -> None:
    text = f"before\n{MADE.key}between\n{MADE.text}{MADE.text}after"
    found = openssl.blocks(text.replace("\n", "\r\n"))
    assert found == [("PRIVATE KEY", MADE.key), *[("CERTIFICATE", MADE.text)] * 2]


def test_a_block_that_does_not_end_is_none() -> None:
    begun = "-----BEGIN CERTIFICATE-----\nAAAA\n"
    assert openssl.blocks(begun) == []
    assert openssl.blocks(begun + MADE.text) == [("CERTIFICATE", MADE.text)]
    assert openssl.blocks(f"{begun}-----END PRIVATE KEY-----\n") == []


@given(st.lists(st.sampled_from(["-----BEGIN A-----\n", "-----END A-----\n", "AA\n", "-", " "])))
def test_each_block_is_part_of_the_text(parts: list[str]) -> None:
    for kind, text in openssl.blocks("".join(parts)):
        assert kind == "A"
        assert text.count("-----BEGIN") == text.count("-----END") == 1
        assert text.rstrip("\n") in "".join(parts)


@pytest.mark.parametrize("time", [b"999999999999Z", b"260231000000Z", b"not any time."])
def test_a_time_that_is_none_makes_a_certificate_unreadable(time: bytes) -> None:
    bad = pem(re.sub(rb"\d{12}Z", time, DER, count=1))
    with pytest.raises(OpensslError, match="is no time"):
        openssl.facts(bad)
    with pytest.raises(BadCertificate, match="cannot be read"):
        certificates.judge(bad)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, len(DER) - 1), st.integers(0, 255)), min_size=1))
def test_whatever_is_brought_is_judged(changed: list[tuple[int, int]]) -> None:
    der = bytearray(DER)
    for place, value in changed:
        der[place] = value
    try:
        facts = certificates.judge(pem(bytes(der)))
    except BadCertificate as error:
        assert str(error)
    else:
        assert openssl.is_current(facts)
