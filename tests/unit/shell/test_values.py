"""Values on their way to the API and back."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sanstone.shell.errors import ShellError
from sanstone.shell.parameters import Parameter
from sanstone.shell.values import (
    Difference,
    Style,
    is_literal,
    localized,
    parts,
    shown,
    size,
    to_body,
    to_query,
)
from sanstone.shell.words import Word

SIZE = Parameter("size", "size", "")
RESIZED = Parameter("size", "size", "", relative=True)
STATE = Parameter("state", "choice", "", choices=("online", "offline", "off_line"))
SERVICES = Parameter(
    "services", "choice", "", choices=("data_iscsi", "data_nvme_tcp"), many=True, dashed=True
)
ADMIN = Parameter("status-admin", "boolean", "", truth=("up", "down"))
NAME = Parameter("volume", "name", "")
NAMES = Parameter("initiator", "initiator", "", many=True)
NUMBER = Parameter("lun-id", "integer", "")
TIME = Parameter("time", "timestamp", "")
UPTIME = Parameter("uptime", "duration", "")


def word(text: str, *, quoted: bool = False) -> Word:
    return Word(text, 0, quoted)


@pytest.mark.parametrize(
    ("parameter", "text", "query"),
    [
        (SIZE, ">10g", ">10g"),
        (SIZE, "1g..2g", "1g..2g"),
        (STATE, "onl", "online"),
        (STATE, "!ONLINE", "!online"),
        (STATE, "on*", "on*"),
        (STATE, "online|offline", "online|offline"),
        (STATE, "!on|off-line", "!online|off_line"),
        (NAME, "a,b", "a|b"),
        (NAME, "{a b}", "a|b"),
        (NAME, "!a,!b", "!a,!b"),
        (NAME, "{!a !b}", "!a,!b"),
        (NAME, "!a,b,c*", "b|c*,!a"),
        (NAME, "a|b,!c", "a|b,!c"),
        (STATE, "!onl,!off-line", "!online,!off_line"),
        (NAME, "-", 'null|""'),
        (NAME, "!-", '!null|""'),
        (NAME, "*", "*"),
        (ADMIN, "up", "true"),
        (ADMIN, "!u", "!true"),
        (ADMIN, "false", "false"),
        (SERVICES, "data-nvme-tcp", "data_nvme_tcp"),
        (SERVICES, "data-n*", "data_n*"),
    ],
)
def test_queries(parameter: Parameter, text: str, query: str) -> None:
    assert to_query(parameter, word(text)) == query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (">11/21/2026 14:00:00", ">2026-11-21T14:00:00+01:00"),
        ("07/21/2026..11/22/2026", "2026-07-21T00:00:00+02:00..2026-11-22T00:00:00+01:00"),
        ("2026-11-21T14:00:00Z", "2026-11-21T14:00:00Z"),
    ],
)
def test_times_are_of_the_arrays_zone(text: str, query: str) -> None:
    zone = ZoneInfo("Europe/Vienna")
    assert to_query(TIME, localized(TIME, word(text, quoted="/" in text), zone)) == query
    with pytest.raises(ShellError):
        localized(TIME, word("13/01/2026"), zone)
    summer = "2026-07-21T14:00:00+00:00"
    assert shown(TIME, summer, Style(zone=zone)) == "07/21/2026 16:00:00"


def test_a_quoted_value_is_no_query() -> None:
    assert to_query(NAME, word("a|b*", quoted=True)) == '"a|b*"'
    assert to_query(NAME, word("a, b", quoted=True)) == "a, b"
    assert is_literal(NAME, word("*", quoted=True)) and not is_literal(NAME, word("*"))


@pytest.mark.parametrize("text", ["!a", "a*", "a|b", "<1", "{a}", "a,b", "-", "1..2"])
def test_operators_make_a_query(text: str) -> None:
    assert not is_literal(NAME, word(text))


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        (SIZE, "1.5TB", "1.5TB"),
        (SIZE, "100g", "100g"),
        (STATE, "of", ShellError),
        (STATE, "offline", "offline"),
        (STATE, "off-", "off_line"),
        (STATE, "", ShellError),
        (STATE, "x", ShellError),
        (SIZE, "1q", ShellError),
        (SIZE, "-1", ShellError),
        (SIZE, "+1g", ShellError),
        (RESIZED, "2g", "2g"),
        (RESIZED, "+1g", Difference(1024**3)),
        (RESIZED, "-1.5KB", Difference(-1536)),
        (RESIZED, "+512", Difference(512)),
        (RESIZED, "+-1", ShellError),
        (NUMBER, "12", 12),
        (NUMBER, "1k", ShellError),
        (ADMIN, "down", False),
        (ADMIN, "TRUE", True),
        (ADMIN, "x", ShellError),
        (SERVICES, "data-i,data-nvme-tcp", ["data_iscsi", "data_nvme_tcp"]),
        (NAMES, "{a b,c}", ["a", "b", "c"]),
        (NAMES, "-", []),
        (NAME, "a b", "a b"),
    ],
)
def test_bodies(parameter: Parameter, text: str, value: Any) -> None:
    if value is ShellError:
        with pytest.raises(ShellError):
            to_body(parameter, word(text))
    else:
        assert to_body(parameter, word(text)) == value


def test_an_invalid_value_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(ShellError) as caught:
        to_body(ADMIN, word("sideways"))
    assert str(caught.value) == (
        '"sideways" is an invalid value for field "-status-admin {up|down}"'
    )


def test_lists() -> None:
    assert parts(word("a,b")) == ["a", "b"]
    assert parts(word("a,b", quoted=True)) == ["a,b"]
    assert parts(word('{ "a b" c }')) == ["a b", "c"]


@pytest.mark.parametrize(
    ("count", "units", "text"),
    [
        (0, "auto", "0B"),
        (1023, "auto", "1023B"),
        (80 * 1024**3, "auto", "80GB"),
        (1536 * 1024**2, "auto", "1.50GB"),
        (1536 * 1024**2, "MB", "1536MB"),
        (1536 * 1024**2, "raw", "1610612736"),
        (1024**3, "TB", "0.00TB"),
        (2 * 1024**6, "auto", "2048PB"),
    ],
)
def test_sizes(count: int, units: str, text: str) -> None:
    assert size(count, units) == text


@pytest.mark.parametrize(
    ("parameter", "value", "text"),
    [
        (NAME, None, "-"),
        (NAME, "", "-"),
        (NAMES, [], "-"),
        (NAMES, ["a", "b"], "a, b"),
        (ADMIN, True, "up"),
        (ADMIN, False, "down"),
        (SERVICES, ["data_iscsi"], "data-iscsi"),
        (TIME, "2026-11-21T14:00:00+00:00", "11/21/2026 14:00:00"),
        (NUMBER, 0, "0"),
        (UPTIME, 59, "0 days 00:00"),
        (UPTIME, 2 * 86400 + 3 * 3600 + 4 * 60 + 59, "2 days 03:04"),
    ],
)
def test_values_as_shown(parameter: Parameter, value: Any, text: str) -> None:
    assert shown(parameter, value, Style()) == text


def test_lists_for_scripts_have_no_blanks() -> None:
    assert shown(NAMES, ["a", "b"], Style(script=True)) == "a,b"
    assert shown(UPTIME, 61, Style(script=True)) == "61"
