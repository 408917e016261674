"""ONTAP's query language over a collection: filters, order and pages.

A filter `field=value` compares what JSON would show: equality, `!`, `<` `>` `<=` `>=`, `a|b`,
wildcards, `a..b`, `null`. Plain equality on a column of the table is also given to SQLite, so that
finding one object among thousands costs one look-up. Without `order_by`, rows come in the
resource's own order and a page begins after the last row of the page before (a key, not an
offset), so that rows which come or go between two pages are neither lost nor repeated.
"""

from __future__ import annotations

import base64
import binascii
import fnmatch
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import Select, tuple_

from sanstone.core import errors
from sanstone.core.fields import leaves, values_of
from sanstone.core.resource import Field, Node, Reader, Reference, References, Resource
from sanstone.core.types import Boolean, Integer, Size, parse_size

_RANGE = re.compile(r"(.*?\d[^/]*)\.\.(.*?\d[^/]*)")


@dataclass(frozen=True)
class Filter:
    """One condition: the node, the leaf of it that is compared, and what the client wrote."""

    node: Node
    leaf: str
    text: str
    test: Callable[[list[Any]], bool]

    def matches(self, row: Any, reader: Reader) -> bool:
        """Return whether a row passes; a list passes when any of its values does."""
        return self.test(values_of(self.node, self.leaf, row, reader))


def filters(resource: Resource[Any], parameters: Mapping[str, Sequence[str]]) -> list[Filter]:
    """Return the filters that parameters ask for. Raises ApiError for an unknown field."""
    made = []
    for name, texts in parameters.items():
        leaf = name.replace("-", "_")
        node = next((n for n in resource.fields if leaf == n.name or leaf in leaves(n)), None)
        if node is None or (isinstance(node, Field) and node.secret):
            text = f'The field "{name}" cannot be queried.'
            raise errors.invalid(text, name)
        if leaf == node.name and not isinstance(node, Field):
            leaf = leaves(node)[0]
        for text in texts:
            made.append(Filter(node, leaf, text, _test(node, leaf, text)))
    return made


def _test(node: Node, leaf: str, text: str) -> Callable[[list[Any]], bool]:
    if len(text) > 1 and text[0] == text[-1] == '"':
        literal = text[1:-1]
        return lambda values: any(str(v) == literal for v in values)
    if text.startswith("!") and len(text) > 1:
        inner = _test(node, leaf, text[1:])
        return lambda values: not inner(values)
    if text == "null":
        return lambda values: not values
    if "|" in text:
        tests = [_test(node, leaf, part) for part in text.split("|")]
        return lambda values: any(test(values) for test in tests)
    for sign in ("<=", ">=", "<", ">"):
        if text.startswith(sign):
            return _comparison(node, leaf, sign, text[len(sign) :])
    bounds = _RANGE.fullmatch(text)
    if bounds and not text.startswith("/"):
        low, high = (
            _comparison(node, leaf, s, b) for s, b in ((">=", bounds[1]), ("<=", bounds[2]))
        )
        return lambda values: any(low([v]) and high([v]) for v in values)
    if any(c in text for c in "*?"):
        pattern = re.compile(fnmatch.translate(text.replace("[", "[[]")))
        return lambda values: any(bool(pattern.match(_text(v))) for v in values)
    return _equality(_leaf_type(node, leaf), text)


def _equality(kind: Any, text: str) -> Callable[[list[Any]], bool]:
    if isinstance(kind, Boolean):
        wanted = text.lower()
        return lambda values: any(_text(v) == wanted for v in values)
    if isinstance(kind, Integer):
        try:
            number = parse_size(text) if isinstance(kind, Size) else int(text)
        except (ValueError, ValidationError) as error:
            raise errors.invalid(f'"{text}" is not a number.') from error
        return lambda values: number in values
    return lambda values: any(_text(v) == text for v in values)


def _comparison(node: Node, leaf: str, sign: str, text: str) -> Callable[[list[Any]], bool]:
    compare: dict[str, Callable[[Any, Any], bool]] = {
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "<=": lambda a, b: a <= b,
        ">=": lambda a, b: a >= b,
    }
    bound: Any = text
    if isinstance(_leaf_type(node, leaf), Integer):
        try:
            bound = parse_size(text)
        except ValidationError as error:
            raise errors.invalid(f'"{text}" is not a number.', leaf) from error
        return lambda values: any(compare[sign](v, bound) for v in values)
    return lambda values: any(compare[sign](_text(v), bound) for v in values)


def _leaf_type(node: Node, leaf: str) -> Any:
    if isinstance(node, Field):
        return node.type
    if isinstance(node, Reference | References):
        return None
    rest = leaf.removeprefix(f"{node.name}.")
    return next(_leaf_type(child, rest) for child in node.fields if rest in leaves(child))


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Page:
    """Rows of one page; `start` is where the next page begins, '' when this is the last."""

    rows: list[Any]
    start: str


