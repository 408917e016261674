"""Users that were there before users could be silent are silent."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from sqlalchemy import text

from sanstone import migrate
from sanstone.core.database import store


def test_users_from_before_are_silent(tmp_path: Path) -> None:
    database = store.engine(tmp_path / "sanstone.db")
    columns = "uuid, engine_id, name, method, authentication_protocol, privacy_protocol, comment"
    with database.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, migrate.revisions()[-2])
        user = f"INSERT INTO snmp_user ({columns}) VALUES ('1', '', 'public', '', '', '', '')"
        connection.execute(text(user))
        connection.commit()
    migrate.upgrade(database)
    with database.connect() as connection:
        assert connection.execute(text("SELECT silent FROM snmp_user")).scalar_one() == 1
    database.dispose()
