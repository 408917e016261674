"""Conditions of a query on a field: ONTAP's operators.

    v         equal                          a|b        either
    !v        not what follows               a* *b* *   wildcard; `*` alone: has a value
    <v >=v    compared, as are > and <=      a..b       from a to b, both included
    null      has no value                   "v"        v taken literally

A filter compares values as JSON would show them; of a list, any element may match. A condition may
be written in any way in which a client may write the value itself (`Type.spelled`). `!` negates all
that follows it, but a comma before another `!` ends that: `!a,!b` is neither, `a*,!ab` values that
begin with a and are not ab. Sizes take suffixes, truth values any case; times have any offset, or
are seconds since 1970. `..` in a text is a range only between numbers or dates, since names and
paths may hold it too.

Several texts between commas or blanks must all be in a list: that is how Cinder queries for the
igroup that has every initiator of a host.
"""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from marshmallow import ValidationError
from sqlalchemy import ColumnElement, String, select

from sanstone.core import errors
from sanstone.core.declaration.fields import also_of, values_of
from sanstone.core.declaration.resource import (
    Field,
    Items,
    Node,
    Reader,
    Reference,
    References,
    Resource,
)
from sanstone.core.declaration.types import (
    Boolean,
    Integer,
    ListOf,
    Netmask,
    Strings,
    Timestamp,
    Type,
    Uuid,
    parse_size,
)

Test = Callable[[list[Any]], bool]


class Condition(Protocol):
    """A condition that a request puts on rows."""

    def matches(self, row: Any, reader: Reader) -> bool:
        """Return whether a row meets the condition."""

    def clause(self, model: Any) -> ColumnElement[bool] | None:
        """Return the condition in SQL, for a table; None where only Python can tell."""


LONGEST_PATTERN = 1000
"""Characters of a pattern that SQLite is given; it takes 50,000 bytes, and looks for long."""
_UUID = Uuid()
_RANGE = re.compile(r"(-?[0-9][^/]*?)\.\.(-?[0-9][^/]*)")
_COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


@dataclass(frozen=True)
class Filter:
    """One condition on the values under `leaf` of a node.

    `equal` is a text that a value must equal, `like` a pattern of SQLite's GLOB that it must match;
    where either is set, nothing else is compared.
    """

    node: Node
    leaf: str
    test: Test
    equal: str | None = None
    like: str | None = None

    def matches(self, row: Any, reader: Reader) -> bool:
        """Return whether a row matches; a list matches when any of its values does."""
        place = self.node, self.leaf, row, reader
        return self.test([*values_of(*place), *also_of(*place)])

    def clause(self, model: Any) -> ColumnElement[bool] | None:
        """Return the condition in SQL where a column holds exactly what JSON shows."""
        node = self.node
        if not isinstance(node, Field | Reference) or node.get:
            return None
        if isinstance(node, Field) and node.also:
            return None
        mapper, attribute = model.__mapper__, node.attribute or node.name.replace(".", "_")
        if isinstance(node, Field):
            column = mapper.columns.get(attribute)
            return self._of_column(column) if column is not None and node.as_stored else None
        target: Any = node.to
        column = target.__mapper__.columns.get(self.leaf.rpartition(".")[2])
        condition = None if column is None else self._of_column(column)
        if condition is None or attribute not in mapper.relationships:
            return None
        (local, remote), *more = mapper.relationships[attribute].local_remote_pairs
        if more or local.table is not model.__table__:
            related: ColumnElement[bool] = getattr(model, attribute).has(condition)
            return related
        # Unlike EXISTS, this lets SQLite begin with the other object and use an index of the rows.
        is_member: ColumnElement[bool] = local.in_(select(remote).where(condition))
        return is_member

    def _of_column(self, column: Any) -> ColumnElement[bool] | None:
        condition: ColumnElement[bool] | None = None
        if not isinstance(column.type, String):
            return None
        if self.equal is not None:
            condition = column == self.equal
        elif self.like is not None and len(self.like) <= LONGEST_PATTERN:
            condition = column.op("GLOB", is_comparison=True)(self.like)
        return condition


def parse(resource: Resource[Any], parameters: Mapping[str, Sequence[str]]) -> list[Filter]:
    """Return the filters for query parameters. Raises ApiError."""
    return [
        _filter(node, leaf, text)
        for name, texts in parameters.items()
        for node, leaf in [_find(resource, name)]
        for text in texts
    ]


def exactly(resource: Resource[Any], values: Mapping[str, str]) -> list[Filter]:
    """Return the filters for values as they are, such as the keys in a path. Raises ApiError."""
    named = (
        (*_find(resource, name), spelled(resource, name, text)) for name, text in values.items()
    )
    return [Filter(node, leaf, _is(text), text) for node, leaf, text in named]


def spelled(resource: Resource[Any], name: str, text: str) -> str:
    """Return the text of a condition on a name as JSON shows it, if that is a field's."""
    named = _named(resource, name)
    kind = leaf_type(*named) if named else None
    return kind.spelled(text) if kind else text


def _find(resource: Resource[Any], name: str) -> tuple[Node, str]:
    """Return the node that a parameter names, and the leaf that it compares."""
    named = _named(resource, name)
    if not named:
        raise errors.unexpected(name)
    return named


