"""The number of the last change of each owner, so that a client need not read what did not change.

Each transaction that changes rows of resources gives every owner in it (`<kind>:<key>`, see
`change.Owned`) the next number of a counter; which rows these are is in `tracked`. There is one row
for each owner, so that the table is bounded by the number of objects, and by `KEPT`.

The numbers are of this database alone and belong to no configuration. Where a copy is restored,
they begin anew past all that were given since the copy; in a new database they begin with the time
in milliseconds since 1970. So a client that knows a number of another database, or of the time
before a copy was restored, finds it below the floor or above the counter, and reads everything.

Nothing here is read into Python while it is written: root's programs distrust the database.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Index,
    String,
    Update,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core.database.store import Base

KEPT = 20_000
"""Owners with a last change to keep, at least."""
GAP = 1 << 32
"""Numbers that are left out where a copy is restored: more than were given since the copy."""
_ROW = 1


class LastChange(Base):
    """The last change of an owner. `about_svm` is the UUID of its SVM, '' where none is known.

    `deleted` is None where it was never known whether the owner is there. It is none of what an
    SVM owns, for which a column `svm_uuid` stands.
    """

    __tablename__ = "last_change"

    kind: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    index: Mapped[int]
    about_svm: Mapped[str] = mapped_column(default="")
    deleted: Mapped[bool | None]

    __table_args__ = (Index("ix_last_change_index", "index"),)


class ChangeCounter(Base):
    """The number of the last change, in the only row; changes up to `floor` are not kept."""

    __tablename__ = "change_counter"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    counter: Mapped[int]
    floor: Mapped[int]


class Changed(NamedTuple):
    """An owner that was changed. `svm_uuid` is '' and `deleted` None where that is not known."""

    kind: str
    key: str
    svm_uuid: str = ""
    deleted: bool | None = None


class State(NamedTuple):
    """The number of the last change, and the number up to which changes are not kept."""

    counter: int
    floor: int


def state(session: Session) -> State:
    """Return the counter and the floor, both 0 before the first change."""
    query = select(ChangeCounter.counter, ChangeCounter.floor).where(ChangeCounter.id == _ROW)
    row = session.execute(query).one_or_none()
    return State(*row) if row else State(0, 0)


def since(session: Session, after: int, svm_uuid: str, most: int) -> Sequence[LastChange]:
    """Return the last changes after a number, oldest first, `most` of them at most.

    With an SVM's UUID, those of its owners alone.
    """
    query = select(LastChange).where(LastChange.index > after)
    if svm_uuid:
        query = query.where(LastChange.about_svm == svm_uuid)
    return session.scalars(query.order_by(LastChange.index).limit(most)).all()


FIRST = "first_of_key"
"""The parameter of the numbering that is the part of an owner's key before the first slash."""

# No upserts: SQLAlchemy would compile them anew for each transaction (`inherit_cache` of the Insert
# in its dialects/sqlite/dml.py), which takes longer than all else here.
_BEGIN_OWNER = (
    insert(LastChange)
    .prefix_with("OR IGNORE")
    .values(kind=bindparam("of_kind"), key=bindparam("of_key"), index=0, about_svm="", deleted=None)
)
_BEGIN = (
    insert(ChangeCounter)
    .prefix_with("OR IGNORE")
    .values(id=_ROW, counter=bindparam("now"), floor=bindparam("now"))
)
_RAISE = (
    update(ChangeCounter)
    .where(ChangeCounter.id == _ROW)
    .values(counter=ChangeCounter.counter + bindparam("by"))
)


def numbering(svms: Mapping[str, ColumnElement[Any]]) -> Update:
    """Return the statement by which `record` numbers an owner; its known SVM stays.

    `svms` are, by kind, expressions for the SVM of the owner whose key begins with `FIRST`. They
    are evaluated where the change itself does not tell the SVM.
    """
    known: ColumnElement[str] = bindparam("known_svm", type_=String)
    svm = case(svms, value=bindparam("of_kind"))
    counter = select(ChangeCounter.counter).where(ChangeCounter.id == _ROW).scalar_subquery()
    is_deleted = bindparam("is_deleted", type_=Boolean)
    return (
        update(LastChange)
        .where(LastChange.kind == bindparam("of_kind"), LastChange.key == bindparam("of_key"))
        .values(
            index=counter - bindparam("numbers_left"),
            about_svm=func.coalesce(
                func.nullif(known, ""), func.nullif(svm, ""), LastChange.about_svm
            ),
            deleted=func.coalesce(is_deleted, LastChange.deleted),
        )
    )


def record(session: Session, changed: Sequence[Changed], numbered: Update) -> None:
    """Give owners the next numbers of the counter, in the transaction of their change."""
    connection = session.connection()
    connection.execute(_BEGIN, {"now": time.time_ns() // 1_000_000})
    connection.execute(_RAISE, {"by": len(changed)})
    owners = [
        {
            "of_kind": each.kind,
            "of_key": each.key,
            FIRST: each.key.partition("/")[0],
            "known_svm": each.svm_uuid,
            "is_deleted": each.deleted,
            "numbers_left": len(changed) - position,
        }
        for position, each in enumerate(changed, 1)
    ]
    connection.execute(_BEGIN_OWNER, owners)
    connection.execute(numbered, owners)


def prune(session: Session) -> None:
    """Drop the oldest changes beyond the number kept, and raise the floor."""
    newest_first = select(LastChange.index).order_by(LastChange.index.desc())
    oldest_kept = newest_first.offset(KEPT).limit(1).scalar_subquery()
    floor = func.max(ChangeCounter.floor, func.coalesce(oldest_kept, 0))
    session.execute(update(ChangeCounter).values(floor=floor))
    reached = select(ChangeCounter.floor).scalar_subquery()
    session.execute(
        delete(LastChange).where(LastChange.index <= reached),
        execution_options={"synchronize_session": False},
    )


def begin_anew(database: sqlite3.Connection) -> None:
    """Forget all changes in a copy that is opened as a file, and leave out numbers.

    A copy of a release without them has no such tables.
    """
    present = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if {LastChange.__tablename__, ChangeCounter.__tablename__} <= present:
        database.execute("DELETE FROM last_change")
        database.execute(
            "UPDATE change_counter SET counter = counter + ?, floor = counter + ?", (GAP, GAP)
        )
