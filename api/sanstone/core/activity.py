"""A second database, for what happens on the array rather than what it shall be.

The audit log and the sessions of the web interface are written often, by requests that change
nothing too. They are kept out of the array's database, so that neither the copies of the
configuration grow with them nor a lost and restored configuration brings an old log back. What is
here is bounded, may be lost, and is made anew where it is missing; its tables have no migrations: a
version that needs others takes another file.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import DeclarativeBase

from sanstone.core import store

FILE = "activity-1.db"
log = logging.getLogger(__name__)


class ActivityBase(DeclarativeBase):
    """Base of the tables of this database."""

    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}


def engine() -> Engine:
    """Return the engine on the database beside the array's."""
    return _engine(store.path().with_name(FILE))


@lru_cache(maxsize=2)
def _engine(file: Path) -> Engine:
    made = store.engine(file)
    try:
        ActivityBase.metadata.create_all(made)
    except DatabaseError as error:
        log.warning("activities are begun anew, since %s is damaged: %s", file, error.orig)
        made.dispose()
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        made = store.engine(file)
        ActivityBase.metadata.create_all(made)
    return made
