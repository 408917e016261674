"""Sessions that load a relationship for all rows at once, on the first access to it.

Only the fields' getters know which relationships a row needs to be shown. SQLAlchemy would query
the database again for each row. Here the first lazy load of a relationship runs one more statement,
which loads it for every other row of the session that lacks it. The number of statements for a list
depends on the fields shown, not on the number of rows, and no resource has to declare beforehand
what its getters will touch.

For sessions that only read: one that writes needs each collection as it is when it is accessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Select, bindparam, event, func, select
from sqlalchemy.orm import (
    InstanceState,
    ORMExecuteState,
    RelationshipDirection,
    RelationshipProperty,
    Session,
)
from sqlalchemy.orm.attributes import set_committed_value


def listed(values: Sequence[str | int]) -> Select[Any]:
    """Return a statement that yields values, for `IN`: one parameter for any number of values.

    SQLite takes only so many of them (sqlite.org/limits.html, 9), and a statement of a thousand is
    slow to make.
    """
    return _listed(json.dumps(list(values)))


def listed_in(parameter: str) -> Select[Any]:
    """Return a statement that yields the values of the list that a parameter holds, as JSON."""
    return _listed(bindparam(parameter))


def _listed(values: Any) -> Select[Any]:
    rows = func.json_each(values).table_valued("value")
    return select(rows.c.value)


class BulkSession(Session):
    """A session of a reader; see the module's text."""


@event.listens_for(BulkSession, "do_orm_execute")
def _load_for_all(execution: ORMExecuteState) -> None:
    first = execution.lazy_loaded_from if execution.is_select else None
    path = execution.loader_strategy_path if first else None
    relationship: Any = path[-1] if path else None
    if first is None or not isinstance(relationship, RelationshipProperty):
        return
    if not _is_plain(relationship):
        return
    rows = list(_lacking(execution.session, relationship, first))
    if rows:
        _load(execution.session, relationship, rows)


def _is_plain(relationship: RelationshipProperty[Any]) -> bool:
    """Return whether a single column decides which rows are related."""
    return len(relationship.synchronize_pairs) == 1 and relationship.lazy != "dynamic"


def _lacking(
    session: Session, relationship: RelationshipProperty[Any], first: InstanceState[Any]
) -> Iterable[Any]:
    """Return the other rows of the session for which the relationship is not loaded."""
    for state in session.identity_map.all_states():
        if state is first or relationship.key not in state.unloaded:
            continue
        if state.mapper.isa(relationship.parent) and (row := state.obj()) is not None:
            yield row


def _load(session: Session, relationship: RelationshipProperty[Any], rows: list[Any]) -> None:
    own = relationship.parent.get_property_by_column(_own_column(relationship)).key
    by_value: dict[Any, list[Any]] = {}
    for row in rows:
        by_value.setdefault(getattr(row, own), []).append(row)
    related: dict[Any, list[Any]] = {}
    statement = _related(relationship, [value for value in by_value if value is not None])
    for value, target in session.execute(statement).unique():
        related.setdefault(value, []).append(target)
    for value, owners in by_value.items():
        targets = related.get(value, [])
        for row in owners:
            content = list(targets) if relationship.uselist else targets[0] if targets else None
            set_committed_value(row, relationship.key, content)


def _own_column(relationship: RelationshipProperty[Any]) -> Any:
    """Return the column of a row that decides which rows are related to it."""
    ((referred, referring),) = relationship.synchronize_pairs
    return referring if relationship.direction is RelationshipDirection.MANYTOONE else referred


def _related(relationship: RelationshipProperty[Any], values: list[Any]) -> Select[Any]:
    """Return the statement for related rows, each beside the value of the row it belongs to."""
    ((referred, referring),) = relationship.synchronize_pairs
    place = referred if relationship.direction is RelationshipDirection.MANYTOONE else referring
    statement = select(place, relationship.entity.class_)
    if relationship.secondary is not None:
        ((target, link),) = relationship.secondary_synchronize_pairs or ()
        statement = statement.join(relationship.secondary, link == target)
    statement = statement.where(place.in_(listed(values)))
    return statement.order_by(*relationship.order_by) if relationship.order_by else statement
