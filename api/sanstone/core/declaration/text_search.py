"""Find the rows of a resource by a text, which may be anywhere in its `searched` fields.

SQLite compares: capital letters of ASCII are as small ones, all others are themselves. Only the
keys and the names of matches are read, so that one look over ten thousand rows takes milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, case, func, literal, or_
from sqlalchemy.orm import Session

from sanstone.core.declaration.expressions import Expression, expression
from sanstone.core.declaration.resource import Resource

WHOLE, BEGINNING, WITHIN = range(3)
"""How a text matches, best first: it is the value, its beginning, or anywhere in it."""
_ESCAPE = "\\"


class Hit(NamedTuple):
    """A row that was found: how it matches, its name, its owner, and its keys in their order."""

    rank: int
    name: str
    owner: str
    keys: tuple[str, ...]


def find(
    session: Session,
    resource: Resource[Any],
    text: str,
    owner: Expression | None,
    only: str,
    maximum: int | None,
) -> Iterator[Hit]:
    """Yield up to `maximum` rows in which a text is, best first, then by name; '' is in all.

    `owner` is the value that tells whom a row belongs to, None where it belongs to nobody; with
    `only`, rows of that owner alone are found.
    """
    searched = [value(resource, name) for name in resource.searched]
    keys = [value(resource, key) for key in resource.keys]
    owners = [owner] if owner else []
    statement = resource.select()
    for each in (*searched, *keys, *owners):
        statement = each.join(statement)
    columns = [each.value for each in searched]
    patterns = _patterns(text)
    rank = _rank(columns, patterns).label("rank")
    name = func.coalesce(columns[0], "").label("shown_name")
    belongs_to = owner.value if owner else literal("")
    shown: list[Any] = [rank, name, func.coalesce(belongs_to, ""), *(key.value for key in keys)]
    matching: Select[Any] = statement.with_only_columns(*shown, maintain_column_froms=True)
    if text:
        matching = matching.where(_any_like(columns, patterns[-1]))
    if only:
        matching = matching.where(belongs_to == only)
    matching = matching.order_by(rank, name).limit(maximum)
    for place, called, owned, *identity in session.execute(matching):
        yield Hit(place, called, owned, tuple(map(str, identity)))


def value(resource: Resource[Any], name: str) -> Expression:
    """Return SQLite's expression of a field. Raises LookupError where it has none."""
    for node in resource.fields:
        if name in node.leaves and (computed := expression(resource.model, node, name)):
            return computed
    raise LookupError(f"SQLite does not know {name} of {resource.path}")


def _patterns(text: str) -> tuple[str, str, str]:
    """Return the patterns of LIKE for WHOLE, BEGINNING and WITHIN."""
    escaped = re.sub(r"[\\%_]", r"\\\g<0>", text)
    return escaped, f"{escaped}%", f"%{escaped}%"


def _rank(columns: Sequence[Any], patterns: Sequence[str]) -> ColumnElement[int]:
    if not patterns[WHOLE]:
        return literal(WITHIN)
    better = [(_any_like(columns, patterns[rank]), rank) for rank in (WHOLE, BEGINNING)]
    return case(*better, else_=WITHIN)


def _any_like(columns: Sequence[Any], pattern: str) -> ColumnElement[bool]:
    return or_(*(column.like(pattern, escape=_ESCAPE) for column in columns))
