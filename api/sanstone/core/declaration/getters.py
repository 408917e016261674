"""Getters that SQLite can follow too, so that it sorts lists by their fields.

They stand in a declaration like any other getter (see `resource`). A getter that is a plain
function is known to Python alone: to sort by its field, every row is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Integer, String, func, select

from sanstone.core import observed
from sanstone.core.declaration.resource import Reader
from sanstone.core.observed import Observed

_TYPES: dict[type[Any], Any] = {int: Integer, str: String}


@dataclass(frozen=True, eq=False)
class Observation:
    """A getter of what was observed of a row: `data[key]`, a value `of` int or str.

    `default` stands for it where it is absent. `by` is the column that observations of the rows are
    kept by.
    """

    key: str
    of: type[Any]
    default: Any = None
    by: str = "uuid"

    def __call__(self, row: Any, reader: Reader) -> Any:
        """Return the value, or the default."""
        return reader.seen(row.kind, getattr(row, self.by)).get(self.key, self.default)

    def expression(self, model: Any) -> ColumnElement[Any]:
        """Return the value as an expression of SQLite, for the rows of a table."""
        kind = _TYPES[self.of]
        value = func.json_extract(Observed.data, f"$.{self.key}", type_=kind)
        mine = observed.shown(model.kind) & (Observed.key == getattr(model, self.by))
        seen = select(value).where(mine).scalar_subquery()
        return seen if self.default is None else func.coalesce(seen, self.default, type_=kind)


@dataclass(frozen=True, eq=False)
class Unempty:
    """A getter of the text in a column, which is no value where it is empty."""

    column: str

    def __call__(self, row: Any, _reader: Reader) -> Any:
        """Return the text, or None."""
        return getattr(row, self.column) or None

    def expression(self, model: Any) -> ColumnElement[Any]:
        """Return the text as an expression of SQLite, for the rows of a table."""
        return func.nullif(getattr(model, self.column), "", type_=String)


@dataclass(frozen=True, eq=False)
class Sole:
    """A getter of a list of one: the object that a relationship of the row leads to."""

    relationship: str

    def __call__(self, row: Any, _reader: Reader) -> Any:
        """Return the list."""
        return [getattr(row, self.relationship)]
