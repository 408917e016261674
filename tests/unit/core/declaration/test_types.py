"""Types parse clients' values to one canonical form, and refuse the rest with a sentence."""

from __future__ import annotations

import ipaddress
import re
import uuid
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from sanstone.core.declaration import host_types, types
from sanstone.core.declaration.host_types import (
    Alias,
    DhHmacChapKey,
    HostName,
    Initiator,
    InitiatorOrAlias,
    IscsiName,
    Nqn,
    TlsPsk,
    Wwpn,
)
from sanstone.core.declaration.types import (
    GIB,
    TIB,
    Boolean,
    Choice,
    DomainName,
    Duration,
    EmailAddress,
    HttpUrl,
    Integer,
    IpAddress,
    Lines,
    ListOf,
    LunPath,
    Netmask,
    NetworkAddress,
    Never,
    Password,
    RemoteHost,
    Size,
    Text,
    Timestamp,
    Type,
    Uuid,
)

EXAMPLES: dict[str, Type] = {
    "boolean": Boolean(),
    "choice": Choice("chap", "none", "deny"),
    "key": DhHmacChapKey(),
    "tls key": TlsPsk(),
    "domain": DomainName(),
    "alias": Alias(),
    "initiator": Initiator(),
    "host name": HostName(),
    "initiator or alias": InitiatorOrAlias(),
    "integer": Integer(1, 4095),
    "address": IpAddress(),
    "iscsi name": IscsiName(),
    "path": LunPath(),
    "netmask": Netmask(),
    "lines": Lines(200),
    "addresses": ListOf(IpAddress(), 2),
    "sizes": ListOf(Size(0, TIB), 3),
    "never": Never(),
    "network": NetworkAddress(),
    "nqn": Nqn(),
    "password": Password(12, 16),
    "duration": Duration(),
    "host": RemoteHost(),
    "mail": EmailAddress(),
    "url": HttpUrl(),
    "size": Size(4096, TIB),
    "text": Text(40, 1, r"[a-z]+", "small letters, not {these}"),
    "comment": Text(255),
    "timestamp": Timestamp(),
    "uuid": Uuid(),
    "wwpn": Wwpn(),
}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def _pairs(which: str) -> list[Any]:
    return [
        pytest.param(kind, example, id=f"{name}-{str(example)[:30]!r}")
        for name, kind in EXAMPLES.items()
        for example in getattr(kind, which)
    ]


@pytest.mark.parametrize(("kind", "example"), _pairs("good"))
def test_good_examples_are_taken(kind: Type, example: Any) -> None:
    kind.parse(example)


@pytest.mark.parametrize(("kind", "example"), _pairs("bad"))
def test_bad_examples_are_refused(kind: Type, example: Any) -> None:
    with pytest.raises(ValidationError):
        kind.parse(example)


