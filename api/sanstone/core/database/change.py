"""One change of the desired state, and how to revert it.

A request's rows are written in one transaction together with its job. While the session flushes,
the inverse of every row's change is recorded in the job. If the change turns out to be impossible,
the reconciler reverts it, in one transaction too, and the old state stands.

Data is never destroyed because a row is absent: a hook that gives up a thin device, a pool or disks
records that with `remove`, as a row that the reconciler processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, cast

from sqlalchemy import ColumnElement, event, inspect
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import own_node, secrets
from sanstone.core.database import tracked
from sanstone.core.database.last_changes import Changed
from sanstone.core.database.store import Base, Identified, Secret
from sanstone.core.database.tracked import Columns, Tracked
from sanstone.core.errors import ApiError

COUNTER = "counter"
"""Marks, in a column's `info`, a counter of numbers that are never reused, so it is never reverted.

A pool may still hold the device of a failed request's number. The value is how many numbers are
skipped when an older configuration is restored (see `counters`).
"""


class Owned(Tracked):
    """Mixin of rows that represent a resource: `kind` is its path, `key` identifies it."""

    kind: ClassVar[str]
    is_part: ClassVar[bool] = False
    """Whether its rows are parts of their owner, which is there without them too."""
    lasting: ClassVar[bool] = False
    """Whether its rows survive when their change fails, as the record of the outcome."""
    observed_as: ClassVar[tuple[str, str] | None] = None
    """Kind of its observations and the column that is their key, unless these are its own."""

    observed_with: ClassVar[tuple[str, ...]] = ()
    """Kinds of observations with keys that begin with the row's UUID. They go with it where another
    node owns it."""

    @classmethod
    def observed_key(cls, row: Any) -> ColumnElement[str]:
        """Return the key of the observation of a row, for SQLite; `row` is as in `owning_node`."""
        column = cls.observed_as[1] if cls.observed_as else "uuid"
        return cast(ColumnElement[str], getattr(row, column))

    @classmethod
    def owning_node(cls, row: Any) -> ColumnElement[str] | None:
        """Return the UUID of the node that owns an object, for SQLite.

        `row` is the table, or an alias of it. None where no node owns any, so that each sees them
        for itself.
        """
        return None

    @property
    def key(self) -> str:
        """Return the key of the resource that owns this row."""
        return str(self.uuid)  # type: ignore[attr-defined]

    @property
    def owner(self) -> str:
        """Return `<kind>:<key>`, as plan steps and jobs name a resource."""
        return f"{self.kind}:{self.key}"

    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the owner."""
        svm_uuid = getattr(self, self.svm_column, None) or ""
        yield Changed(self.kind, self.key, svm_uuid, None if self.is_part else deleted)

    def is_shown(self, columns: Columns) -> bool:
        """Return whether other columns than counters were changed."""
        known: Any = inspect(type(self))
        return any(not known.columns[name].info.get(COUNTER) for name in columns)

    def leftover(self) -> Removal | None:
        """Return the removal of what the machine may hold for this row, or None."""
        return None

    def leftover_of(self, written: dict[str, Any]) -> Removal | None:
        """Return the removal of what the machine may hold for the `written` columns alone."""
        return None


THIN, CONTENT, RESERVATIONS = "thin", "content", "reservations"
AGGREGATE, DISK, ERASURE, PACKAGE = "aggregate", "disk", "erasure", "package"
"""Kinds of removals: of a thin device, of content that was replaced, of the saved reservations of a
LUN that became something else, of an aggregate with its RAID groups, of what a disk has of one, of
all that is on a disk, of an update package's file."""


class Removal(Identified, Base):
    """An order to destroy something that holds data.

    `data` is what the reconciler needs for it, since the object's own row is gone. `node_uuid` is
    the node that carries it out: the one that owned the object. What nobody owned is the node's
    that took the order.
    """

    __tablename__ = "removal"

    kind: Mapped[str]
    owner: Mapped[str]
    node_uuid: Mapped[str] = mapped_column(default=own_node.uuid)
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)


class Superseded(Exception):
    """A change cannot be reverted: a later one concerns the data that it handed over."""


