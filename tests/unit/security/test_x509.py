"""Facts that the array reads from foreign certificates and requests."""

from __future__ import annotations

import re
import ssl
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanstone.security import certificates, openssl, x509
from sanstone.security.certificates import BadCertificate, CertificateSpecification
from sanstone.security.x509 import Unreadable

NAMES = ("DNS:array.example.org", "DNS:*.example.org", "IP:10.1.2.3", "IP:fd00:0::1")
READ = (*NAMES[:2], "IP Address:10.1.2.3", "IP Address:fd00::1")
CERTIFICATE = certificates.self_signed(
    CertificateSpecification((("O", "Ours"), ("CN", "array.example.org")), NAMES), 30
)
DER = ssl.PEM_cert_to_DER_cert(CERTIFICATE.text)
REQUEST = certificates.request(CertificateSpecification((("CN", "x"),), NAMES)).text


def signed_itself(folder: Path, *options: str) -> str:
    """Return a certificate that openssl(1) makes by these options."""
    argv = ["openssl", "req", "-x509", "-noenc", "-keyout", "key.pem", "-subj", "/CN=x", *options]
    return subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_facts_of_a_certificate_are_those_of_openssl(tmp_path: Path) -> None:
    (tmp_path / "made.pem").write_text(CERTIFICATE.text)
    argv = ["openssl", "x509", "-in", "made.pem", "-noout", "-serial"]
    argv += ["-ext", "subjectKeyIdentifier"]
    output = subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    facts = x509.facts(CERTIFICATE.text)
    assert f"serial={facts.serial_number}\n" in output
    assert facts.subject_key in output
    assert facts.subject_key.count(":") == 19
    assert (facts.common_name, facts.issuer) == ("array.example.org",) * 2
    assert facts.names == READ
    assert not facts.authority
    assert facts.is_current


@pytest.mark.parametrize(
    ("options", "size", "function"),
    [
        ("-newkey rsa:2048 -sha512", 2048, "sha512"),
        ("-newkey rsa:2048 -sha256 -sigopt rsa_padding_mode:pss", 2048, "sha256"),
        ("-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -sha256", 256, "sha256"),
        ("-newkey ec -pkeyopt ec_paramgen_curve:secp384r1 -sha384", 384, "sha384"),
        ("-newkey ec -pkeyopt ec_paramgen_curve:secp521r1 -sha512", 521, "sha512"),
        ("-newkey ec -pkeyopt ec_paramgen_curve:brainpoolP256r1 -sha256", 256, "sha256"),
        ("-newkey ed25519", 0, "sha512"),
    ],
)
def test_kinds_of_keys(tmp_path: Path, options: str, size: int, function: str) -> None:
    facts = x509.facts(signed_itself(tmp_path, *options.split()))
    assert (facts.key_size, facts.hash_function) == (size, function)


def test_an_authority_is_recognized_and_names_its_issuers_key() -> None:
    specification = CertificateSpecification((("CN", "An authority"),), authority=True)
    authority = certificates.self_signed(specification, 2)
    signed = certificates.sign(REQUEST, authority.text, authority.key, 1, "sha384")
    assert x509.facts(authority.text).authority
    facts = x509.facts(signed)
    assert facts.authority_key == x509.facts(authority.text).subject_key
    assert (facts.issuer, facts.names, facts.authority) == ("An authority", READ, False)


def test_a_certificate_without_extensions_is_read(tmp_path: Path) -> None:
    (tmp_path / "none.conf").write_text("[req]\ndistinguished_name=name\n[name]\n")
    facts = x509.facts(signed_itself(tmp_path, "-config", "none.conf"))
    assert (facts.names, facts.authority) == ((), False)


def test_unprintable_parts_of_a_name_are_left_out(tmp_path: Path) -> None:
    text = signed_itself(tmp_path, "-utf8", "-subj", "/O=a/CN= Zoë\n\x7f of b /CN=c")
    assert x509.facts(text).common_name == "Zoë of b"


def test_names_of_a_request_are_read() -> None:
    assert x509.requested_names(REQUEST) == READ
    plain = certificates.request(CertificateSpecification((("CN", "x"),))).text
    assert x509.requested_names(plain) == ()


@pytest.mark.parametrize(
    "names",
    ["30:05:87:03:01:02:03", "30:04:82:02:ff:fe", "30:05:82:03:61:0a:62", "30:05:82:03:61:2c:62"],
    ids=["address of three bytes", "no text", "two lines", "comma"],
)
def test_names_that_are_none_are_left_out(names: str) -> None:
    """They would be lines of a configuration of openssl(1) where an authority signs them."""
    specification = CertificateSpecification((("CN", "x"),), (f"DER:{names}",))
    assert x509.requested_names(certificates.request(specification).text) == ()
    assert x509.facts(certificates.self_signed(specification, 1).text).names == ()


@pytest.mark.parametrize("time", [b"999999999999Z", b"260231000000Z", b"not any time."])
def test_a_time_that_is_none_makes_a_certificate_unreadable(time: bytes) -> None:
    bad = ssl.DER_cert_to_PEM_cert(re.sub(rb"\d{12}Z", time, DER, count=1))
    openssl.require_loadable(bad)
    with pytest.raises(Unreadable, match=r"\w"):
        x509.facts(bad)
    with pytest.raises(BadCertificate, match="cannot be read"):
        certificates.judge(bad)


CHANGES = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), min_size=1)


def changed(der: bytes, changes: list[tuple[int, int]]) -> bytes:
    """Return the bytes with some of them changed."""
    result = bytearray(der)
    for place, value in changes:
        result[place % len(der)] = value
    return bytes(result)


@settings(max_examples=200)
@given(CHANGES)
def test_any_certificate_is_read_or_unreadable(changes: list[tuple[int, int]]) -> None:
    text = ssl.DER_cert_to_PEM_cert(changed(DER, changes))
    try:
        facts = x509.facts(text)
    except Unreadable as error:
        assert str(error)
    else:
        assert facts.common_name.isprintable()
    try:
        facts = certificates.judge(text)
    except BadCertificate as unfit:
        assert str(unfit)
    else:
        assert facts.is_current


@settings(max_examples=200)
@given(CHANGES)
def test_any_request_is_read_or_unreadable(changes: list[tuple[int, int]]) -> None:
    der = ssl.PEM_cert_to_DER_cert(REQUEST.replace("CERTIFICATE REQUEST", "CERTIFICATE"))
    text = ssl.DER_cert_to_PEM_cert(changed(der, changes))
    try:
        names = x509.requested_names(text.replace("CERTIFICATE", "CERTIFICATE REQUEST"))
    except Unreadable as error:
        assert str(error)
    else:
        assert not any(set(name) & set(", \n") for name in names if name.startswith("DNS:"))
