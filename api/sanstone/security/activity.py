"""A second database, for activity on the array as opposed to its configuration.

The audit log and the sessions of the web interface are written often, even by requests that change
nothing. They are kept out of the array's database, so that copies of the configuration do not grow
with them, and a restored configuration does not bring back an old log. This database is bounded,
may be lost, and is created where it is missing. Its tables have no migrations: a version that needs
other tables uses another file.
"""

from __future__ import annotations

import logging
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DatabaseError

from sanstone.core import places
from sanstone.core.database import store
from sanstone.model.activity import ActivityBase

FILE = "activity-1.db"
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""SQLite's errors for a damaged file; a full disk or a lock is temporary."""
log = logging.getLogger(__name__)


def engine() -> Engine:
    """Return the engine on the database, which only the API opens."""
    return _engine(places.api_directory() / FILE)


@lru_cache(maxsize=2)
def _engine(file: Path) -> Engine:
    engine = _open(file)
    try:
        _create_tables(engine)
    except DatabaseError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            raise
        log.warning("activities start anew, since %s is damaged: %s", file, error.orig)
        engine.dispose()
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        engine = _open(file)
        _create_tables(engine)
    return engine


def _open(file: Path) -> Engine:
    """Return the engine; a commit does not wait for the disk.

    With a write-ahead log, a power cut then loses the last records and leaves the database intact
    (sqlite.org/pragma.html, synchronous). A flush for each request would cost as much as the change
    that it records; the journal has each record too.
    """
    engine = store.engine(file, store.PATIENCE)
    event.listen(engine, "connect", _do_not_wait_for_disk)
    return engine


def _do_not_wait_for_disk(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=NORMAL").close()


def _create_tables(database: Engine) -> None:
    """Create missing tables under the write lock: other workers start at the same moment."""
    with store.writing(database) as session:
        ActivityBase.metadata.create_all(session.connection())
