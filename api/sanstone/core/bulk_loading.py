"""Sessions that load a relationship for all rows at once, when the first of them is asked for it.

Which relationships showing a row needs is known to the fields' getters alone. SQLAlchemy would ask
the database again for each row; here the first lazy load of a relationship makes one more
statement, which loads it for every other row of the session that lacks it. So the number of
statements for a list depends on what is shown, not on how many rows there are, and no resource has
to say beforehand what its getters will touch.

For sessions that only read: in one that writes, a collection must be as it is when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import event, func, select
from sqlalchemy.orm import (
    InstanceState,
    ORMExecuteState,
    RelationshipDirection,
    RelationshipProperty,
    Session,
)
from sqlalchemy.orm.attributes import set_committed_value


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
    others = list(_lacking(execution.session, relationship, first))
    if others:
        _load(execution.session, relationship, others)


def _is_plain(relationship: RelationshipProperty[Any]) -> bool:
    """Return whether one column refers to another and nothing else decides what belongs."""
    return (
        len(relationship.local_remote_pairs or ()) == 1
        and relationship.direction is not RelationshipDirection.MANYTOMANY
        and relationship.lazy != "dynamic"
    )


def _lacking(
    session: Session, relationship: RelationshipProperty[Any], first: InstanceState[Any]
) -> Iterable[Any]:
    """Return the rows of the session for which the relationship is not loaded, but the first."""
    for state in session.identity_map.all_states():
        if state is first or relationship.key not in state.unloaded:
            continue
        if state.mapper.isa(relationship.parent) and (row := state.obj()) is not None:
            yield row


def _load(session: Session, relationship: RelationshipProperty[Any], rows: list[Any]) -> None:
    ((local, remote),) = relationship.local_remote_pairs or ()
    own = relationship.parent.get_property_by_column(local).key
    other = relationship.mapper.get_property_by_column(remote).key
    by_value: dict[Any, list[Any]] = {}
    for row in rows:
        by_value.setdefault(getattr(row, own), []).append(row)
    # One parameter, whatever the number of values: a statement of a thousand is slow to make, and
    # SQLite takes only so many (sqlite.org/limits.html, 9).
    values = func.json_each(json.dumps([v for v in by_value if v is not None])).table_valued("value")
    target = relationship.entity.class_
    statement = select(target).where(getattr(target, other).in_(select(values.c.value)))
    if relationship.order_by:
        statement = statement.order_by(*relationship.order_by)
    related: dict[Any, list[Any]] = {}
    for found in session.scalars(statement).unique():
        related.setdefault(getattr(found, other), []).append(found)
    for value, owners in by_value.items():
        there = related.get(value, [])
        for row in owners:
            content = list(there) if relationship.uselist else there[0] if there else None
            set_committed_value(row, relationship.key, content)
