"""Observed state: facts about the machine and the state of each desired object.

Desired state is never written here, and observed state nowhere else. A row holds, for one `kind` (a
resource's path, such as `storage/disks`) and `key`, what a node last observed and, in `error`, why
the object is not as desired there ('' when it is).

Both nodes of a pair may have observed an object. `shown` is the observation of its owner
(`Owned.owning_node`). An object that nobody owns, as a session, is of the node that it is at: any
node's observation is shown, and of objects with the same key on both nodes, as ports, this
machine's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from sanstone.core import own_node
from sanstone.core.database.bulk_loading import listed_in
from sanstone.core.database.change import Owned
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base
from sanstone.core.database.tracked import Columns, Tracked

_UUID_LENGTH = 36
UNCOUNTED: dict[str, frozenset[str]] = {}
"""By kind: facts that change all the time, while nothing happens to the object; none for a kind
that no client follows. Kinds declare them (`leave_uncounted`)."""


def leave_uncounted(kind: str, *facts: str) -> None:
    """Have no change counted of these facts of a kind, or of all of it where none is named."""
    UNCOUNTED[kind] = frozenset(facts)


class Observed(Tracked, Base):
    """One observed object."""

    __tablename__ = "observed"

    kind: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    node_uuid: Mapped[str] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)
    error: Mapped[str] = mapped_column(default="")

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the object.

        Of one that is desired, its row tells whether it is there; others are as long as they are
        seen.
        """
        if UNCOUNTED.get(self.kind) == frozenset():
            return
        desired = _desired()
        if self.kind not in desired:
            yield Changed(self.kind, self.key, deleted=deleted)
        elif (owned := desired[self.kind]) is None:
            yield Changed(self.kind, self.key)
        else:
            owner, column = owned
            for row in session.scalars(select(owner).filter_by(**{column: self.key})):
                yield Changed(row.kind, row.key)

    def is_shown(self, columns: Columns) -> bool:
        """Return whether it is not only facts that change all the time."""
        if "data" not in columns:
            return bool(columns)
        uncounted = UNCOUNTED.get(self.kind, frozenset())
        before, after = (
            {name: fact for name, fact in facts.items() if name not in uncounted}
            if isinstance(facts, dict)
            else facts
            for facts in columns["data"]
        )
        return before != after or len(columns) > 1


def shown(kind: str = "", of: Any = Observed) -> ColumnElement[bool]:
    """Return the condition for the observations that are shown: of one kind, or of all kinds.

    `of` is the table, or an alias of it.
    """
    if kind:
        return and_(of.kind == kind, _is_shown(kind, of))
    cases = [(of.kind == each, _is_shown(each, of)) for each in _owners()]
    return case(*cases, else_=_is_shown("", of))


def _is_shown(kind: str, of: Any) -> ColumnElement[bool]:
    """Return the condition for the observations of a kind; '' stands for kinds without owners.

    An object that is gone and left an error has no owner any more.
    """
    own = own_node.parameter()
    if owner := _owners().get(kind):
        row: Any = aliased(owner)
        owning: Any = owner.owning_node(row)
        query = select(owning).where(owner.observed_key(row) == of.key)
        node = query.correlate(of).scalar_subquery()
        return cast(ColumnElement[bool], of.node_uuid == func.coalesce(node, own))
    here = aliased(Observed)
    seen_here = exists().where(here.kind == of.kind, here.key == of.key, here.node_uuid == own)
    return or_(of.node_uuid == own, ~seen_here)


@cache
def _owners() -> Mapping[str, type[Owned]]:
    """Return the tables with rows that nodes own, by kind of observation."""
    classes = [m.class_ for m in Base.registry.mappers if issubclass(m.class_, Owned)]
    owned = [c for c in classes if not c.is_part and c.owning_node(c) is not None]
    return {c.observed_as[0] if c.observed_as else c.kind: c for c in owned}


@cache
def _desired() -> Mapping[str, tuple[type[Any], str] | None]:
    """Return, by kind of observation, the table and column of its key; None for the owner's key."""
    owners = [m.class_ for m in Base.registry.mappers if issubclass(m.class_, Owned)]
    plain: dict[str, tuple[type[Any], str] | None] = dict.fromkeys(o.kind for o in owners)
    return plain | {o.observed_as[0]: (o, o.observed_as[1]) for o in owners if o.observed_as}


