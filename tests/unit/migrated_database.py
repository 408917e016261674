"""A new database of the migrations, created once: that takes longer than most tests."""

from __future__ import annotations

import functools
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from sanstone import migrate
from sanstone.core.database import store

UPGRADE = migrate.upgrade
"""The function that runs the migrations."""


@functools.cache
def content() -> bytes:
    """Return the content of a database of the migrations."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.db"
        database = store.engine(file)
        UPGRADE(database)
        database.dispose()
        return file.read_bytes()


def upgrade(database: Engine) -> None:
    """Do as `migrate.upgrade`: where there is nothing yet, copy a database that it made before."""
    with database.connect() as connection:
        there = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one()
    if there:
        UPGRADE(database)
        return
    with database.connect() as connection, closing(store.in_memory(content())) as memory:
        sqlite: Any = connection.connection.driver_connection
        memory.backup(sqlite)
