"""One change of the wanted state, and how to take it back.

A request's rows are written in one transaction together with its job. While the session flushes,
the inverse of every row's change is noted in the job, so that the reconciler can take back, in one
transaction too, what turned out not to be possible; the old state then stands as it was.

What holds data is never destroyed because a row is absent: a hook that lets go of a thin device, a
pool or disks says so with `remove`, a row that the reconciler works off.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from sqlalchemy import event, inspect
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import secrets
from sanstone.core.store import Base, Identified, Secret

COUNTER = "counter"
"""In a column's `info`: it hands out numbers that are never used twice, so it is never taken back.

A pool may still hold the device that a failed request's number was for. The value says how many
numbers are left out where the configuration itself is taken back (see `counters`).
"""


class Owned:
    """Mixin of rows that stand for a resource: `kind` is its path, `key` tells which."""

    kind: ClassVar[str]
    lasting: ClassVar[bool] = False
    """Whether its rows stay when their change fails: they tell what became of it."""

    @property
    def key(self) -> str:
        """Return the key of the resource that owns this row."""
        return str(self.uuid)  # type: ignore[attr-defined]

    @property
    def owner(self) -> str:
        """Return `<kind>:<key>`, as plan steps and jobs name a resource."""
        return f"{self.kind}:{self.key}"

    def leftover(self) -> Removal | None:
        """Return the removal of what the machine may hold for this row, None for nothing."""
        return None

    def leftover_of(self, written: dict[str, Any]) -> Removal | None:
        """Return the removal of what it may hold for the `written` columns alone."""
        return None


class Removal(Identified, Base):
    """Something that holds data and shall be destroyed: `thin`, `content`, `aggregate`, `disk`.

    `data` says what the reconciler needs, since the object's own row is gone.
    """

    __tablename__ = "removal"

    what: Mapped[str]
    owner: Mapped[str]
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)


class Change:
    """The transaction of one request. `touched` are the owners whose state it changes."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.touched: set[str] = set()
        self.undo: list[dict[str, Any]] = []
        event.listen(session, "after_flush", self._note)

    def add(self, row: Any) -> None:
        """Add a row and flush it, so that constraints answer at once."""
        self.session.add(row)
        self.session.flush()

    def delete(self, row: Any) -> None:
        """Delete a row. Rows that refer to it are deleted by the caller, one by one, before it.

        What was loaded of them is forgotten first: SQLAlchemy would clear their reference to the
        row although they are gone.
        """
        self.session.expire(row, list(inspect(row).mapper.relationships.keys()))
        self.session.delete(row)
        self.session.flush()

    def remove(self, what: str, owner: str, **data: Any) -> None:
        """Have the reconciler destroy something that holds data."""
        self.add(Removal(uuid=str(uuid.uuid4()), what=what, owner=owner, data=data))

    def touch(self, owner: str) -> None:
        """Name an owner whose state changes though none of its rows does."""
        self.touched.add(owner)

    def _note(self, session: Session, _context: Any) -> None:
        for row in session.new:
            self._record("delete", row, {}, {})
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
            values = {
                a.columns[0].name: pack(a.columns[0], getattr(row, a.key))
                for a in inspect(row).mapper.column_attrs
            }
            self._record("insert", row, values, {})

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


def pack(column: Any, value: Any) -> Any:
    """Return a column's value for the job's record; a secret stays encrypted there."""
    if isinstance(column.type, Secret):
        return secrets.encrypt(value) if value else ""
    return value


def revert(session: Session, undo: list[dict[str, Any]]) -> None:
    """Apply the inverse of a change, newest part first.

    A value that a later change overwrote is left as that change wanted it. What the machine has
    made already for a row that goes is removed. Raises sqlalchemy.exc.IntegrityError when a later
    change builds on what would go.
    """
    session.add_all(_leftovers(session, undo))
    session.flush()
    connection = session.connection()
    classes = _classes()
    for part in reversed(undo):
        table = classes[part["table"]].__table__
        where = [table.c[name] == value for name, value in part["key"].items()]
        values = {n: unpack(table.c[n], v) for n, v in part["values"].items()}
        if part["action"] == "delete":
            connection.execute(table.delete().where(*where))
        elif part["action"] == "insert":
            connection.execute(table.insert().values(**values))
        else:
            now = connection.execute(table.select().where(*where)).mappings().one_or_none()
            written = {n: unpack(table.c[n], v) for n, v in part["written"].items()}
            kept = {n: v for n, v in values.items() if now and now[n] == written[n]}
            if kept:
                connection.execute(table.update().where(*where).values(kept))
    session.expire_all()


def _classes() -> dict[str, Any]:
    return {mapper.class_.__tablename__: mapper.class_ for mapper in Base.registry.mappers}


def _leftovers(session: Session, undo: list[dict[str, Any]]) -> list[Removal]:
    """Return the removals for the rows that go, and for the values of others that do.

    What goes as a whole does not go in parts too.
    """
    classes, found = _classes(), []
    for part in undo:
        kind = classes[part["table"]]
        row = session.get(kind, part["key"]) if issubclass(kind, Owned) else None
        if row is not None and part["action"] == "delete":
            found.append(row.leftover())
        elif row is not None and part["action"] == "update":
            found.append(row.leftover_of(part["written"]))
    removals = [removal for removal in found if removal]
    whole = {removal.owner: removal.what for removal in reversed(removals)}
    return [removal for removal in removals if removal.what == whole[removal.owner]]


def unpack(column: Any, value: Any) -> Any:
    """Return what `pack` was given."""
    return secrets.decrypt(value) if isinstance(column.type, Secret) and value else value