def page(
    resource: Resource[Any],
    reader: Reader,
    wanted: Sequence[Filter],
    order_by: Sequence[tuple[str, bool]],
    maximum: int,
    start: str,
) -> Page:
    """Return up to `maximum` matching rows after `start`."""
    rows: list[Any] = []
    after = _decode(start)
    matching = _ordered(resource, reader, wanted, order_by, after)
    for row in matching:
        if len(rows) == maximum:
            return Page(rows, _encode(_place(resource, reader, order_by, rows[-1])))
        rows.append(row)
    return Page(rows, "")


def match_all(resource: Resource[Any], reader: Reader, wanted: Sequence[Filter]) -> list[Any]:
    """Return all rows that match, in the resource's order."""
    return list(_ordered(resource, reader, wanted, (), None))


def _ordered(
    resource: Resource[Any],
    reader: Reader,
    wanted: Sequence[Filter],
    order_by: Sequence[tuple[str, bool]],
    after: list[Any] | None,
) -> Iterator[Any]:
    computed = resource.rows(reader)
    if computed is None and not order_by:
        yield from (
            r for r in _from_table(resource, reader, wanted, after) if _passes(wanted, r, reader)
        )
        return
    source = _from_table(resource, reader, wanted, None) if computed is None else computed
    rows = [row for row in source if _passes(wanted, row, reader)]
    rows.sort(key=lambda row: _place(resource, reader, (), row))
    for name, descending in reversed(order_by):
        rows.sort(key=partial(_rank, resource, reader, name), reverse=descending)
    for row in rows:
        if after is None or _beyond(_place(resource, reader, order_by, row), after, order_by):
            yield row


def _beyond(place: list[Any], after: list[Any], order_by: Sequence[tuple[str, bool]]) -> bool:
    directions = [descending for _, descending in order_by] + [False] * len(after)
    for here, there, descending in zip(place, after, directions, strict=False):
        if here != there:
            return bool(here < there if descending else here > there)
    return False


def _passes(wanted: Sequence[Filter], row: Any, reader: Reader) -> bool:
    return all(condition.matches(row, reader) for condition in wanted)


def _from_table(
    resource: Resource[Any], reader: Reader, wanted: Sequence[Filter], after: list[Any] | None
) -> Iterator[Any]:
    statement: Select[Any] = resource.select()
    for condition in wanted:
        statement = _narrow(resource, statement, condition)
    columns = [getattr(resource.model, name) for name in resource.order]
    if after is not None:
        statement = statement.where(tuple_(*columns) > tuple_(*after))
    statement = statement.order_by(*columns).execution_options(yield_per=500)
    yield from reader.session.scalars(statement)


def _narrow(resource: Resource[Any], statement: Select[Any], condition: Filter) -> Select[Any]:
    node, text = condition.node, condition.text
    if any(c in text for c in '*?|!<>"') or ".." in text or text == "null":
        return statement
    model: Any = resource.model
    if isinstance(node, Field) and not node.get and not isinstance(node.type, Boolean | Integer):
        attribute = node.attribute or node.name.replace(".", "_")
        if attribute in model.__mapper__.columns:
            return statement.where(getattr(model, attribute) == text)
    if isinstance(node, Reference) and not node.get:
        related = getattr(model, node.attribute or node.name.replace(".", "_"))
        column = getattr(node.to, condition.leaf.rpartition(".")[2])
        return statement.where(related.has(column == text))
    return statement


def _rank(resource: Resource[Any], reader: Reader, name: str, row: Any) -> list[Any]:
    node = next(n for n in resource.fields if name == n.name or name in leaves(n))
    values = values_of(node, name if name in leaves(node) else leaves(node)[0], row, reader)
    return [bool(values), values[0] if values else ""]


def _place(
    resource: Resource[Any], reader: Reader, order_by: Sequence[tuple[str, bool]], row: Any
) -> list[Any]:
    ranks = [_rank(resource, reader, name, row) for name, _ in order_by]
    return [*ranks, *(getattr(row, name) for name in resource.order)]


def ordering(resource: Resource[Any], texts: Sequence[str]) -> list[tuple[str, bool]]:
    """Return (field, descending) pairs of the `order_by` parameter. Raises ApiError."""
    pairs = []
    for part in (p.split() for text in texts for p in text.split(",")):
        if not part:
            continue
        name, direction = part[0].replace("-", "_"), [p.lower() for p in part[1:]] or ["asc"]
        known = any(name in (n.name, *leaves(n)) for n in resource.fields if leaves(n))
        if not known or direction not in (["asc"], ["desc"]):
            raise errors.invalid(f'"{" ".join(part)}" cannot be ordered by.', "order_by")
        pairs.append((name, direction == ["desc"]))
    return pairs


def _encode(place: list[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _decode(start: str) -> list[Any] | None:
    if not start:
        return None
    try:
        place = json.loads(base64.urlsafe_b64decode(start + "=" * (-len(start) % 4)))
    except (binascii.Error, ValueError) as error:
        raise errors.invalid("The start of the page is not valid.", "start") from error
    if not isinstance(place, list):
        raise errors.invalid("The start of the page is not valid.", "start")
    return place