class Seen(NamedTuple):
    """The observation of one object; see `Observed`. Plain, because there may be many thousands."""

    key: str
    data: dict[str, Any]
    error: str
    node_uuid: str


_SEEN = select(Observed.key, Observed.data, Observed.error, Observed.node_uuid)
_OF_KIND = _SEEN.where(Observed.kind == bindparam("of_kind"))
_OF_NODE = _OF_KIND.where(Observed.node_uuid == bindparam("of_node"))
_ONE = _OF_NODE.where(Observed.key == bindparam("with_key"))
_LISTED = Observed.key.in_(listed_in("with_keys"))
_LISTED_OF_NODE = _OF_NODE.where(_LISTED)
_SOME = _OF_NODE.where(Observed.key.in_(bindparam("with_keys", expanding=True)))
_BY_NODE = select(Observed.kind, *_SEEN.selected_columns).where(
    Observed.node_uuid == bindparam("of_node")
)
_OF_KINDS = _BY_NODE.where(Observed.kind.in_(bindparam("of_kinds", expanding=True)))
_FAILING = _BY_NODE.where(Observed.error != "")


@cache
def _shown(kind: str) -> Select[Any]:
    return _SEEN.where(shown(kind))


@cache
def _shown_listed(kind: str) -> Select[Any]:
    return _shown(kind).where(_LISTED)


def load(
    session: Session, kind: str, keys: Sequence[str] | None = None, node_uuid: str | None = None
) -> dict[str, Seen]:
    """Return the observations of all objects of a kind, or of those with `keys`, by key.

    With a node's UUID, that node's; else those that are shown.
    """
    about = {} if node_uuid is None else {"of_kind": kind, "of_node": node_uuid}
    if keys is None:
        rows = session.execute(_shown(kind) if node_uuid is None else _OF_NODE, about)
    else:
        listed = _shown_listed(kind) if node_uuid is None else _LISTED_OF_NODE
        rows = session.execute(listed, about | {"with_keys": json.dumps(list(keys))})
    return {row.key: Seen(*row) for row in rows}


def load_all(session: Session, node_uuid: str) -> dict[str, dict[str, Seen]]:
    """Return all of a node's observations, by kind and key."""
    by_kind: dict[str, dict[str, Seen]] = defaultdict(dict)
    for kind, *seen in session.execute(_BY_NODE, {"of_node": node_uuid}):
        by_kind[kind][seen[0]] = Seen(*seen)
    return by_kind


def load_one(session: Session, node_uuid: str, kind: str, key: str) -> Seen | None:
    """Return a node's observation of one object, or None."""
    about = {"of_kind": kind, "of_node": node_uuid, "with_key": key}
    row = session.execute(_ONE, about).one_or_none()
    return Seen(*row) if row else None


def load_some(
    session: Session, node_uuid: str, kind: str, keys: Collection[str]
) -> dict[str, Seen]:
    """Return a node's observations of some objects of a kind, by key."""
    if not keys:
        return {}
    about = {"of_kind": kind, "of_node": node_uuid, "with_keys": list(keys)}
    return {row.key: Seen(*row) for row in session.execute(_SOME, about)}


def record(
    session: Session, node_uuid: str, seen: Mapping[str, Mapping[str, dict[str, Any]]]
) -> None:
    """Replace a node's observations of each kind in `seen`, and write only what differs.

    An object that is not seen any more keeps its error.
    """
    if not seen:
        return
    rows = session.execute(_OF_KINDS, {"of_node": node_uuid, "of_kinds": list(seen)})
    existing = {(row.kind, row.key): row.data for row in rows}
    current = {(kind, key): data for kind, rows in seen.items() for key, data in rows.items()}
    for identity in existing.keys() - current.keys():
        record_some(session, node_uuid, {identity: None})
    for (kind, key), data in current.items():
        if (kind, key) not in existing:
            session.add(Observed(kind=kind, key=key, node_uuid=node_uuid, data=data))
        elif existing[kind, key] != data:
            session.get_one(Observed, (kind, key, node_uuid)).data = data


