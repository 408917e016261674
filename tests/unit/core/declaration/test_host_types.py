"""Names of hosts, and the keys by which they prove them."""

from __future__ import annotations

import base64
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from sanstone.core.declaration.host_types import DhHmacChapKey, Initiator, IscsiName, Nqn, TlsPsk


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("IQN.1994-05.com.RedHat:Host1", "iqn.1994-05.com.redhat:host1"),
        ("iqn.2001-04.com.example", "iqn.2001-04.com.example"),
        ("EUI.0123456789ABCDEF", "eui.0123456789abcdef"),
        ("2000005056000001", "20:00:00:50:56:00:00:01"),
        ("20:00:00:50:56:AA:00:01", "20:00:00:50:56:aa:00:01"),
    ],
)
def test_initiators_are_stored_in_lower_case(text: str, stored: str) -> None:
    assert Initiator().parse(text) == stored


@pytest.mark.parametrize(
    "name",
    [
        "iqn.1994-00.com.x:y",
        "iqn.1994-05.com.x:y z",
        "iqn.1994-05.com.x:",
        "iqn.١٩٩٤-05.com.x:y",
        "iqn.1994-05.com.x:ü",
        "iqn.1994-05.com.x:" + "y" * 206,
        "20:00:00:50:56:00:00",
        "200000505600000g",
    ],
)
def test_names_of_no_initiator(name: str) -> None:
    with pytest.raises(ValidationError):
        Initiator().parse(name)


def test_a_wwpn_is_no_iscsi_name() -> None:
    for name in ("20:00:00:50:56:00:00:01", "2000005056000001"):
        with pytest.raises(ValidationError):
            IscsiName().parse(name)


def test_an_nqn_has_at_most_223_characters_and_ascii_digits() -> None:
    longest = "nqn.2014-08.org.x:" + "y" * 205
    assert Nqn().parse(longest) == longest
    for name in (
        longest + "y",
        "nqn.٢٠١٤-08.org.x:y",
        "nqn.2014-08.org.x:a b",
        "NQN.2014-08.x:y",
    ):
        with pytest.raises(ValidationError):
            Nqn().parse(name)


@given(st.sampled_from([32, 48, 64]).flatmap(lambda n: st.binary(min_size=n, max_size=n)))
def test_a_key_with_its_checksum_is_taken_and_with_another_refused(key: bytes) -> None:
    def spelled(check: int) -> str:
        raw = key + check.to_bytes(4, "little")
        return f"DHHC-1:01:{base64.b64encode(raw).decode()}:"

    good = spelled(zlib.crc32(key))
    assert DhHmacChapKey().parse(good) == good
    with pytest.raises(ValidationError):
        DhHmacChapKey().parse(spelled(zlib.crc32(key) ^ 1))


@pytest.mark.parametrize(
    ("digits", "length", "is_good"),
    [
        ("00", 32, True),
        ("00", 48, True),
        ("01", 32, True),
        ("01", 48, False),
        ("02", 48, True),
        ("02", 32, False),
        ("03", 32, False),
        ("01", 31, False),
    ],
)
def test_a_tls_key_is_as_long_as_its_hash(digits: str, length: int, is_good: bool) -> None:
    key = bytes(range(length))
    raw = key + zlib.crc32(key).to_bytes(4, "little")
    text = f"NVMeTLSkey-1:{digits}:{base64.b64encode(raw).decode()}:"
    if is_good:
        assert TlsPsk().parse(text) == text
        return
    with pytest.raises(ValidationError) as refusal:
        TlsPsk().parse(text)
    assert text[16:40] not in str(refusal.value)


@given(st.text(string.ascii_letters + string.digits + "+/=", max_size=60))
def test_a_refused_key_is_not_repeated_in_the_message(text: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        DhHmacChapKey().parse(f"DHHC-1:00:{text}.:")
    assert len(text) < 4 or text not in str(refusal.value)
