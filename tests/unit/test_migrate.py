"""A database of any older version becomes one of this version, in one step or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import release_before
from alembic import op
from sqlalchemy import Engine, Table, inspect, text

from sanstone import migrate
from sanstone.core.database import store
from sanstone.core.database.store import Base


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Engine]:
    """An empty database."""
    engine = store.engine(tmp_path / "sanstone.db")
    yield engine
    engine.dispose()


CHANGED = {
    ("cluster", "node_uuid"),
    ("ip_interface", "number"),
    ("removal", "what"),
    ("software_task", "what"),
}
"""Columns of the release before that became a row of their own, or the ids of the LIF's endpoints,
or that have another name now.
"""


def _tables(database: Engine) -> set[str]:
    return set(inspect(database).get_table_names())


def test_the_migrations_make_the_declared_tables(database: Engine) -> None:
    """After a change of a table, `python -m sanstone.migrate "Add what"` writes another."""
    migrate.upgrade(database)
    assert migrate.differences(database) == []
    assert _tables(database) == {*Base.metadata.tables, "alembic_version"}


def test_constraints_have_the_names_that_later_migrations_use(database: Engine) -> None:
    def names(engine: Engine, table: Table) -> set[str | None]:
        inspector = inspect(engine)
        unique: list[Any] = [*inspector.get_unique_constraints(table.name)]
        unique += [*inspector.get_foreign_keys(table.name), *inspector.get_indexes(table.name)]
        return {each["name"] for each in unique}

    migrate.upgrade(database)
    declared = store.engine(Path(str(database.url.database)).with_name("declared.db"))
    Base.metadata.create_all(declared)
    for table in Base.metadata.sorted_tables:
        assert names(database, table) == names(declared, table), table.name
    declared.dispose()


def test_the_database_of_the_release_before_loses_nothing(database: Engine) -> None:
    def rows(columns: dict[str, str]) -> dict[str, list[Any]]:
        with database.connect() as connection:
            return {
                table: sorted(map(str, connection.execute(text(f"SELECT {names} FROM {table}"))))
                for table, names in columns.items()
            }

    release_before.write_database(Path(str(database.url.database)))
    inspector = inspect(database)
    columns = {
        table: ", ".join(
            f'"{column["name"]}"'
            for column in inspector.get_columns(table)
            if (table, column["name"]) not in CHANGED
        )
        for table in _tables(database) - {"alembic_version"}
    }
    before = rows(columns)
    assert sum(map(len, before.values())) > 250
    migrate.upgrade(database)
    assert migrate.differences(database) == []
    assert rows(columns) == before


def test_a_second_time_changes_nothing(database: Engine) -> None:
    migrate.upgrade(database)
    with database.connect() as connection:
        version = connection.execute(text("PRAGMA schema_version")).scalar_one()
    migrate.upgrade(database)
    with database.connect() as connection:
        assert connection.execute(text("PRAGMA schema_version")).scalar_one() == version


def test_a_newer_database_is_refused_untouched(database: Engine) -> None:
    with database.connect().execution_options(writes=True) as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('from_the_future')"))
        connection.commit()
    with pytest.raises(migrate.NewerDatabase, match="from_the_future"):
        migrate.upgrade(database)
    assert _tables(database) == {"alembic_version"}


def test_a_migration_that_is_stopped_halfway_leaves_the_old_version(
    database: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_table, count = op.create_table, 0

    def stopping(*arguments: Any, **more: Any) -> Any:
        nonlocal count
        if count == 5:
            raise ZeroDivisionError
        count += 1
        return create_table(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(op, "create_table", stopping)
        with pytest.raises(ZeroDivisionError):
            migrate.upgrade(database)
    assert _tables(database) == set()
    migrate.upgrade(database)
    assert migrate.differences(database) == []