def _named(resource: Resource[Any], name: str) -> tuple[Node, str] | None:
    leaf = name.replace("-", "_")
    for node in resource.fields:
        names = node.leaves
        if names and leaf in (node.name, *names):
            return node, leaf if leaf in names else names[0]
    return None


def _filter(node: Node, leaf: str, text: str) -> Filter:
    if len(terms := _split(r",\s*(?=!)", text)) > 1:
        tests = [_filter(node, leaf, term).test for term in terms]
        return Filter(node, leaf, lambda v: all(test(v) for test in tests))
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    if len(parts) > 1 and _is_list(node) and not re.search(r'[!"]', text):
        whole, each = _is(text), [_filter(node, leaf, part).test for part in parts]
        return Filter(node, leaf, lambda v: whole(v) or all(test(v) for test in each))
    kind = leaf_type(node, leaf)
    plain = not isinstance(kind, Boolean | Integer | Netmask | Timestamp) and text != "null"
    if plain and not re.search(r'[!|<>"]', text) and not _RANGE.fullmatch(text):
        text = kind.spelled(text) if kind else text
        if "*" not in text:
            return Filter(node, leaf, _is(text), equal=text)
        return Filter(node, leaf, _test(kind, leaf, text), like=_pattern(text))
    return Filter(node, leaf, _test(kind, leaf, text))


def _pattern(text: str) -> str:
    """Return the pattern for a text with wildcards, in which `*` alone is special."""
    return re.sub(r"[?[]", r"[\g<0>]", text)


def _is_list(node: Node) -> bool:
    listed = isinstance(node, Items | References)
    return listed or (isinstance(node, Field) and isinstance(node.type, Strings | ListOf))


def _test(kind: Type | None, leaf: str, text: str) -> Test:
    if text.startswith("!") and (positive := text.lstrip("!")):
        inner, negated = _test(kind, leaf, positive), (len(text) - len(positive)) % 2 == 1
        return lambda values: inner(values) is not negated
    if len(parts := _split(r"\|", text)) > 1:
        tests = [_test(kind, leaf, part) for part in parts]
        return lambda values: any(test(values) for test in tests)
    if re.fullmatch(r'"[^"]*"', text):
        return _is(kind.spelled(text[1:-1]) if kind else text[1:-1])
    if text == "null":
        return lambda values: not values
    for sign, compare in _COMPARISONS.items():
        if text.startswith(sign):
            return _compared(kind, leaf, (compare, text[len(sign) :]))
    if bounds := _RANGE.fullmatch(text):
        return _compared(kind, leaf, (operator.ge, bounds[1]), (operator.le, bounds[2]))
    if "*" in text:
        pattern = re.compile(fnmatch.translate(_pattern(kind.spelled(text) if kind else text)))
        return lambda values: any(pattern.match(_text(v)) for v in values)
    return _compared(kind, leaf, (operator.eq, text))


def _split(separator: str, text: str) -> list[str]:
    """Split a text at separators that are outside quotation marks."""
    parts = [""]
    for piece in re.split(r'("[^"]*")', text):
        first, *others = [piece] if piece.startswith('"') else re.split(separator, piece)
        parts[-1] += first
        parts += others
    return parts


def _is(text: str) -> Test:
    return lambda values: any(_text(v) == text for v in values)


def _compared(
    kind: Type | None, leaf: str, *bounds: tuple[Callable[[Any, Any], bool], str]
) -> Test:
    """Return a test whether one value is within all bounds."""
    try:
        limits = [(compare, _bound(kind, text)) for compare, text in bounds]
    except ValidationError as error:
        text = f'Invalid value for field "{leaf}": {error.messages[0]}'
        raise errors.invalid(text, leaf) from error
    return lambda values: any(
        all(compare(_comparable(kind, v), bound) for compare, bound in limits) for v in values
    )


def _bound(kind: Type | None, text: str) -> Any:
    """Convert the value of a condition to a comparable form. Raises ValidationError."""
    exact = isinstance(kind, Boolean | Integer | Netmask | Timestamp)
    return _comparable(kind, kind.spelled(text) if kind and not exact else text)


def _comparable(kind: Type | None, value: Any) -> Any:
    """Convert a shown or a requested value to a comparable form. Raises ValidationError."""
    # Eight digits are a date.
    if isinstance(kind, Timestamp) and re.fullmatch(r"[0-9]{1,7}|[0-9]{9,10}", str(value)):
        return float(value)
    if isinstance(kind, Timestamp | Netmask):
        return kind.parse(value)
    if isinstance(kind, Integer) and isinstance(value, str):
        return -parse_size(value[1:]) if value.startswith("-") else parse_size(value)
    if isinstance(kind, Integer):
        return value
    return _text(value).lower() if isinstance(kind, Boolean) else _text(value)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def leaf_type(node: Node, leaf: str) -> Type | None:
    """Return the type of the values under a leaf of a node, None for another object's name."""
    if isinstance(node, Field):
        return node.type
    if isinstance(node, Reference | References):
        return _UUID if leaf.endswith(".uuid") else None
    rest = leaf.removeprefix(f"{node.name}.")
    return next(leaf_type(child, rest) for child in node.fields if rest in child.leaves)
