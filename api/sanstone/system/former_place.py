"""Databases in the place of releases before this layout: the state's own folder.

The API's user could write in that folder, so it is not used any more (see `core.places`). An older
release, to which the array may still fall back, looks for its database there, and for the copy of
its revision if there is none (see `fallback`): so a copy is kept. If such a release ran last, its
database is there again, and newer than the one in the new place.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sanstone.core import places
from sanstone.core.database import store
from sanstone.core.history import metrics_file
from sanstone.kernel.host import Files, Host
from sanstone.security import activity
from sanstone.system import fallback, slots


def database() -> Path:
    """Return the path of the array's database in an older release."""
    return places.state_directory() / store.FILE


def leave(host: Host) -> None:
    """Move the databases to their new place.

    If killed, call it again. Raises OSError, HostError, sqlite3.DatabaseError.
    """
    former = database()
    if _is_plain(host.files, former):
        _join_log(former)
        if slots.booted(host) and (revision := _revision(former)):
            fallback.keep(host.files, former, revision)
        fallback.put_aside(host.files, store.path(), "abandoned")
        host.files.rename(str(former), str(store.path()))
    _leave_what_may_be_lost(host.files, metrics_file.FILE, places.database_directory())
    _leave_what_may_be_lost(host.files, activity.FILE, places.api_directory())


def _leave_what_may_be_lost(files: Files, name: str, folder: Path) -> None:
    former = places.state_directory() / name
    if not _is_plain(files, former):
        return
    try:
        _join_log(former)
        files.rename(str(former), str(folder / name))
    except sqlite3.DatabaseError:
        # It is damaged, and will be created again.
        files.unlink(str(former))


def _is_plain(files: Files, file: Path) -> bool:
    """Return whether a file exists; remove a link, which another user may have placed."""
    for part in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
        if part.is_symlink():
            files.unlink(str(part))
    return file.is_file()


def _join_log(file: Path) -> None:
    """Merge the write-ahead log into a database's file, as closing it does."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _revision(file: Path) -> str:
    engine = store.engine(file)
    try:
        with store.reading(engine) as session:
            return store.revision(session)
    finally:
        engine.dispose()