class Change:
    """The transaction of one request. `touched` are the owners that it changes."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.touched: set[str] = set()
        self.undo: list[dict[str, Any]] = []
        self._once: list[tuple[Any, dict[str, Any]]] = []
        self._successors: list[Any] = []
        event.listen(session, "after_flush", self._note)

    def add(self, row: Any) -> None:
        """Add a row and flush it, so that the database checks its constraints at once."""
        self.session.add(row)
        self.session.flush()

    def delete(self, row: Any) -> None:
        """Delete a row. Rows that refer to it are deleted by the caller, one by one, before it.

        Loaded relationships are expired first: SQLAlchemy would otherwise clear the reference to
        the row in rows that are gone.
        """
        self.session.expire(row, list(inspect(row).mapper.relationships.keys()))
        self.session.delete(row)
        self.session.flush()

    def replace(self, row: Any, successor: Any) -> None:
        """Put a row in the place of another, and take over that one's data on the machine.

        So there is nothing to remove when the change is reverted, and it can be reverted only while
        the successor is as it was added: it may have been deleted meanwhile, and the data with it.
        """
        self.delete(row)
        self._successors.append(successor)
        self.add(successor)

    def tell(self, row: Any, **values: Any) -> None:
        """Add to the answer to a POST values of a new row: the fields of its resource's `answer`.

        It is stored nowhere.
        """
        self._once.append((row, values))

    def shown_once(self, row: Any) -> dict[str, Any]:
        """Return the additional values of a new row in the answer, by field name."""
        return next((values for each, values in self._once if each is row), {})

    def remove(self, kind: str, owner: str, **data: Any) -> None:
        """Order this machine's reconciler to destroy something that holds data, and no node owns.

        What a node owns says so itself: its `leftover` is added.
        """
        self.add(Removal(kind=kind, owner=owner, data=data))

    def refuse(self, error: ApiError) -> None:
        """Refuse the change for a reason beside which others may hold. Raises it.

        A rehearsal goes on, to find the others. So what follows must make sense nevertheless.
        """
        raise error

    def collecting(self) -> AbstractContextManager[None]:
        """Return a context in which a raised ApiError refuses the change, as by `refuse`."""
        return nullcontext()

    def settle(self) -> None:
        """End a hook here when it was refused: what follows would make no sense then."""

    def trying(self) -> AbstractContextManager[None]:
        """Return a context for one object of several: a rehearsal takes back what fails in it."""
        return nullcontext()

    def touch(self, owner: str) -> None:
        """Mark an owner as changed although none of its rows is."""
        self.touched.add(owner)

    def _note(self, session: Session, _context: Any) -> None:
        for row in session.new:
            succeeds = any(row is successor for successor in self._successors)
            self._record("delete", row, {}, _values(row) if succeeds else {})
        for row in session.dirty:
            before, after = {}, {}
            for attribute in inspect(row).mapper.column_attrs:
                history = inspect(row).attrs[attribute.key].history
                column = attribute.columns[0]
                if history.deleted and history.added and not column.info.get(COUNTER):
                    before[column.name] = pack(column, history.deleted[0])
                    after[column.name] = pack(column, history.added[0])
            if before:
                self._record("update", row, before, after)
        for row in session.deleted:
            self._record("insert", row, _values(row), {})

    def _record(
        self, action: str, row: Any, values: dict[str, Any], written: dict[str, Any]
    ) -> None:
        if isinstance(row, Owned):
            self.touched.add(row.owner)
            if row.lasting:
                return
        mapper = inspect(row).mapper
        key = dict(
            zip(
                (c.name for c in mapper.primary_key),
                mapper.primary_key_from_instance(row),
                strict=True,
            )
        )
        self.undo.append(
            {
                "action": action,
                "table": mapper.local_table.name,
                "key": key,
                "values": values,
                "written": written,
            }
        )


def _values(row: Any) -> dict[str, Any]:
    """Return the values of a row by column, as they are recorded."""
    attributes = inspect(row).mapper.column_attrs
    return {a.columns[0].name: pack(a.columns[0], getattr(row, a.key)) for a in attributes}


def pack(column: Any, value: Any) -> Any:
    """Return a column's value for the job's record; a secret stays encrypted there."""
    if isinstance(column.type, Secret):
        return secrets.encrypt(value) if value else ""
    return value


def revert(session: Session, undo: list[dict[str, Any]]) -> None:
    """Apply the inverse of a change, newest part first.

    A value that a later change has overwritten stays. What the machine has already created for a
    row that is deleted is removed. Raises sqlalchemy.exc.IntegrityError when a later change builds
    on such a row, and Superseded.
    """
    session.add_all(_leftovers(session, undo))
    session.flush()
    connection = session.connection()
    classes = _classes()
    changed: list[Changed] = []
    for part in reversed(undo):
        table = classes[part["table"]].__table__
        where = [table.c[name] == value for name, value in part["key"].items()]
        values = {n: unpack(table.c[n], v) for n, v in part["values"].items()}
        now = connection.execute(table.select().where(*where)).mappings().one_or_none()
        written = {n: unpack(table.c[n], v) for n, v in part["written"].items()}
        if part["action"] == "delete":
            if written and (now is None or dict(now) != written):
                raise Superseded("what took over the data was changed since")
            changed += _owners(session, part)
            connection.execute(table.delete().where(*where))
        elif part["action"] == "insert":
            connection.execute(table.insert().values(**values))
            changed += _owners(session, part)
        else:
            changed += _owners(session, part)
            kept = {n: v for n, v in values.items() if now and now[n] == written[n]}
            if kept:
                connection.execute(table.update().where(*where).values(kept))
    session.expire_all()
    tracked.note(session, changed)


def _owners(session: Session, part: dict[str, Any]) -> Iterable[Changed]:
    """Return the owners that change when a part of a change is taken back."""
    row = session.get(_classes()[part["table"]], part["key"])
    if isinstance(row, Tracked):
        return tuple(row.changed_owners(session, deleted=part["action"] == "delete"))
    return ()


def _classes() -> dict[str, Any]:
    return {mapper.class_.__tablename__: mapper.class_ for mapper in Base.registry.mappers}


def _leftovers(session: Session, undo: list[dict[str, Any]]) -> list[Removal]:
    """Return the removals for rows to be deleted, and for values of others to be restored.

    An owner that is removed as a whole is not removed in parts too. A row that took over another's
    data leaves nothing: all of it is recorded as `written`.
    """
    classes, candidates = _classes(), []
    for part in undo:
        kind = classes[part["table"]]
        row = session.get(kind, part["key"]) if issubclass(kind, Owned) else None
        if row is not None and part["action"] == "delete" and not part["written"]:
            candidates.append(row.leftover())
        elif row is not None and part["action"] == "update":
            candidates.append(row.leftover_of(part["written"]))
    removals = [removal for removal in candidates if removal]
    first_kind = {removal.owner: removal.kind for removal in reversed(removals)}
    return [removal for removal in removals if removal.kind == first_kind[removal.owner]]


def unpack(column: Any, value: Any) -> Any:
    """Return the value that `pack` was called with."""
    return secrets.decrypt(value) if isinstance(column.type, Secret) and value else value