def record_some(
    session: Session, node_uuid: str, facts: Mapping[tuple[str, str], dict[str, Any] | None]
) -> None:
    """Set a node's observation of each (kind, key); None deletes it, but for its error.

    Most are as they were, so they are compared before any row is loaded.
    """
    keys_of_kind: dict[str, list[str]] = defaultdict(list)
    for kind, key in facts:
        keys_of_kind[kind].append(key)
    existing = {
        (kind, key): row.data
        for kind, keys in keys_of_kind.items()
        for key, row in load(session, kind, keys, node_uuid).items()
    }
    for (kind, key), data in facts.items():
        if existing.get((kind, key)) == data:
            continue
        if (kind, key) not in existing:
            session.add(Observed(kind=kind, key=key, node_uuid=node_uuid, data=data))
            continue
        row = session.get_one(Observed, (kind, key, node_uuid))
        if data is not None:
            row.data = data
        elif row.error:
            row.data = {}
        else:
            session.delete(row)


def observers(session: Session, kind: str) -> dict[str, set[str]]:
    """Return by key the UUIDs of the nodes that observe an object of a kind."""
    nodes: dict[str, set[str]] = defaultdict(set)
    for row in session.execute(_OF_KIND, {"of_kind": kind}):
        nodes[row.key].add(row.node_uuid)
    return nodes


def hand_over(session: Session, before: str, now: str) -> None:
    """Move a node's observations of objects to the node that owns these now.

    So the new owner knows what there is, takes nothing that is missing for something new, and does
    nothing twice that the former one did.
    """
    for kind, owner in _owners().items():
        node: Any = owner.owning_node(owner)
        owned = select(owner.observed_key(owner)).where(node == now)
        _move(session, before, now, kind, Observed.key.in_(owned))
        for beside in owner.observed_with:
            begins = func.substr(Observed.key, 1, _UUID_LENGTH).in_(owned)
            _move(session, before, now, beside, begins)
    session.expire_all()


def pass_on(session: Session, before: str, now: str, kind: str) -> None:
    """Move a node's observations of a kind to the node that does the array's work of it now."""
    _move(session, before, now, kind, true())
    session.expire_all()


def _move(session: Session, before: str, now: str, kind: str, which: ColumnElement[bool]) -> None:
    rows = update(Observed).prefix_with("OR REPLACE").values(node_uuid=now)
    rows = rows.where(Observed.kind == kind, Observed.node_uuid == before, which)
    session.execute(rows, execution_options={"synchronize_session": False})


def owning_nodes(session: Session, owners: Iterable[str]) -> dict[str, str]:
    """Return by owner (`<kind>:<key>`) the UUID of the node that owns it, where a node does.

    An object below another one in the path, as a snapshot of a volume, is with that one.
    """
    by_kind: dict[str, dict[str, str]] = defaultdict(dict)
    for owner in owners:
        kind, _, key = owner.partition(":")
        by_kind[kind][owner] = key
    found: dict[str, str] = {}
    for kind, keys in by_kind.items():
        if table := _owners().get(kind):
            row_key, node = table.observed_key(table), cast(Any, table.owning_node(table))
            candidates = {*keys.values(), *(key.partition("/")[0] for key in keys.values())}
            rows = session.execute(select(row_key, node).where(row_key.in_(candidates)))
            nodes: dict[str, str] = dict(rows.tuples().all())
            for owner, key in keys.items():
                if uuid := nodes.get(key) or nodes.get(key.partition("/")[0]):
                    found[owner] = uuid
    return found


def forget(session: Session, node_uuid: str, kind: str) -> None:
    """Delete what a node observed of a kind."""
    about = Observed.kind == kind, Observed.node_uuid == node_uuid
    session.execute(delete(Observed).where(*about))


def failing(session: Session, node_uuid: str) -> dict[tuple[str, str], str]:
    """Return the error of each (kind, key) that has one on a node."""
    rows = session.execute(_FAILING, {"of_node": node_uuid})
    return {(row.kind, row.key): row.error for row in rows}


def record_errors(session: Session, node_uuid: str, errors: Mapping[tuple[str, str], str]) -> None:
    """Set a node's error of each (kind, key) named, '' for none; all others stay.

    A row that held nothing but an error, of an object that was never seen, is deleted with it.
    """
    for (kind, key), error in errors.items():
        row = session.get(Observed, (kind, key, node_uuid))
        if row is None and error:
            session.add(Observed(kind=kind, key=key, node_uuid=node_uuid, error=error))
        elif row is not None and not error and not row.data:
            session.delete(row)
        elif row is not None and row.error != error:
            row.error = error
