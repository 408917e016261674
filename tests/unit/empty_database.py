"""A database with its tables and no rows, created once: that takes longer than most tests."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from sqlalchemy import MetaData

from sanstone.core.database import store


@functools.cache
def content(*more: MetaData) -> bytes:
    """Return the content of a database's file with the product's tables, and those of others."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        database = store.engine(file)
        for tables in (store.Base.metadata, *more):
            tables.create_all(database)
        database.dispose()
        return file.read_bytes()
