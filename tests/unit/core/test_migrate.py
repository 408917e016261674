"""A new database, made by the migrations, has exactly the tables that the code declares."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

import sanstone.resources  # noqa: F401 - declares the resources' tables
from sanstone.core import migrate, store


def test_migrations_make_the_declared_tables(tmp_path: Path) -> None:
    database = store.engine(tmp_path / "new.db")
    migrate.upgrade(database)
    assert migrate.differences(database) == []


def test_a_second_upgrade_changes_nothing(tmp_path: Path) -> None:
    database = store.engine(tmp_path / "new.db")
    migrate.upgrade(database)
    migrate.upgrade(database)
    assert migrate.differences(database) == []


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    database = store.engine(tmp_path / "new.db")
    migrate.upgrade(database)
    with store.writing(database) as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'from the future'"))
    with pytest.raises(migrate.NewerDatabase):
        migrate.upgrade(database)
