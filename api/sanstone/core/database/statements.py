"""Statements that are built once in a process.

To build one of SQLAlchemy's statements, and to look up its compiled form, takes as long as all
other work of running it on a small table. One that is kept has its key for that at hand.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import InstrumentedAttribute

from sanstone.core.database.change import Owned

Row = TypeVar("Row")


@cache
def every(what: type[Row], *order: InstrumentedAttribute[Any]) -> Select[tuple[Row]]:
    """Return the statement for all rows of a table, in an order."""
    return select(what).order_by(*order)


OWNER = "of_owner"
"""The parameter of `owned`: the UUID of a node."""


@cache
def owned(table: type[Owned], kept: Select[Any]) -> Select[Any]:
    """Return a statement for those rows of a table alone that a node owns."""
    owner: Any = table.owning_node(table)
    return kept.where(owner == bindparam(OWNER))


@cache
def columns(*what: InstrumentedAttribute[Any]) -> Select[Any]:
    """Return the statement for columns of all rows of a table, in no order."""
    return select(*what)
