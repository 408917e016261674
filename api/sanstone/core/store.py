"""The store: one SQLite database that holds what is wanted and what was observed.

Both processes use it: the API writes desired state and jobs, the reconciler observations and the
ends of jobs. Write-ahead logging lets them read while the other writes; `synchronous=FULL` makes a
commit durable before anybody is told of it; foreign keys are on. A writing transaction begins with
BEGIN IMMEDIATE, so that its checks see what its writes will be based on.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Dialect, Engine, MetaData, String, create_engine, event, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.types import TypeDecorator

from sanstone.core import secrets

DEFAULT_PATH = "/var/lib/sanstone/sanstone.db"


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
    """Mixin of tables whose rows have a UUID of their own."""

    uuid: Mapped[str] = mapped_column(
        String(36), primary_key=True, default=lambda: str(uuid.uuid4())
    )


class Secret(TypeDecorator[str]):
    """A text column that is encrypted in the database."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return secrets.encrypt(value) if value else None

    def process_result_value(self, value: str | None, dialect: Dialect) -> str:
        return secrets.decrypt(value) if value else ""


def in_memory(database: bytes) -> sqlite3.Connection:
    """Return a connection to a copy of a database's file. sqlite3.DatabaseError if it is none.

    In bytes 18 and 19 ours ask for a write-ahead log, which a database in memory cannot have
    (sqlite.org/fileformat2.html, 1.3.3).
    """
    memory = sqlite3.connect(":memory:")
    memory.deserialize(database[:18] + b"\1\1" + database[20:])
    return memory


def path() -> Path:
    """Return the database's file; SANSTONE_DATABASE overrides it."""
    return Path(os.environ.get("SANSTONE_DATABASE", DEFAULT_PATH))


def engine(file: Path) -> Engine:
    """Return an engine on the database in `file`, with the pragmas that this module promises."""
    # A connection for each of the API's threads: none waits for another that only reads.
    made = create_engine(f"sqlite:///{file}", pool_size=16, connect_args={"timeout": 30})

    @event.listens_for(made, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        # SQLAlchemy's own BEGIN is deferred; with the driver's switched off, `begin` below decides.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(made, "begin")
    def _begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return made


@contextmanager
def reading(database: Engine) -> Iterator[Session]:
    """Give a session on one consistent snapshot of the database; nothing is written."""
    with database.connect() as connection, Session(connection, autoflush=False) as session:
        yield session
        session.rollback()


@contextmanager
def writing(database: Engine) -> Iterator[Session]:
    """Give a session that holds the write lock; it commits at the end, or nothing happened."""
    with (
        database.connect().execution_options(writes=True) as connection,
        Session(connection) as session,
    ):
        yield session
        session.commit()


def check_integrity(database: Engine) -> str:
    """Return '' for a sound database, else what SQLite says is wrong with it."""
    with database.connect() as connection:
        answer = str(connection.execute(text("PRAGMA quick_check(1)")).scalar_one())
    return "" if answer == "ok" else answer
