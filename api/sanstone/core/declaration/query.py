"""A collection's rows: those that pass the filters, in order, page by page.

Without `order_by`, rows come in the resource's own order and a page begins after the last row of
the page before (a key, not an offset), so that rows which come or go between two pages are neither
lost nor repeated. With it, rows that rank alike follow in the resource's own order, and the key
holds the ranks too. Looking one object up by a literal costs one query of SQLite.

SQLite filters, sorts, skips and counts where it knows all conditions (`filters`, `expressions`);
else Python does the rest, with every row that may match.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import Select, func

from sanstone.core import errors
from sanstone.core.declaration.expressions import expression
from sanstone.core.declaration.fields import values_of
from sanstone.core.declaration.filters import Condition
from sanstone.core.declaration.resource import Node, Reader, Resource
from sanstone.core.declaration.sorting import Sorting, rank, storable

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
    start: str = "",
    offset: int = 0,
) -> Page:
    """Return up to `maximum` matching rows after `start`, or after `offset` (0…) of them.

    Raises ApiError.
    """
    rows: list[Any] = []
    last: list[Any] = []
    after = _decode(start, len(order_by), len(resource.order)) if start else None
    ordered = _ordered(resource, reader, conditions, order_by, after, maximum + 1, offset)
    for row, place in ordered:
        if len(rows) == maximum:
            return Page(rows, _encode(last))
        rows.append(row)
        last = place
    return Page(rows, "")


def match_all(
    resource: Resource[Any], reader: Reader, conditions: Sequence[Condition]
) -> list[Any]:
    """Return all rows that match, in the resource's order."""
    return [row for row, _ in _ordered(resource, reader, conditions, (), None, None, 0)]


def count(resource: Resource[Any], reader: Reader, conditions: Sequence[Condition]) -> int:
    """Return how many rows match, without loading them where SQLite knows all conditions."""
    computed = resource.rows(reader)
    if computed is None and _known_to_sqlite(resource, conditions):
        statement = _statement(resource, conditions)
        counted = statement.with_only_columns(func.count(), maintain_column_froms=True)
        number: int = reader.session.scalar(counted) or 0
        return number
    return sum(1 for _ in _matching(resource, reader, conditions, computed))


def ordering(resource: Resource[Any], texts: Sequence[str]) -> list[tuple[str, bool]]:
    """Return (field, descending) pairs of the `order_by` parameter. Raises ApiError."""
    directions: dict[str, bool] = {}
    for part in (p.split() for text in texts for p in text.split(",")):
        if not part:
            continue
        name, direction = part[0].replace("-", "_"), [p.lower() for p in part[1:]] or ["asc"]
        sortable = any(name in (n.name, *n.leaves) for n in resource.fields if n.leaves)
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
    offset: int,
) -> Iterator[tuple[Any, list[Any]]]:
    """Yield the matching rows after a place, but for the first `offset`, each with its place."""
    computed = resource.rows(reader)
    sorting = _sorting(resource, order_by) if computed is None else None
    if sorting is not None:
        if _known_to_sqlite(resource, conditions):
            yield from _from_table(resource, reader, conditions, sorting, after, maximum, offset)
            return
        portions = _from_table(resource, reader, conditions, sorting, after, maximum)
        matching = (portion for portion in portions if _passes(conditions, portion[0], reader))
        yield from islice(matching, offset, None)
        return
    rows = list(_matching(resource, reader, conditions, computed))
    rows.sort(key=lambda row: _place(resource, reader, (), row))
    for name, descending in reversed(order_by):
        rows.sort(key=partial(_rank, resource, reader, name), reverse=descending)
    for row in islice(rows, offset, None):
        place = _place(resource, reader, order_by, row)
        if after is None or _beyond(place, after, order_by):
            yield row, place


def _matching(
    resource: Resource[Any],
    reader: Reader,
    conditions: Sequence[Condition],
    computed: Sequence[Any] | None,
) -> Iterator[Any]:
    """Yield the rows that match, of those that are computed or of the table, in any order."""
    source: Iterable[Any] = computed or ()
    if computed is None:
        unsorted = Sorting(resource.model, resource.order)
        rows_and_ranks = _from_table(resource, reader, conditions, unsorted, None, None)
        source = (row for row, _ in rows_and_ranks)
    return (row for row in source if _passes(conditions, row, reader))


def _sorting(resource: Resource[Any], order_by: Order) -> Sorting | None:
    """Return the order for SQLite, or None where it does not know what JSON shows of a field."""
    ranked = []
    for name, descending in order_by:
        value = expression(resource.model, *_named(resource, name))
        if value is None:
            return None
        ranked.append((value, descending))
    return Sorting(resource.model, resource.order, ranked)


def _named(resource: Resource[Any], name: str) -> tuple[Node, str]:
    """Return the node that `order_by` names, and its leaf."""
    node = next(n for n in resource.fields if name in (n.name, *n.leaves))
    return node, name if name in node.leaves else node.leaves[0]


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


def _known_to_sqlite(resource: Resource[Any], conditions: Sequence[Condition]) -> bool:
    """Return whether SQLite yields exactly the rows of a table that match."""
    return all(condition.clause(resource.model) is not None for condition in conditions)


def _statement(resource: Resource[Any], conditions: Sequence[Condition]) -> Select[Any]:
    """Return the statement for the rows, narrowed by what SQLite knows of the conditions."""
    clauses = (condition.clause(resource.model) for condition in conditions)
    return resource.select().where(*(clause for clause in clauses if clause is not None))


def _from_table(
    resource: Resource[Any],
    reader: Reader,
    conditions: Sequence[Condition],
    sorting: Sorting,
    after: list[Any] | None,
    maximum: int | None,
    offset: int = 0,
) -> Iterator[tuple[Any, list[Any]]]:
    """Yield SQLite's rows, each with its place, as many at a time as a page may need, or all.

    Each portion begins after the last row of the one before. It is complete before its first row is
    shown, so that what its rows need to be shown is loaded for all of them together.
    """
    statement = sorting.sorted(_statement(resource, conditions)).offset(offset or None)
    all_match = _known_to_sqlite(resource, conditions)
    portion = None if maximum is None else maximum if all_match else max(maximum, PORTION)
    while True:
        beyond = statement if after is None else statement.where(sorting.beyond(after))
        matches = reader.session.execute(beyond.limit(portion)).unique().all()
        placed = [(row, sorting.place(row, ranks)) for row, *ranks in matches]
        yield from placed
        if portion is None or len(placed) < portion:
            return
        after, statement = placed[-1][1], statement.offset(None)


def _rank(resource: Resource[Any], reader: Reader, name: str, row: Any) -> list[Any]:
    node, leaf = _named(resource, name)
    values = values_of(node, leaf, row, reader)
    return rank(values[0] if values else None)


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
