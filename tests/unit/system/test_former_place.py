"""An array of a release that kept its database in a folder where the API's user could write."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine
from system_disk import SystemDisk

from sanstone.core import places
from sanstone.core.database import store
from sanstone.core.history import metrics_file
from sanstone.system import fallback, former_place


@pytest.fixture
def former(database: Engine) -> Path:
    """The database in the former place, with a change in its log alone."""
    database.dispose()
    shutil.copy(store.path(), former_place.database())
    store.path().unlink()
    rename("of old")
    return former_place.database()


def rename(name: str) -> None:
    with closing(sqlite3.connect(former_place.database())) as connection, connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE IF NOT EXISTS called (name TEXT)")
        connection.execute("DELETE FROM called")
        connection.execute("INSERT INTO called VALUES (?)", (name,))


def name_in(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        return str(connection.execute("SELECT name FROM called").fetchone()[0])


def test_the_database_moves_with_what_is_in_its_log(former: Path, disk: SystemDisk) -> None:
    with closing(sqlite3.connect(former)) as open_still:
        open_still.execute("BEGIN")
        open_still.execute("SELECT * FROM called").fetchall()
        rename("in the log")
    former_place.leave(disk.kernel.host)
    assert name_in(store.path()) == "in the log"
    assert not former.exists()


def test_a_release_to_go_back_to_finds_a_copy(former: Path, disk: SystemDisk) -> None:
    former_place.leave(disk.kernel.host)
    assert name_in(fallback.copy_path("now")) == "of old"


def test_a_database_of_such_a_release_is_newer(former: Path, disk: SystemDisk) -> None:
    former_place.leave(disk.kernel.host)
    shutil.copy(store.path(), former)
    rename("after going back")
    former_place.leave(disk.kernel.host)
    assert name_in(store.path()) == "after going back"
    assert len(list(places.state_directory().glob("sanstone.db.abandoned-*"))) == 1


def test_a_link_in_its_place_leads_nowhere(disk: SystemDisk, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    for name in (store.FILE, f"{store.FILE}-wal", metrics_file.FILE):
        (places.state_directory() / name).symlink_to(victim)
    former_place.leave(disk.kernel.host)
    assert victim.read_text() == "untouched"
    assert not former_place.database().is_symlink()


def test_where_there_is_none_nothing_happens(disk: SystemDisk, database: Engine) -> None:
    content = store.path().read_bytes()
    former_place.leave(disk.kernel.host)
    assert store.path().read_bytes() == content
