"""Values between the user and the API: as typed, as filters, as requests, as shown.

ONTAP's query operators (`!`, `|`, `*`, `<`, `>`, `..`) are the API's own, so a query is sent as
typed, except for: abbreviated choices, the shell's words for the API's, `-` for no value, and
lists, `a,b` or `{ a b }`: any element may match, but none after a `!` of its own. Sizes may have
suffixes in both. In a text of several lines `\\n` stands for the end of a line.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from typing import Any

from sanstone.shell.errors import ambiguous, invalid_value
from sanstone.shell.parameters import Parameter
from sanstone.shell.words import Word, scan

NOTHING = "-"
UNITS = ("auto", "raw", "B", "KB", "MB", "GB", "TB", "PB")
_OPERATOR = re.compile(r"[!*|<>]|\.\.")
_PREFIX = re.compile(r"[!<>=]*")
_SIZE = re.compile(r"([+-]?)(\d+(?:\.\d+)?)\s*([KMGTP]?)B?", re.IGNORECASE)
_DATE = re.compile(r"\d\d/\d\d/\d{4}( \d\d:\d\d:\d\d)?")
_AGO = re.compile(r"(?<![\w:+-])(\d+)([smhd])\b", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_TIME = "%m/%d/%Y %H:%M:%S"


@dataclass(frozen=True)
class Style:
    """How to show values: the unit of sizes, whether for a script, and the zone of times."""

    units: str = "auto"
    script: bool = False
    zone: tzinfo = UTC


@dataclass(frozen=True)
class Difference:
    """A size that is given as the difference from the present one, in bytes."""

    count: int


def is_literal(parameter: Parameter, word: Word) -> bool:
    """Return whether a word is one value, as opposed to a query for several."""
    if word.quoted:
        return True
    listed = "," in word.text and not parameter.many
    return not (_OPERATOR.search(word.text) or word.braced or listed or word.text == NOTHING)


def parts(word: Word) -> list[str]:
    """Return the entries of a list, `a,b` or `{ a b }` or `{a,b}`."""
    if word.braced:
        inner = [w.text for words in scan(word.text[1:-1]) for w in words]
        return [part for text in inner for part in text.split(",") if part]
    return [word.text] if word.quoted else [part for part in word.text.split(",") if part]


def to_query(parameter: Parameter, word: Word) -> str:
    """Return the API's filter for a query. Raises ShellError."""
    if word.quoted:
        return f'"{word.text}"' if _OPERATOR.search(word.text) else word.text
    queries = [
        "|".join(_filter(parameter, alternative) for alternative in part.split("|"))
        for part in parts(word)
    ]
    positive = "|".join(query for query in queries if not query.startswith("!"))
    negative = [query for query in queries if query.startswith("!")]
    return ",".join([positive, *negative] if positive else negative) or word.text


def _filter(parameter: Parameter, text: str) -> str:
    sign = _PREFIX.match(text)[0]  # type: ignore[index]
    value = text[len(sign) :]
    if value == NOTHING:
        # To a user, an empty text is no value.
        return f'{sign}null|""'
    if "*" in value or not value:
        return sign + (value.replace("-", "_") if parameter.dashed else value)
    if parameter.words:
        return sign + str(_one_of(parameter, value)).lower()
    return sign + (value.replace("-", "_") if parameter.dashed else value)


def localized(parameter: Parameter, word: Word, zone: tzinfo) -> Word:
    """Return a word in which times in the shell's format, which are of the zone, are ISO 8601.

    `1h` is an hour ago: s, m, h and d stand for seconds to days. Times have blanks and thus marks,
    within which they are no less a query. Raises ShellError.
    """

    def moment(match: re.Match[str]) -> str:
        form = _TIME if ":" in match[0] else _TIME.split()[0]
        try:
            return datetime.strptime(match[0], form).replace(tzinfo=zone).isoformat()
        except ValueError as error:
            raise invalid_value(match[0], parameter.usage) from error

    def ago(match: re.Match[str]) -> str:
        seconds = int(match[1]) * _SECONDS[match[2].lower()]
        return datetime.fromtimestamp(int(time.time()) - seconds, UTC).isoformat()

    text, dated = _DATE.subn(moment, word.text)
    text, relative = _AGO.subn(ago, text)
    count = dated + relative
    return Word(text, word.start) if count else word


