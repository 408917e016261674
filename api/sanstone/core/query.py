"""A collection's rows: those that pass the filters, in order, page by page.

Without `order_by`, rows come in the resource's own order and a page begins after the last row of
the page before (a key, not an offset), so that rows which come or go between two pages are neither
lost nor repeated. With it, rows that rank alike follow in the resource's own order, and the key
holds the ranks too. Looking one object up by a literal costs one query of SQLite.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Select

from sanstone.core import errors
from sanstone.core.fields import leaves, values_of
from sanstone.core.filters import Condition
from sanstone.core.resource import Field, Reader, Resource
from sanstone.core.sorting import Sorting, storable

PORTION = 500
"""Rows that are read at a time, at least, where some of them may not match."""
Order = Sequence[tuple[str, bool]]
"""Names of fields to sort by, each with whether it is descending."""


@dataclass(frozen=True)
class Page:
    """Rows of one page; `start` is where the next page begins, '' when this is the last."""

    rows: list[Any]
    start: str


def page(
    resource: Resource[Any],
    reader: Reader,
    conditions: Sequence[Condition],
    order_by: Order,
    maximum: int,
    start: str,
) -> Page:
    """Return up to `maximum` matching rows after `start`. Raises ApiError."""
    rows: list[Any] = []
    after = _decode(start, len(order_by), len(resource.order)) if start else None
    for row in _ordered(resource, reader, conditions, order_by, after, maximum + 1):
        if len(rows) == maximum:
            return Page(rows, _encode(_place(resource, reader, order_by, rows[-1])))
        rows.append(row)
    return Page(rows, "")


def match_all(
    resource: Resource[Any], reader: Reader, conditions: Sequence[Condition]
) -> list[Any]:
    """Return all rows that match, in the resource's order."""
    return list(_ordered(resource, reader, conditions, (), None, None))


def ordering(resource: Resource[Any], texts: Sequence[str]) -> list[tuple[str, bool]]:
    """Return (field, descending) pairs of the `order_by` parameter. Raises ApiError."""
    directions: dict[str, bool] = {}
    for part in (p.split() for text in texts for p in text.split(",")):
        if not part:
            continue
        name, direction = part[0].replace("-", "_"), [p.lower() for p in part[1:]] or ["asc"]
        sortable = any(name in (n.name, *leaves(n)) for n in resource.fields if leaves(n))
        if not sortable or direction not in (["asc"], ["desc"]):
            raise errors.invalid(f'"{" ".join(part)}" cannot be ordered by.', "order_by")
        # Naming a field again does not change the order.
        directions.setdefault(name, direction == ["desc"])
    return list(directions.items())


def _ordered(
    resource: Resource[Any],
    reader: Reader,
    conditions: Sequence[Condition],
    order_by: Order,
    after: list[Any] | None,
    maximum: int | None,
) -> Iterator[Any]:
    computed = resource.rows(reader)
    sorting = _sorting(resource, order_by) if computed is None else None
    if sorting is not None:
        portions = _from_table(resource, reader, conditions, sorting, after, maximum)
        yield from (row for row in portions if _passes(conditions, row, reader))
        return
    unsorted = Sorting(resource.model, resource.order)
    source: Iterable[Any] = (
        _from_table(resource, reader, conditions, unsorted, None, None)
        if computed is None
        else computed
    )
    rows = [row for row in source if _passes(conditions, row, reader)]
    rows.sort(key=lambda row: _place(resource, reader, (), row))
    for name, descending in reversed(order_by):
        rows.sort(key=partial(_rank, resource, reader, name), reverse=descending)
    for row in rows:
        if after is None or _beyond(_place(resource, reader, order_by, row), after, order_by):
            yield row


def _sorting(resource: Resource[Any], order_by: Order) -> Sorting | None:
    """Return the order for SQLite, or None where a column does not hold what JSON shows."""
    ranked = []
    for name, descending in order_by:
        node = next(n for n in resource.fields if name in (n.name, *leaves(n)))
        if not isinstance(node, Field) or node.get or not node.as_stored:
            return None
        ranked.append((node.column, descending))
    return Sorting.of(resource.model, ranked, resource.order)


def _beyond(place: list[Any], after: list[Any], order_by: Order) -> bool:
    directions = [descending for _, descending in order_by] + [False] * len(after)
    for here, there, descending in zip(place, after, directions, strict=False):
        if here != there:
            try:
                return bool(here < there if descending else here > there)
            except TypeError as error:
                raise _bad_start() from error
    return False


def _passes(conditions: Sequence[Condition], row: Any, reader: Reader) -> bool:
    return all(condition.matches(row, reader) for condition in conditions)


def _from_table(
    resource: Resource[Any],
    reader: Reader,
    conditions: Sequence[Condition],
    sorting: Sorting,
    after: list[Any] | None,
    maximum: int | None,
) -> Iterator[Any]:
    """Yield SQLite's rows, as many at a time as a page may need, or all at once.

    Each portion begins after the last row of the one before. It is complete before its first row is
    shown, so that what its rows need to be shown is loaded for all of them together.
    """
    statement: Select[Any] = resource.select()
    for condition in conditions:
        statement = condition.narrow(resource.model, statement)
    statement = statement.order_by(*sorting.clauses)
    portion = None if maximum is None else max(maximum, PORTION if conditions else 0)
    while True:
        beyond = statement if after is None else statement.where(sorting.beyond(after))
        rows = reader.session.scalars(beyond.limit(portion)).unique().all()
        yield from rows
        if portion is None or len(rows) < portion:
            return
        after = sorting.place(rows[-1])


def _rank(resource: Resource[Any], reader: Reader, name: str, row: Any) -> list[Any]:
    node = next(n for n in resource.fields if name in (n.name, *leaves(n)))
    values = values_of(node, name if name in leaves(node) else leaves(node)[0], row, reader)
    return [bool(values), values[0] if values else ""]


def _place(resource: Resource[Any], reader: Reader, order_by: Order, row: Any) -> list[Any]:
    ranks = [_rank(resource, reader, name, row) for name, _ in order_by]
    return [*ranks, *(getattr(row, name) for name in resource.order)]


def _encode(place: list[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _decode(start: str, ranks: int, keys: int) -> list[Any]:
    """Decode the place in `start`. A client may send anything. Raises ApiError."""
    try:
        place = json.loads(base64.urlsafe_b64decode(start + "=" * (-len(start) % 4)))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise _bad_start() from error
    if not isinstance(place, list) or len(place) != ranks + keys:
        raise _bad_start()
    ranked = all(isinstance(rank, list) and len(rank) == 2 for rank in place[:ranks])
    if not ranked or not all(storable(key) for key in place[ranks:]):
        raise _bad_start()
    return place


def _bad_start() -> errors.ApiError:
    return errors.invalid("The start of the page is not valid.", "start")
