"""Counters in a restored configuration that is older than the objects on the machine.

A restored copy of the configuration lacks whatever was created after it. Its counters would hand
out numbers that are in use: a thin pool may hold a volume of that number, and a new LUN would show
hosts the data of another; an initiator may remember a target of that name. So every counter skips
more numbers than can have been used meanwhile.
"""

from __future__ import annotations

from contextlib import closing

from sanstone.core.database import last_changes
from sanstone.core.database.change import COUNTER
from sanstone.core.database.store import Base, in_memory

JOBS = 1 << 16
"""Numbers of jobs that are left out: in copies of releases up to 0.1.0 the newest job is the epoch
(see `epoch`), which must be past all later ones."""


def advanced(database: bytes) -> bytes:
    """Return the database's file with every counter beyond the numbers that may be in use.

    Raises sqlite3.DatabaseError when it is not a database.
    """
    with closing(in_memory(database)) as memory:
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
        last_changes.begin_anew(memory)
        memory.commit()
        return memory.serialize()
