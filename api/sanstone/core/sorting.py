"""The order of a table's rows in SQLite, and the place in it where a page begins.

First the columns that a request sorts by, rows without a value before all others (or after them,
descending), as SQLite sorts NULL; then the resource's own order. Text is compared by its UTF-8
bytes, which is the order of code points, as in Python.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Float,
    Integer,
    String,
    and_,
    false,
    literal,
    or_,
    tuple_,
)

from sanstone.core import errors

_TYPES: tuple[tuple[type[Any], tuple[type[Any], ...]], ...] = (
    (Boolean, (bool,)),
    (Integer, (int,)),
    (Float, (int, float)),
    (String, (str,)),
)
"""Types of columns that SQLite orders like Python, with the classes of their values."""


@dataclass(frozen=True)
class Sorting:
    """An order of the rows of `model`: `ranked` columns, each descending or not, then `order`."""

    model: Any
    order: Sequence[str]
    ranked: Sequence[tuple[str, bool]] = ()

    @classmethod
    def of(
        cls, model: Any, ranked: Sequence[tuple[str, bool]], order: Sequence[str]
    ) -> Sorting | None:
        """Return the order, or None where a ranked attribute is no such column."""
        columns = model.__mapper__.columns
        usable = all(name in columns and _classes(columns[name]) for name, _ in ranked)
        return cls(model, order, ranked) if usable else None

    @property
    def clauses(self) -> list[Any]:
        """Return the statement's ORDER BY."""
        requested = [
            self._column(name).desc() if descending else self._column(name)
            for name, descending in self.ranked
        ]
        return [*requested, *map(self._column, self.order)]

    def place(self, row: Any) -> list[Any]:
        """Return a row's place in the order: its ranks, in the form of `query`, and its keys."""
        values = (getattr(row, name) for name, _ in self.ranked)
        ranks = [[value is not None, "" if value is None else value] for value in values]
        return [*ranks, *(getattr(row, name) for name in self.order)]

    def beyond(self, place: Sequence[Any]) -> ColumnElement[bool]:
        """Return the condition for rows after a place. Raises ApiError for an invalid place."""
        ranks, keys = place[: len(self.ranked)], place[len(self.ranked) :]
        columns = [self._column(name) for name in self.order]
        condition: ColumnElement[bool] = tuple_(*columns) > tuple_(*keys)
        for (name, descending), rank in reversed(list(zip(self.ranked, ranks, strict=True))):
            column, value = self._column(name), self._value(name, rank)
            # Bound by its type: SQLAlchemy cannot compare with True and False otherwise.
            bound = literal(value, column.type)
            behind: ColumnElement[bool]
            if descending:
                behind = false() if value is None else or_(column < bound, column.is_(None))
            else:
                behind = column.is_not(None) if value is None else column > bound
            condition = or_(behind, and_(column.is_not_distinct_from(bound), condition))
        return condition

    def _column(self, name: str) -> Any:
        return getattr(self.model, name)

    def _value(self, name: str, rank: Any) -> Any:
        there, value = rank
        if not there:
            return None
        classes = _classes(self.model.__mapper__.columns[name])
        if type(value) not in classes or not storable(value):
            raise errors.invalid("The start of the page is not valid.", "start")
        return value


def storable(value: Any) -> bool:
    """Return whether SQLite can store a value: text without lone surrogates, 64-bit numbers."""
    if isinstance(value, str):
        return not re.search(r"[\ud800-\udfff]", value)
    return isinstance(value, int | float) and -(2**63) <= value < 2**63


def _classes(column: Any) -> tuple[type[Any], ...]:
    """Return the classes of a column's values, or none where SQLite may order them differently."""
    kind = type(column.type)
    return next((classes for base, classes in _TYPES if issubclass(kind, base)), ())
