"""The database of the figures: one file, which the sampler alone writes and the API reads.

Each module that keeps figures in it says in which tables (`Tables`), and gets them by `writing` and
`reading`. A table that a file of an earlier release lacks is created by the first write, and is
empty until then. Tables are never changed, only added: an earlier release goes on with the file,
too. None of this is part of the configuration: it may be lost, and starts again.

The API can read the file but not write it. So the database has no write-ahead log, in which readers
write too: a commit waits for readers, some milliseconds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sanstone.core import places

FILE = "metrics-2.db"
Key = tuple[str, str]
"""Kind (a resource's path) and key of an object."""
Tables = dict[str, str]
"""Columns and options of tables, as SQL has them, by name."""
OBJECTS: Tables = {
    "object": "(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL, "
    "UNIQUE (kind, key))"
}
"""Numbers of objects, for tables with many rows of each. No number is used twice."""


@dataclass(frozen=True)
class Ring:
    """Intervals of `seconds`, kept for `kept` seconds; `name` is ONTAP's name of the span."""

    name: str
    seconds: int
    kept: int
    duration: str

    def begin(self, moment: float) -> int:
        """Return when the interval began in which a moment lies."""
        return int(moment) // self.seconds * self.seconds


HOUR, DAY = 3600, 86_400
RINGS = (
    Ring("1h", 15, HOUR, "PT15S"),
    Ring("1d", 300, DAY, "PT5M"),
    Ring("1w", 1800, 7 * DAY, "PT30M"),
    Ring("1m", 7200, 31 * DAY, "PT2H"),
    Ring("1y", DAY, 366 * DAY, "P1D"),
)
"""Each interval holds whole ones of the ring before."""
BY_NAME = {ring.name: ring for ring in RINGS}


def path() -> Path:
    """Return the database's file, beside the array's."""
    return places.database_directory() / FILE


def journal() -> Path:
    """Return the file that SQLite keeps beside it during a transaction."""
    return path().with_name(f"{FILE}-journal")


def recover() -> bool:
    """Take back a sample that a power cut interrupted, so that readers find the ones before it.

    Return whether the file is sound, where there is one.
    """
    if path().exists():
        try:
            with closing(sqlite3.connect(path(), timeout=30)) as database:
                database.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.DatabaseError:
            return False
    return True


@contextmanager
def writing(tables: Tables) -> Iterator[sqlite3.Connection]:
    """Open a transaction, and create those of the tables that are missing."""
    with closing(sqlite3.connect(path(), timeout=30)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        with database:
            for name, columns in tables.items():
                database.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")
            yield database


@contextmanager
def reading(tables: Tables) -> Iterator[sqlite3.Connection]:
    """Open a connection for reading; tables that are missing are empty."""
    place = f"file:{path()}?mode=ro" if _is_readable() else ":memory:"
    with closing(sqlite3.connect(place, timeout=30, uri=True)) as database:
        existing = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        for name in tables.keys() - existing:
            database.execute(f"CREATE TEMPORARY TABLE {name} {tables[name]}")
        yield database


def _is_readable() -> bool:
    """Return whether there is a sample, and no interrupted one, which a writer must roll back."""
    if not path().exists() or path().stat().st_size == 0:
        return False
    with closing(sqlite3.connect(f"file:{path()}?mode=ro", timeout=30, uri=True)) as database:
        try:
            database.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
            return False
    return True


def newest_from(database: sqlite3.Connection, table: str, most: int) -> int:
    """Return the moment from which on a table has `most` rows or fewer, in whole intervals."""
    query = f"SELECT begin FROM {table} ORDER BY begin DESC LIMIT 1 OFFSET ?"  # noqa: S608
    row = database.execute(query, (most,)).fetchone()
    return int(row[0]) + 1 if row else 0


def newest(
    tables: Tables, table: str, columns: str, most: int
) -> Iterator[tuple[int, Key, tuple[Any, ...]]]:
    """Yield moment, object and `columns` of a table's newest rows of all objects, `most` or fewer.

    The table's objects are numbers (`object_id`).
    """
    with reading(tables) as database:
        rows = database.execute(
            f"SELECT begin, kind, key, {columns} FROM {table} JOIN object ON object.id = object "  # noqa: S608
            "WHERE begin >= ? ORDER BY begin, kind, key",
            (newest_from(database, table, most),),
        )
        for begin, kind, key, *values in rows:
            yield begin, (kind, key), tuple(values)


def object_id(database: sqlite3.Connection, key: Key) -> int:
    """Return the number of an object, which it gets now if it has none."""
    query = "SELECT id FROM object WHERE kind = ? AND key = ?"
    row = database.execute(query, key).fetchone()
    if row is None:
        row = (database.execute("INSERT INTO object (kind, key) VALUES (?, ?)", key).lastrowid,)
    return int(row[0])
