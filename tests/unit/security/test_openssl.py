"""Input for OpenSSL: the blocks of PEM in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.security import certificates, openssl
from sanstone.security.certificates import CertificateSpecification
from sanstone.security.openssl import OpensslError

CERTIFICATE = certificates.self_signed(CertificateSpecification((("CN", "array.example.org"),)), 30)


def test_blocks_are_found_among_other_text() -> None:
    text = f"before\n{CERTIFICATE.key}between\n{CERTIFICATE.text}{CERTIFICATE.text}after"
    blocks = openssl.blocks(text.replace("\n", "\r\n"))
    assert blocks == [("PRIVATE KEY", CERTIFICATE.key), *[("CERTIFICATE", CERTIFICATE.text)] * 2]


def test_a_block_that_does_not_end_is_none() -> None:
    fragment = "-----BEGIN CERTIFICATE-----\nAAAA\n"
    assert openssl.blocks(fragment) == []
    assert openssl.blocks(fragment + CERTIFICATE.text) == [("CERTIFICATE", CERTIFICATE.text)]
    assert openssl.blocks(f"{fragment}-----END PRIVATE KEY-----\n") == []


@given(st.lists(st.sampled_from(["-----BEGIN A-----\n", "-----END A-----\n", "AA\n", "-", " "])))
def test_each_block_is_part_of_the_text(parts: list[str]) -> None:
    for kind, text in openssl.blocks("".join(parts)):
        assert kind == "A"
        assert text.count("-----BEGIN") == text.count("-----END") == 1
        assert text.rstrip("\n") in "".join(parts)


def test_unreadable_input_is_refused() -> None:
    openssl.require_loadable(CERTIFICATE.text * 2)
    for text in (
        "",
        "no certificate",
        CERTIFICATE.key,
        CERTIFICATE.text.replace("M", "N"),
        f"é{CERTIFICATE.text}",
    ):
        with pytest.raises(OpensslError, match=r"\w"):
            openssl.require_loadable(text)
