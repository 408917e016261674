"""A second database, for what happens on the array rather than what it shall be.

The audit log and the sessions of the web interface are written often, by requests that change
nothing too. They are kept out of the array's database, so that neither the copies of the
configuration grow with them nor a lost and restored configuration brings an old log back. What is
here is bounded, may be lost, and is made anew where it is missing; its tables have no migrations: a
version that needs others takes another file.
"""

from __future__ import annotations

import logging
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DatabaseError

from sanstone.core import places, store
from sanstone.model.activity import ActivityBase

FILE = "activity-1.db"
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""What SQLite says of a file that is no good any more; a full disk or a lock passes."""
log = logging.getLogger(__name__)


def engine() -> Engine:
    """Return the engine on the database, which only the API has."""
    return _engine(places.api_directory() / FILE)


@lru_cache(maxsize=2)
def _engine(file: Path) -> Engine:
    made = _open(file)
    try:
        _create_tables(made)
    except DatabaseError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            raise
        log.warning("activities are begun anew, since %s is damaged: %s", file, error.orig)
        made.dispose()
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        made = _open(file)
        _create_tables(made)
    return made


def _open(file: Path) -> Engine:
    """Return the engine; a commit waits for no disk.

    With a write-ahead log a power cut then takes the last records and leaves the database whole
    (sqlite.org/pragma.html, synchronous). A flush for each request would cost as much as the change
    that it tells of; each is in the journal besides.
    """
    made = store.engine(file, store.PATIENCE)
    event.listen(made, "connect", _do_not_wait_for_disk)
    return made


def _do_not_wait_for_disk(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=NORMAL").close()


def _create_tables(database: Engine) -> None:
    """Create what is missing, holding the write lock: other workers begin at the same moment."""
    with store.writing(database) as session:
        ActivityBase.metadata.create_all(session.connection())