@pytest.mark.parametrize("kind", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_null_is_refused(kind: Type) -> None:
    with pytest.raises(ValidationError):
        kind.parse(None)


@pytest.mark.parametrize("kind", EXAMPLES.values(), ids=EXAMPLES.keys())
@given(value=JSON)
def test_anything_is_taken_or_refused_and_what_is_taken_stays(kind: Type, value: Any) -> None:
    """A second parse of a canonical value, or of its form in JSON, changes nothing."""
    try:
        canonical = kind.parse(value)
    except ValidationError as refusal:
        assert str(refusal)
        return
    assert kind.parse(kind.format(canonical)) == canonical


@pytest.mark.parametrize("kind", EXAMPLES.values(), ids=EXAMPLES.keys())
@given(text=st.text(alphabet=st.characters(exclude_categories=[]), max_size=40))
def test_no_text_breaks_a_type(kind: Type, text: str) -> None:
    """Lone surrogates, which JSON can carry, never get through: SQLite could not store them."""
    try:
        kind.parse(text)
    except ValidationError:
        return
    text.encode()


def test_text_counts_characters_and_matches_as_a_whole() -> None:
    assert Text(3).parse("äöü") == "äöü"
    with pytest.raises(ValidationError):
        Text(40, 0, "a|b").parse("ax")
    with pytest.raises(ValidationError):
        Text(40, 0, "[a-z]+").parse("abc\n")


def test_a_hint_may_hold_braces() -> None:
    with pytest.raises(ValidationError, match=re.escape("Use letters, {, }.")):
        Text(40, 0, "[a-z{}]+", "letters, {, }").parse("A")


def test_a_pattern_is_understood_by_openapi_clients() -> None:
    r"""`\Z` is Python's alone; in ECMA 262 it is the letter Z."""
    patterns = [v.regex.pattern for v in Text(4, 0, "[a-z]+").validators if hasattr(v, "regex")]
    assert patterns == ["^(?:[a-z]+)$"]


@pytest.mark.parametrize("character", ["\x00", "\t", "\n", "\r", "\x1b", "\x7f"])
def test_control_characters_are_refused(character: str) -> None:
    with pytest.raises(ValidationError, match="Control characters"):
        Text(40).parse(f"a{character}b")


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_number_may_come_as_text(number: int) -> None:
    kind = Integer(-(2**63), 2**63 - 1)
    assert kind.parse(str(number)) == kind.parse(number) == number


@pytest.mark.parametrize(
    "text", ["", " 7", "7 ", "+7", "0x7", "7.0", "\u0667", "1_000", "9" * 5000]
)
def test_other_spellings_of_a_number_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Integer().parse(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1073741824", GIB),
        ("1GB", GIB),
        ("1g", GIB),
        ("1.5 GB", 3 * GIB // 2),
        ("10TB", 10 * TIB),
        ("4096B", 4096),
        (" 1GB ", GIB),
    ],
)
def test_sizes_take_suffixes(text: str, size: int) -> None:
    assert Size().parse(text) == size


@given(st.integers(0, 2**63 - 1))
def test_a_size_in_bytes_is_exact(size: int) -> None:
    assert Size().parse(str(size)) == size


@pytest.mark.parametrize("text", ["GB", "1XB", "-1GB", "1e3", "1.GB", "1GBB", "", "٣GB", "9" * 99])
def test_other_spellings_of_a_size_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Size().parse(text)


def test_the_range_of_a_size_holds_for_texts_too() -> None:
    with pytest.raises(ValidationError):
        Size(1, TIB).parse("2TB")


@pytest.mark.parametrize("word", ["true", "True", "TRUE", True])
def test_truth_in_any_case(word: Any) -> None:
    assert Boolean().parse(word) is True


@pytest.mark.parametrize("word", ["false", "False", "FALSE", False])
def test_falsehood_in_any_case(word: Any) -> None:
    assert Boolean().parse(word) is False


def test_a_choice_is_compared_without_case_and_knows_aliases() -> None:
    kind = Choice("chap", "linux", aliases={"default": "linux"})
    assert kind.parse("CHAP") == "chap"
    assert kind.parse("Default") == "linux"


@given(st.uuids())
def test_a_uuid_becomes_lower_case_with_hyphens(value: uuid.UUID) -> None:
    assert Uuid().parse(str(value).upper()) == Uuid().parse(value.hex) == str(value)


@given(st.ip_addresses())
def test_an_address_has_one_spelling(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    try:
        assert IpAddress().parse(address.exploded) == str(address)
    except ValidationError:
        assert address.is_multicast or address.is_unspecified or int(address) == 2**32 - 1


def test_the_default_network_is_a_destination_but_no_address() -> None:
    assert NetworkAddress().parse("::") == "::"
    with pytest.raises(ValidationError):
        IpAddress().parse("::")


@given(st.integers(0, 32))
def test_a_netmask_is_its_prefix_length(length: int) -> None:
    mask = str(ipaddress.IPv4Network(f"0.0.0.0/{length}").netmask)
    kind = Netmask()
    assert kind.parse(mask) == kind.parse(str(length)) == kind.parse(length) == length
    assert kind.format(length) == str(length)


@given(st.datetimes(datetime(1971, 1, 1), datetime(2900, 1, 1)), st.integers(-14, 14))
def test_a_moment_is_the_same_in_every_time_zone(naive: datetime, hours: int) -> None:
    moment = naive.replace(microsecond=0, tzinfo=timezone(timedelta(hours=hours)))
    seconds = Timestamp().parse(moment.isoformat())
    assert Timestamp().format(seconds) == moment.astimezone(UTC).isoformat()


def test_a_moment_without_offset_is_utc_wherever_the_array_stands() -> None:
    assert Timestamp().parse("1970-01-02T00:00:00") == 86400.0
    assert Timestamp().parse("1970-01-02") == 86400.0


@pytest.mark.parametrize("path", ["/vol/v/lun1", "/vol/_v/a.b_c-d{e}", "/vol/V1/0"])
def test_paths_of_luns(path: str) -> None:
    assert LunPath().parse(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "/vol/v/q/l",
        "/vol/v/..",
        "/vol/v/.",
        "vol/v/l",
        "/vol/v/l/",
        "//vol/v/l",
        "/vol/v-1/l",
    ],
)
def test_paths_that_are_none(path: str) -> None:
    with pytest.raises(ValidationError):
        LunPath().parse(path)


def test_a_domain_name_is_in_small_letters_and_no_longer_than_names_can_be() -> None:
    assert DomainName().parse("Example.ORG") == "example.org"
    longest = ".".join(["x" * 63] * 3 + ["y" * 61])
    assert DomainName().parse(longest) == longest
    with pytest.raises(ValidationError):
        DomainName().parse(f"z.{longest}"[:254])


def test_a_host_is_a_name_or_an_address_in_its_canonical_spelling() -> None:
    assert RemoteHost().parse("NTP.example.org") == "ntp.example.org"
    assert RemoteHost().parse("2001:DB8:0::1") == "2001:db8::1"
    with pytest.raises(ValidationError, match="must be an IP address"):
        RemoteHost().parse("192.0.2.300")


def test_a_list_keeps_its_order_and_names_a_wrong_entry() -> None:
    kind = ListOf(IpAddress(), 2)
    assert kind.parse(["192.0.2.2", "FD00:0::7"]) == ["192.0.2.2", "fd00::7"]
    for value, message in (
        (["192.0.2.1", "x"], "Entry 2: This must be an IP address."),
        (["fd00::7", "fd00:0::7"], "Entry 2 is there already."),
        (["192.0.2.1", "192.0.2.2", "192.0.2.3"], "Longer than maximum length 2."),
        ("192.0.2.1", "This must be a list."),
    ):
        with pytest.raises(ValidationError) as refusal:
            kind.parse(value)
        assert refusal.value.messages == [message]


def test_a_mail_address_keeps_its_local_part() -> None:
    assert EmailAddress().parse("Duty.Officer@Example.ORG") == "Duty.Officer@example.org"
    for wrong in (".a@example.org", "a..b@example.org", f"{'a' * 65}@example.org", "ü b@x.org"):
        with pytest.raises(ValidationError):
            EmailAddress().parse(wrong)


def test_a_url_is_taken_as_it_is() -> None:
    for text in ("https://[2001:db8::1]:8443/a?b=c#d", "http://hooks"):
        assert HttpUrl().parse(text) == text
    for wrong in ("https://a:99999/", "https://[::1", "HTTPS:/a", "//a/b"):
        with pytest.raises(ValidationError):
            HttpUrl().parse(wrong)


@pytest.mark.parametrize(
    ("kind", "text", "spelling"),
    [
        (Initiator(), "iqn.1991-05.com.Example:WIN-Host01", "iqn.1991-05.com.example:win-host01"),
        (Initiator(), "20000050560000AB", "20:00:00:50:56:00:00:ab"),
        (Initiator(), "5054:00ff:fe00:0201", "0x0000000000000000505400fffe000201"),
        (Initiator(), "iqn.1991-05.com.Example:WIN*", "iqn.1991-05.com.example:win*"),
        (HostName(), "20000050560000AB", "20:00:00:50:56:00:00:ab"),
        (HostName(), "nqn.2014-08.org.nvmexpress:Host", "nqn.2014-08.org.nvmexpress:Host"),
        (Uuid(), "0B5ED3F630A54B3B8F0C6A1B0A1B2C3D", "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"),
        (IpAddress(), "FD00:0::7", "fd00::7"),
        (ListOf(IpAddress(), 2), "FD00:0::7", "fd00::7"),
        (Choice("iscsi", "fcp"), "FCP", "fcp"),
        (Choice("Default", "other"), "DEFAULT", "Default"),
        (Choice("Default", "other"), "Def*", "Def*"),
        (Netmask(), "255.255.255.0", "24"),
        (Text(), "As It Is", "As It Is"),
    ],
)
def test_a_value_in_a_query_is_spelled_as_shown(kind: Type, text: str, spelling: str) -> None:
    assert kind.spelled(text) == spelling


def test_every_type_is_examined_here() -> None:
    defined = {
        k
        for k in (*vars(types).values(), *vars(host_types).values())
        if isinstance(k, type) and issubclass(k, Type)
    }
    examined = {type(kind) for kind in EXAMPLES.values()}
    assert {kind.__name__ for kind in defined - examined} == {"Type", "Strings"}