def to_body(parameter: Parameter, word: Word) -> Any:
    """Return the value for a request. Raises ShellError for an invalid one."""
    if not parameter.many:
        return _value(parameter, word.text)
    if word.text == NOTHING and not word.quoted:
        return []
    return [_value(parameter, part) for part in parts(word)]


def _value(parameter: Parameter, text: str) -> Any:
    if parameter.words:
        return _one_of(parameter, text)
    if parameter.kind == "lines":
        return text.replace(r"\n", "\n")
    if parameter.units:
        return _counted(parameter, text)
    if parameter.kind == "integer" and not re.fullmatch(r"-?\d+", text):
        raise invalid_value(text, parameter.usage)
    if parameter.kind == "integer":
        return int(text)
    if parameter.kind == "size":
        return _size(parameter, text)
    return text.replace("-", "_") if parameter.dashed else text


def _size(parameter: Parameter, text: str) -> str | Difference:
    """Return a size as it is typed, which the API understands, or the difference that it is."""
    match = _SIZE.fullmatch(text)
    if not match or (match[1] and not parameter.relative):
        raise invalid_value(text, parameter.usage)
    if not match[1]:
        return text
    exponent = " KMGTP".index(match[3].upper() or " ")
    count = round(Decimal(match[2]) * 1024**exponent)
    return Difference(-count if match[1] == "-" else count)


def _counted(parameter: Parameter, text: str) -> int:
    """Return a number that may have a unit behind it, in the API's unit. Raises ShellError."""
    match = re.fullmatch(r"(\d+)\s*(\D*)", text)
    factors = {unit.lower(): factor for unit, factor in parameter.units} | {"": 1}
    if not match or match[2].lower() not in factors:
        raise invalid_value(text, parameter.usage)
    return int(match[1]) * factors[match[2].lower()]


def _one_of(parameter: Parameter, text: str) -> Any:
    """Return the API's word, or truth value, for a possibly abbreviated one."""
    plain = text.lower().replace("-", "_")
    # The API's own words are taken too, as the web interface writes them.
    own = {**{parameter.shown(c): c for c in parameter.choices}, **dict(parameter.spelled)}
    own |= {choice: choice for choice in parameter.choices}
    by_word = {word.lower().replace("-", "_"): word for word in (*own, *parameter.words)}
    if parameter.is_truth:
        by_word |= {word: parameter.truth[index] for index, word in enumerate(("true", "false"))}
    matches = {plain} if plain in by_word else {word for word in by_word if word.startswith(plain)}
    values = {by_word[word] for word in matches} if plain else set()
    if len(values) > 1:
        raise ambiguous("value", text, values)
    if not values:
        raise invalid_value(text, parameter.usage)
    word = values.pop()
    if parameter.is_truth:
        return word == parameter.truth[0]
    return own[word]


def shown(parameter: Parameter, value: Any, style: Style) -> str:
    """Return a value of an answer as text."""
    if value is None or value == "" or value == []:
        return NOTHING
    if isinstance(value, list):
        return ("," if style.script else ", ").join(shown(parameter, v, style) for v in value)
    if isinstance(value, bool):
        return parameter.truth[0] if value else parameter.truth[1]
    if parameter.kind == "size" and isinstance(value, int):
        return size(value, style.units)
    if parameter.kind == "duration" and not style.script:
        return duration(value)
    if parameter.kind == "timestamp" and isinstance(value, str):
        return datetime.fromisoformat(value).astimezone(style.zone).strftime(_TIME)
    return parameter.shown(str(value))


def duration(seconds: int) -> str:
    """Format seconds as days, hours and minutes."""
    days, rest = divmod(seconds // 60, 24 * 60)
    return f"{days} days {rest // 60:02}:{rest % 60:02}"


def size(count: int, units: str) -> str:
    """Format bytes in a unit; `auto` takes the largest that yields at least 1, `raw` none."""
    if units == "raw":
        return str(count)
    names = UNITS[2:]
    if units == "auto":
        exponent = max((n for n in range(len(names)) if abs(count) >= 1024**n), default=0)
    else:
        exponent = names.index(units)
    whole, rest = divmod(count, 1024**exponent)
    return (
        f"{whole}{names[exponent]}"
        if not rest
        else f"{count / 1024**exponent:.2f}{names[exponent]}"
    )
