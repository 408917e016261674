"""Counters in a configuration that is older than what was made with it.

A copy of the configuration that is taken back knows nothing of what came after it. Its counters
would hand out numbers that are in use: a thin pool may hold a volume of that number, and a new LUN
would show hosts the data of another; an initiator may know a target of that name. So every counter
leaves out as many numbers as nobody can have taken meanwhile.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sanstone.core.change import COUNTER
from sanstone.core.store import Base

JOBS = 1 << 16
"""Numbers of jobs that are left out: the newest job tells which of two copies is newer."""
_JOURNAL = slice(18, 20)
"""File format versions (sqlite.org/fileformat2.html, 1.3.3); 2 asks for a write-ahead log, which a
database in memory cannot have."""


def advanced(database: bytes) -> bytes:
    """Return the database's file with every counter beyond what may have been given since.

    Raises sqlite3.DatabaseError when it is none.
    """
    content = bytearray(database)
    content[_JOURNAL] = b"\1\1"
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.deserialize(bytes(content))
        for table in Base.metadata.tables.values():
            present = {name for _, name, *_ in memory.execute(f"PRAGMA table_info({table.name})")}
            for column in table.columns:
                gap = column.info.get(COUNTER)
                if gap and column.name in present:
                    memory.execute(
                        f"UPDATE {table.name} SET {column.name} = {column.name} + ?",  # noqa: S608
                        (gap,),
                    )
        memory.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'job'", (JOBS,))
        memory.commit()
        return memory.serialize()
