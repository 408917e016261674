"""The answer file: its fields, and the errors that name wrong ones."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanstone.install import answers
from sanstone.install.answers import Address, Answers, WrongAnswers
from sanstone.rules.cluster.settings import NAME_SERVERS
from sanstone.security import password_hashes

PASSWORD = "correct horse 1"
NAMES = st.sampled_from(["address", "gateway"])
VALUES = st.sampled_from(
    ["dhcp", "192.0.2.10/24", "192.0.2.1", "first", "serial:", "/dev/sda", ".."]
)
LEAST: dict[str, Any] = {"disks": ["first"], "host_name": "san1", "password": PASSWORD}


def wrong(**changed: Any) -> str:
    """Return the error of the least answers with some changed; None takes a field away."""
    content = {name: value for name, value in {**LEAST, **changed}.items() if value is not None}
    with pytest.raises(WrongAnswers) as error:
        answers.parse(json.dumps(content))
    return str(error.value)


def test_the_least_is_enough() -> None:
    parsed = answers.parse(json.dumps(LEAST))
    assert parsed.disks == ("first",)
    assert (parsed.timezone, parsed.management, parsed.after) == ("Etc/UTC", None, "reboot")
    assert (parsed.name_servers, parsed.time_servers) == ((), ())
    assert not parsed.erase_aggregates
    assert not parsed.erase_installed
    assert parsed.configuration == "restore"
    assert password_hashes.verify_password(parsed.password_hash, PASSWORD)


def test_the_example_of_the_manual_is_right() -> None:
    example = re.search(r"^    \{.*?\}$", answers.__doc__ or "", re.MULTILINE | re.DOTALL)
    assert example
    parsed = answers.parse(example[0])
    assert parsed.management == Address("192.0.2.10", 24, "192.0.2.1")
    assert parsed.name_servers == ("192.0.2.53", "192.0.2.54")
    assert parsed.time_servers == ("ntp.example.org", "192.0.2.123")
    assert len(parsed.disks) == 2


def test_a_hash_stands_for_the_password() -> None:
    hashed = password_hashes.hash_password(PASSWORD)
    content = {**LEAST, "password_hash": hashed}
    del content["password"]
    assert answers.parse(json.dumps(content)).password_hash == hashed


def test_no_password_is_shown() -> None:
    parsed = answers.parse(json.dumps(LEAST))
    assert parsed.password_hash not in repr(parsed)
    assert PASSWORD not in wrong(host_name="-")


def test_ipv6() -> None:
    content = {**LEAST, "management": {"address": "2001:db8::10/64", "gateway": "2001:db8::1"}}
    parsed = answers.parse(json.dumps(content))
    assert parsed.management == Address("2001:db8::10", 64, "2001:db8::1")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"disks": None}, "disks: Missing"),
        ({"disks": []}, "disks: Length"),
        ({"disks": ["first"] * 3}, "disks: Length"),
        ({"disks": ["sda"]}, r"disks\.0: A path, serial:"),
        ({"disks": ["first", "serial:"]}, r"disks\.1: A path, serial:"),
        ({"host_name": "san_1"}, "host_name: A letter"),
        ({"host_name": "s" * 45}, "host_name: A letter"),
        ({"host_name": "san-"}, "host_name: A letter"),
        ({"host_name": "san\n"}, "host_name: A letter"),
        ({"timezone": "Europe/Atlantis"}, 'timezone: "Europe/Atlantis" is not a time zone'),
        ({"timezone": "../../etc/passwd"}, "timezone: .* is not a time zone"),
        ({"password": "short1"}, "password: .*at least 8"),
        ({"password": "onlyletters"}, "password: .*letters and numbers"),
        ({"password": None}, "password: Either this or password_hash"),
        ({"password_hash": "$argon2id$"}, "password: Either this or password_hash"),
        ({"password": None, "password_hash": "$6$salt$hash"}, "password_hash: An argon2id hash"),
        ({"management": "static"}, 'management: "dhcp", or an object'),
        ({"management": {"gateway": "192.0.2.1"}}, r"management\.address: Missing"),
        ({"management": {"address": "192.0.2.10"}}, r"management\.address: An address with"),
        ({"management": {"address": "192.0.2.0/24"}}, r"management\.address: 192\.0\.2\.0 stands"),
        ({"management": {"address": "127.0.0.1/8"}}, r"management\.address: .*not an address"),
        (
            {"management": {"address": "192.0.2.10/24", "gateway": "198.51.100.1"}},
            r"management\.gateway: Another address in 192\.0\.2\.0/24",
        ),
        (
            {"management": {"address": "192.0.2.10/24", "gateway": "192.0.2.10"}},
            r"management\.gateway: Another address",
        ),
        ({"management": {"address": "192.0.2.10/24", "dns": "192.0.2.1"}}, r"management\.dns: Unk"),
        ({"name_servers": ["192.0.2.53", "dns"]}, r"name_servers: Entry 2: .*an IP address"),
        ({"name_servers": ["192.0.2.53"] * 2}, "name_servers: Entry 2 is there already"),
        ({"name_servers": [f"192.0.2.{n}" for n in range(1, 5)]}, "name_servers: Longer than .* 3"),
        ({"name_servers": "192.0.2.53"}, "name_servers: This must be a list"),
        ({"time_servers": ["ntp example"]}, "time_servers: Entry 1: Use a domain name"),
        ({"time_servers": [f"n{n}" for n in range(11)]}, "time_servers: Longer than .* 10"),
        ({"erase_aggregates": "yes"}, "erase_aggregates: Not a valid boolean"),
        ({"erase_installed": "yes"}, "erase_installed: Not a valid boolean"),
        ({"configuration": "old"}, "configuration: Must be one of: restore, new"),
        ({"after": "halt"}, "after: Must be one of: reboot, poweroff"),
        ({"colour": "blue"}, "colour: Unknown field"),
    ],
)
def test_a_wrong_field_is_named(changed: dict[str, Any], message: str) -> None:
    assert re.match(message, wrong(**changed))


def test_all_wrong_fields_are_named_at_once() -> None:
    lines = wrong(host_name="-", timezone="nowhere").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["host_name", "timezone"]


@given(
    st.dictionaries(
        st.sampled_from([*Answers.__dataclass_fields__, "password", "colour"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text() | VALUES,
            lambda inner: st.lists(inner) | st.dictionaries(st.text() | NAMES, inner),
        ),
    )
)
def test_any_file_gives_answers_or_a_reason(content: dict[str, Any]) -> None:
    try:
        parsed = answers.parse(json.dumps({**LEAST, **content}))
    except WrongAnswers as error:
        assert str(error)
    else:
        assert parsed.disks


@pytest.mark.parametrize("text", ["", "{", "disks: [first]", "[" * 100_000])
def test_an_answer_file_that_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(WrongAnswers, match="not JSON"):
        answers.parse(text)


def test_a_list_is_no_answer() -> None:
    with pytest.raises(WrongAnswers, match="answers: Invalid input type"):
        answers.parse("[]")


def test_a_list_in_a_line_has_blanks_or_commas_between_its_entries() -> None:
    for line in ("192.0.2.1 192.0.2.2", "192.0.2.1,192.0.2.2", "  192.0.2.1, 192.0.2.2 "):
        assert answers.parse_list(NAME_SERVERS, line) == ("192.0.2.1", "192.0.2.2")
    assert answers.parse_list(NAME_SERVERS, " ") == ()
