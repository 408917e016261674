"""The order of a table's rows in SQLite, and the place in it where a page begins.

First the values that a request sorts by, rows without a value before all others (or after them,
descending), as SQLite sorts NULL; then the resource's own order. SQLite returns the values with
each row, so that a row's place is what SQLite ranked it by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, literal, or_, tuple_

from sanstone.core import errors
from sanstone.core.declaration.expressions import Expression

Rank = tuple[Expression, bool]
"""The key that rows are sorted by, and whether it is descending."""


@dataclass(frozen=True)
class Sorting:
    """An order of the rows of `model`: by `ranked`, then by its columns `order`."""

    model: Any
    order: Sequence[str]
    ranked: Sequence[Rank] = ()

    def sorted(self, statement: Select[Any]) -> Select[Any]:
        """Return a statement for the same rows in this order, each before its ranks."""
        clauses = []
        for number, (by, descending) in enumerate(self.ranked):
            statement = by.join(statement).add_columns(by.value.label(f"rank{number}"))
            clauses.append(by.value.desc() if descending else by.value)
        return statement.order_by(*clauses, *self._columns)

    def place(self, row: Any, values: Sequence[Any]) -> list[Any]:
        """Return the place of a row with its ranking values, in the form of `query`."""
        ranks = (rank(value) for value in values)
        return [*ranks, *(getattr(row, name) for name in self.order)]

    def beyond(self, place: Sequence[Any]) -> ColumnElement[bool]:
        """Return the condition for rows after a place. Raises ApiError for an invalid place."""
        ranks, keys = place[: len(self.ranked)], place[len(self.ranked) :]
        condition: ColumnElement[bool] = tuple_(*self._columns) > tuple_(*keys)
        for (by, descending), shown in reversed(list(zip(self.ranked, ranks, strict=True))):
            column, value = by.value, _value(by, shown)
            # Bound by its type: SQLAlchemy cannot compare with True and False otherwise.
            bound = literal(value, column.type)
            behind: ColumnElement[bool]
            if descending:
                behind = false() if value is None else or_(column < bound, column.is_(None))
            else:
                behind = column.is_not(None) if value is None else column > bound
            condition = or_(behind, and_(column.is_not_distinct_from(bound), condition))
        return condition

    @property
    def _columns(self) -> list[Any]:
        return [getattr(self.model, name) for name in self.order]


def rank(value: Any) -> list[Any]:
    """Return a value's key for sorting: nothing first, then numbers, then texts, as in SQLite.

    A field may show both, such as a number of days or `unlimited`.
    """
    if value is None:
        return [0, ""]
    return [2 if isinstance(value, str) else 1, value]


def storable(value: Any) -> bool:
    """Return whether SQLite can store a value: text without lone surrogates, 64-bit numbers."""
    if isinstance(value, str):
        return not re.search(r"[\ud800-\udfff]", value)
    return isinstance(value, int | float) and -(2**63) <= value < 2**63


def _value(by: Expression, shown: Any) -> Any:
    """Return the value of a rank in a place. Raises ApiError."""
    there, value = shown
    if not there:
        return None
    if type(value) not in by.classes or not storable(value):
        raise errors.invalid("The start of the page is not valid.", "start")
    return value
