"""The store: one SQLite database of desired and observed state.

Both processes use it: the API writes desired state and jobs, the reconciler observations and the
ends of jobs. Write-ahead logging lets them read while the other writes; `synchronous=FULL` makes a
commit durable before it is reported; foreign keys are on. A writing transaction begins with BEGIN
IMMEDIATE, so that its checks see the state that it writes to. Writers take turns (see `turns`): a
request gets an error to retry when its turn is far off, all other programs wait as long as it
takes. Readers never wait.
"""

from __future__ import annotations

import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Dialect,
    Engine,
    MetaData,
    String,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, Mapper, Session, mapped_column, object_session
from sqlalchemy.types import TypeDecorator

from sanstone.core import places, secrets
from sanstone.core.database import turns
from sanstone.core.database.bulk_loading import BulkSession

FILE = "sanstone.db"
PATIENCE = 20.0
"""Seconds that a request waits for its turn to write. With the time that it waits for its job it
stays below the 45 s after which `netapp-ontap` times out."""
KEPT = 6
"""Connections that are kept, the last used one first. Each grows to 3 or 4 MB: 2 of pages and 1 of
statements that SQLite has prepared, by its own account (sqlite.org/c3ref/db_status.html), and their
texts. With one for each thread of a worker, used in turn, that took 200 MB."""
PRAGMAS: tuple[str, ...] = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "trusted_schema=OFF",
)
"""Set on every connection. Root reads what the API's user may have written: views and triggers
planted in the file must not call functions with side effects (sqlite.org/pragma.html)."""


_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Base(DeclarativeBase):
    """Base of all tables. Constraint names are fixed so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}


class Identified:
    """Mixin of tables with a UUID in each row."""

    uuid: Mapped[str] = mapped_column(
        String(36), primary_key=True, default=lambda: str(uuid.uuid4())
    )


class ForeignValue(Exception):
    """The database holds a value that its column cannot have; the text says where."""


_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_uuid(value: object) -> bool:
    """Return whether a value is the text of a UUID."""
    return isinstance(value, str) and bool(_UUID.fullmatch(value))


def distrusted(database: Engine) -> Engine:
    """Return the engine for a program that runs as root, which checks each row that it loads.

    SQLite keeps text in a column of numbers, and the API's user may write anything; numbers and
    UUIDs become parts of paths and of names in the kernel. Loading a value that its column cannot
    have raises ForeignValue.
    """
    return database.execution_options(distrusted=True)


@event.listens_for(Base, "load", propagate=True)
def _require_values(row: Any, _context: Any) -> None:
    session = object_session(row)
    bind: Any = session and session.get_bind()
    if bind is None or not bind.get_execution_options().get("distrusted"):
        return
    for name, good in _checks(inspect(row).mapper):
        value = row.__dict__.get(name)
        if value is not None and not good(value):
            text = f"the database holds a foreign value in {row.__tablename__}.{name}"
            raise ForeignValue(text)


@cache
def _checks(mapper: Mapper[Any]) -> tuple[tuple[str, Callable[[Any], bool]], ...]:
    """Return, by attribute, the check of its values."""
    columns = [(a.key, a.columns[0]) for a in mapper.column_attrs]
    return tuple((name, _check(column)) for name, column in columns)


def _check(column: Any) -> Callable[[Any], bool]:
    names = {column.name, *(key.column.name for key in column.foreign_keys)}
    if isinstance(column.type, String) and any(n == "uuid" or n.endswith("_uuid") for n in names):
        return lambda value: value == "" or is_uuid(value)
    if isinstance(column.type, JSON):
        return lambda _value: True
    kind = column.type.python_type
    kinds = (int, float) if kind is float else kind
    return lambda value: isinstance(value, kinds)


class Secret(TypeDecorator[str]):
    """A text column that is encrypted in the database."""

    impl = String
    cache_ok = True

    @property
    def python_type(self) -> type[str]:
        """Return the type of the decrypted value."""
        return str

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return secrets.encrypt(value) if value else None

    def process_result_value(self, value: str | None, dialect: Dialect) -> str:
        try:
            return secrets.decrypt(value) if value else ""
        except ValueError as error:
            raise ForeignValue("a secret in the database is none of this array's") from error


def in_memory(database: bytes) -> sqlite3.Connection:
    """Open a copy of a database's file in memory. Raises sqlite3.DatabaseError if it is none.

    Bytes 18 and 19 of our files request a write-ahead log, which a database in memory cannot have
    (sqlite.org/fileformat2.html, 1.3.3).
    """
    memory = sqlite3.connect(":memory:")
    memory.deserialize(database[:18] + b"\1\1" + database[20:])
    return memory


def revision(session: Session) -> str:
    """Return the revision of the database, '' if no migration created it."""
    tables = session.execute(text("SELECT name FROM sqlite_master WHERE name = 'alembic_version'"))
    if not tables.first():
        return ""
    return str(session.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def path() -> Path:
    """Return the path of the database's file."""
    return places.database_directory() / FILE


def engine(file: Path, patience: float | None = None) -> Engine:
    """Return an engine on the database in `file`, with this module's pragmas.

    Its writers wait up to `patience` seconds for their turn, or as long as it takes for None.
    """
    created = create_engine(
        f"sqlite:///{file}",
        pool_size=KEPT,
        # No thread waits for a connection.
        max_overflow=-1,
        pool_use_lifo=True,
        # A writer outside the turns, such as a migration, is waited for too.
        connect_args={"timeout": 30},
        execution_options={"patience": patience},
    )

    @event.listens_for(created, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        # SQLAlchemy's own BEGIN is deferred; with the driver's switched off, `begin` below decides.
        connection.isolation_level = None
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(created, "begin")
    def _begin(connection: Any) -> None:
        if connection.get_execution_options().get("writes", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            # It takes no lock and cannot fail, so the driver may have it straight: what SQLAlchemy
            # does around a statement costs more, several times in each request.
            connection.connection.dbapi_connection.execute("BEGIN").close()

    return created


class WritingSession(Session):
    """A session that writes. It notes the owners of the rows that it changes (see `tracked`)."""


@contextmanager
def reading(database: Engine) -> Iterator[Session]:
    """Open a session for reading, on one consistent snapshot of the database."""
    with BulkSession(database, autoflush=False) as session:
        yield session


@contextmanager
def writing(database: Engine) -> Iterator[Session]:
    """Open a session that holds the write lock. It commits at the end, or rolls back on an error.

    Raises turns.NoTurn when its turn does not come in time.
    """
    patience = database.get_execution_options()["patience"]
    with (
        turns.at(Path(str(database.url.database))).turn(patience),
        database.connect().execution_options(writes=True) as connection,
        WritingSession(connection) as session,
    ):
        yield session
        session.commit()


def is_damage(error: Exception) -> bool:
    """Return whether an error, SQLAlchemy's or SQLite's, is that the database is damaged.

    The lower byte of SQLite's code is the primary one (sqlite.org/rescode.html).
    """
    cause = getattr(error, "orig", error)
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def check_integrity(database: Engine) -> str:
    """Check the database; return '' if it is sound, else SQLite's findings."""
    with database.connect() as connection:
        answer = str(connection.execute(text("PRAGMA quick_check(1)")).scalar_one())
    return "" if answer == "ok" else answer
