"""The order of a table's rows as SQLite makes it, and where in it a page begins.

First the columns that a request asks for, rows without a value before all others (or behind them,
descending), as SQLite has it with NULL; then the resource's own order. Text is compared by its
UTF-8 bytes, which is the order of code points, as in Python.
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
"""Types of columns that SQLite orders as Python does their values, with the classes of these."""


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
        """Return the order, None where one of the ranked attributes is no such column."""
        columns = model.__mapper__.columns
        usable = all(name in columns and _classes(columns[name]) for name, _ in ranked)
        return cls(model, order, ranked) if usable else None

    @property
    def clauses(self) -> list[Any]:
        """Return the statement's ORDER BY."""
        asked = [
            self._column(name).desc() if descending else self._column(name)
            for name, descending in self.ranked
        ]
        return [*asked, *map(self._column, self.order)]

    def place(self, row: Any) -> list[Any]:
        """Return where a row stands: its ranks, as `query` has them, and its keys."""
        values = (getattr(row, name) for name, _ in self.ranked)
        ranks = [[value is not None, "" if value is None else value] for value in values]
        return [*ranks, *(getattr(row, name) for name in self.order)]

    def beyond(self, place: Sequence[Any]) -> ColumnElement[bool]:
        """Return the condition for rows behind a place. Raises ApiError for no place of these."""
        ranks, keys = place[: len(self.ranked)], place[len(self.ranked) :]
        columns = [self._column(name) for name in self.order]
        condition: ColumnElement[bool] = tuple_(*columns) > tuple_(*keys)
        for (name, descending), rank in reversed(list(zip(self.ranked, ranks, strict=True))):
            column, value = self._column(name), self._value(name, rank)
            # Bound by its type, since SQLAlchemy compares with True and False in no other way.
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
    """Return whether SQLite takes a value: text without lone surrogates, and 64-bit numbers."""
    if isinstance(value, str):
        return not re.search(r"[\ud800-\udfff]", value)
    return isinstance(value, int | float) and -(2**63) <= value < 2**63


def _classes(column: Any) -> tuple[type[Any], ...]:
    """Return the classes of a column's values, none where SQLite may order them otherwise."""
    kind = type(column.type)
    return next((classes for base, classes in _TYPES if issubclass(kind, base)), ())
