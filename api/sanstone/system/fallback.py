"""The fallback of the database: a copy from before the migration by a system on trial.

The first boot of a new release migrates the database. If that release is then given up, the
previous one cannot read it. So a copy is kept in the state's own folder as
`sanstone.db.before-<revision>` until the new one has served, and a release that finds a database
newer than it knows restores the copy of its own revision, if there is one. Changes over REST in
those few minutes are lost with that release, and an event reports that.

Once the copy is gone, a newer database is refused as always: weeks of changes are not discarded
silently.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sanstone.core import places
from sanstone.core.database import counters, store
from sanstone.kernel.host import Files

NOTE = (
    "The release that was tried did not come up serving. The configuration is the one from before "
    "that update; what was changed since is lost."
)

MOST_ASIDE = 3
"""Databases that are kept for one reason, when another is put aside."""


def copy_path(revision: str) -> Path:
    """Return the path of the copy of a database of this revision."""
    return aside(f"before-{revision}")


def aside(suffix: str) -> Path:
    """Return the path of a file beside the database, where root alone can write."""
    return places.state_directory() / f"{store.FILE}.{suffix}"


def keep(files: Files, file: Path, revision: str) -> None:
    """Copy the database; replace a copy of the same revision. Raises FileError."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(":memory:")) as memory:
        source.backup(memory)
        content = memory.serialize()
    files.store(str(copy_path(revision)), content, 0o600)


def take_back(files: Files, file: Path, revision: str) -> None:
    """Restore the copy, and keep the replaced database aside. Raises FileError.

    If killed half-way, call it again: the copy exists until `forget`.
    """
    content = copy_path(revision).read_bytes()
    put_aside(files, file, "newer")
    files.store(str(file), counters.advanced(content), 0o660)


def put_aside(files: Files, file: Path, why: str) -> None:
    """Rename a database and its write-ahead log, which must not be applied to the next one.

    Of those that were put aside for the same reason before, the newest `MOST_ASIDE` stay: a system
    disk that damages one after the other must not be filled by them. Raises FileError.
    """
    before = {path.name.removesuffix("-wal").removesuffix("-shm") for path in _aside(why)}
    for name in sorted(before)[:-MOST_ASIDE]:
        for path in _aside(why):
            if path.name in (name, f"{name}-wal", f"{name}-shm"):
                files.unlink(str(path))
    for suffix in ("", "-wal", "-shm"):
        part = file.with_name(file.name + suffix)
        if part.exists():
            files.rename(str(part), str(aside(f"{why}-{int(time.time())}{suffix}")))


def _aside(why: str) -> list[Path]:
    """Return the files that were put aside for a reason."""
    return list(places.state_directory().glob(aside(f"{why}-*").name))


def forget(files: Files) -> None:
    """Remove the copies, since the running release stays."""
    for copy in places.state_directory().glob(copy_path("*").name):
        files.unlink(str(copy))
