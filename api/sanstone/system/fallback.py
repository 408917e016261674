"""The way back for the database: a copy from before the migration of a system on trial.

The first boot of a new release migrates the database. Were that release then given up, the one
before could not read it. So a copy is kept in the state's own folder as
`sanstone.db.before-<revision>` until the new one has proved itself, and a release that meets a
database newer than it knows takes the copy of its own revision, if there is one. What was changed
over REST in those few minutes is lost with the release that it was changed on, and an event says
so.

Once the copy is gone a newer database is refused as ever: weeks of changes are not given up
silently.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sanstone.core import counters, places, store
from sanstone.kernel.host import Files

NOTE = (
    "The release that was tried did not come up serving. The configuration is the one from before "
    "that update; what was changed since is lost."
)


def copy_path(revision: str) -> Path:
    """Return where the copy of a database of this revision is."""
    return aside(f"before-{revision}")


def aside(what: str) -> Path:
    """Return the place of a file that goes with the database, where root alone can write."""
    return places.state_directory() / f"{store.FILE}.{what}"


def keep(files: Files, file: Path, revision: str) -> None:
    """Copy the database as it is; a copy of the same revision is replaced. Raises FileError."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(":memory:")) as memory:
        source.backup(memory)
        content = memory.serialize()
    files.store(str(copy_path(revision)), content, 0o600)


def take_back(files: Files, file: Path, revision: str) -> None:
    """Put the copy in the place of the database, which is kept aside. Raises FileError.

    Killed half-way it is to be called again: the copy is there until `forget`.
    """
    content = copy_path(revision).read_bytes()
    put_aside(files, file, "newer")
    files.store(str(file), counters.advanced(content), 0o660)


def put_aside(files: Files, file: Path, why: str) -> None:
    """Rename a database and its write-ahead log, which would be played into the next one."""
    for suffix in ("", "-wal", "-shm"):
        part = file.with_name(file.name + suffix)
        if part.exists():
            files.rename(str(part), str(aside(f"{why}-{int(time.time())}{suffix}")))


def forget(files: Files) -> None:
    """Remove the copies: the running release is there to stay."""
    for copy in places.state_directory().glob(copy_path("*").name):
        files.unlink(str(copy))
