"""Rows with counted changes, and how they are noticed: in each session that writes.

A table is tracked by the mixin `Tracked`, which names the owners that change with a row. The
sessions of `store.writing` note the rows that they write, in whichever process, and number their
owners in the same transaction, at its end. So a transaction that fails counts nothing, and one that
takes a change back counts again. A statement that writes tables past the session has to `note` for
itself; `change.revert` is the only one about resources.

Left out are values that change all the time without being a change of the object (`is_shown`: free
memory, the space in use), rows that no collection shows, and rows of the log that are dropped for
their age. An object that shows something of another does not change with it: that is the other's
change.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Update, bindparam, event, inspect, select
from sqlalchemy.orm import Session

from sanstone.core.database import last_changes
from sanstone.core.database.last_changes import FIRST, Changed
from sanstone.core.database.session_value import SessionValue
from sanstone.core.database.store import Base, WritingSession

Columns = Mapping[str, tuple[Any, Any]]
"""The values of the columns that were changed, before and after, by the attribute's name."""


class Tracked:
    """Mixin of rows with counted changes."""

    svm_column: ClassVar[str] = "svm_uuid"
    """The attribute that holds the UUID of the owner's SVM, if it has one."""
    observed_below: ClassVar[tuple[str, ...]] = ()
    """Kinds of observations that have no rows here, and keys that begin with this one's."""

    @abstractmethod
    def changed_owners(self, session: Session, *, deleted: bool) -> Iterable[Changed]:
        """Return the owners that change when the row is written, or deleted if it is `deleted`."""

    def is_shown(self, columns: Columns) -> bool:
        """Return whether a change of columns is one of the owner; by default each is."""
        return bool(columns)


_noted: SessionValue[dict[tuple[str, str], Changed]] = SessionValue(lambda _: {})


def note(session: Session, changed: Iterable[Changed]) -> None:
    """Have owners be counted as changed at the end of a session's transaction."""
    noted = _noted.of(session)
    for each in changed:
        before = noted.pop((each.kind, each.key), each)
        svm = each.svm_uuid or before.svm_uuid
        deleted = before.deleted if each.deleted is None else each.deleted
        noted[each.kind, each.key] = Changed(each.kind, each.key, svm, deleted)


def leave_out(session: Session) -> None:
    """Forget what a session has noted so far: of an array that does not run, nobody asks."""
    session.flush()
    _noted.of(session).clear()


@event.listens_for(WritingSession, "after_flush")
def _note_rows(session: Session, _context: Any) -> None:
    # Deleted ones first: one of the same key that is new replaces it.
    for row in session.deleted:
        if isinstance(row, Tracked):
            note(session, row.changed_owners(session, deleted=True))
    for row in session.dirty:
        if isinstance(row, Tracked) and row.is_shown(_columns(row)):
            note(session, row.changed_owners(session, deleted=False))
    for row in session.new:
        if isinstance(row, Tracked):
            note(session, row.changed_owners(session, deleted=False))


@event.listens_for(WritingSession, "after_rollback")
def _forget(session: Session) -> None:
    """Count nothing of what was taken back, as after a request that was only tried."""
    _noted.of(session).clear()


def _columns(row: Any) -> Columns:
    columns = {}
    for attribute in inspect(row).mapper.column_attrs:
        history = inspect(row).attrs[attribute.key].history
        if history.added:
            before = history.deleted[0] if history.deleted else None
            columns[attribute.key] = before, history.added[0]
    return columns


@event.listens_for(WritingSession, "before_commit")
def _number(session: Session) -> None:
    if session.in_nested_transaction():
        return
    session.flush()
    noted = _noted.of(session)
    if noted:
        last_changes.record(session, list(noted.values()), _numbering())
        noted.clear()


@cache
def _numbering() -> Update:
    """Return the statement that numbers owners. It is built once, when all tables are declared."""
    svms: dict[str, ColumnElement[Any]] = {}
    for mapper in Base.registry.mappers:
        model: Any = mapper.class_
        table: Any = mapper.local_table
        columns, kind = table.c, getattr(model, "kind", "")
        is_ours = issubclass(model, Tracked) and table.metadata is Base.metadata
        if not is_ours or not kind or model.svm_column not in columns:
            continue
        key = columns["uuid"] if "uuid" in columns else mapper.primary_key[0]
        svm = select(columns[model.svm_column]).where(key == bindparam(FIRST)).limit(1)
        svms |= dict.fromkeys((kind, *model.observed_below), svm.scalar_subquery())
    return last_changes.numbering(svms)
