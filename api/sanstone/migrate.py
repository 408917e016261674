"""Bringing a database to the tables of this version, whichever version wrote it.

A migration runs in one transaction with its version mark: killed anywhere, the database is of the
old version or of the new one. A database of a newer version than this is refused untouched.

SQLite changes a constraint only by a new table in the place of the old one, although other rows
refer to its rows. So foreign keys are not enforced while migrations run, and are checked at the end
of them (https://www.sqlite.org/lang_altertable.html, "Making other kinds of table schema changes").

A new migration is written by `python -m sanstone.migrate "Add what"`, and read before it is
committed: Alembic compares the declared tables with those that the migrations make. A column that
was renamed, for one, looks to it like one that went and one that came.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from sanstone import model
from sanstone.core import events, jobs, long_jobs, observed
from sanstone.core.database import change, epoch
from sanstone.core.database.store import Base, engine
from sanstone.migrations import style

DECLARING = (change, epoch, events, jobs, long_jobs, observed, model)
"""The modules that declare tables: all must be imported before these are compared."""


class NewerDatabase(Exception):
    """The database was written by a newer version than this."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    return config


def newest() -> str:
    """Return the revision of this version's databases."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None, "there is at least one migration"
    return head


def revision(database: Engine) -> str:
    """Return the revision of a database, '' for one without tables."""
    with database.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() or ""


def revisions() -> tuple[str, ...]:
    """Return the revisions that this version can bring a database from, oldest first."""
    scripts = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(script.revision for script in scripts)[::-1]


def upgrade(database: Engine) -> None:
    """Bring the database to this version. Raises NewerDatabase."""
    config = _config()
    with (
        database.connect().execution_options(writes=True) as connection,
        _foreign_keys_unenforced(connection),
    ):
        current = MigrationContext.configure(connection).get_current_revision()
        if current and current not in revisions():
            raise NewerDatabase(f"the database has revision {current}, which is unknown here")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise RuntimeError(f"migrations left rows that refer to nothing: {broken[:3]}")
        connection.commit()


@contextmanager
def _foreign_keys_unenforced(connection: Connection) -> Iterator[None]:
    """Set the pragma outside of transactions, where alone it has an effect."""
    sqlite: Any = connection.connection.driver_connection
    sqlite.execute("PRAGMA foreign_keys=OFF").close()
    try:
        yield
    finally:
        connection.rollback()
        sqlite.execute("PRAGMA foreign_keys=ON").close()


def differences(database: Engine) -> list[object]:
    """Return how the database's tables differ from the declared ones; [] when they agree."""
    with database.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))


def write_migration(message: str) -> Path:
    """Write the migration to the declared tables, in the style of all, and return its file.

    The message is a sentence: a verb and its object. Raises ValueError where it is not, or the file
    is there, and CalledProcessError where what was written is not well formed.
    """
    message = message.rstrip(".")
    name = style.file_name(message)
    path = Path(__file__).with_name("migrations") / "versions" / f"{name}.py"
    if path.exists():
        raise ValueError(f"{path} is there already: give the migration another name")
    config = _config()
    config.set_main_option("file_template", name)
    with tempfile.TemporaryDirectory() as folder:
        database = engine(Path(folder) / "empty.db")
        upgrade(database)
        with database.connect() as connection:
            config.attributes["connection"] = connection
            command.revision(
                config,
                message,
                autogenerate=True,
                process_revision_directives=style.value_of_rows,
            )
        database.dispose()
    style.give_style(path)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('usage: python -m sanstone.migrate "Add what"')
    try:
        write_migration(sys.argv[1])
    except ValueError as error:
        sys.exit(str(error))
