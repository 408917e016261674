"""A volume in a database of an older revision, which is then brought up to date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import select, text

from sanstone import migrate
from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.model.volumes import Volume

UUID = "10000000-0000-4000-8000-000000000001"
GIB = 1024**3
_ROWS: tuple[dict[str, Any], ...] = (
    {
        "table": "svm",
        "name": "svm1",
        "number": 1,
        "comment": "",
        "state": "running",
        "properties": "{}",
        **dict.fromkeys(("iscsi_allowed", "nvme_allowed", "fcp_allowed", "srp_allowed"), 1),
    },
    {
        "table": "aggregate",
        "name": "a",
        "raid_type": "raid_dp",
        "raid_size": 16,
        "next_thin_id": 1,
        "home_node_uuid": UUID,
        "node_uuid": UUID,
        "scrub_schedule_uuid": "",
        "scrub_action": "",
        "scrub_orders": 0,
        "forced_starts": 0,
    },
    {
        "table": "volume",
        "name": "v",
        "svm_uuid": UUID,
        "aggregate_uuid": UUID,
        "size": GIB,
        "guarantee": "none",
        "snapshot_reserve_percent": 0,
        "comment": "",
        "state": "online",
    },
)


@contextmanager
def volume_of_before(
    folder: Path, revision: str, properties: dict[str, Any], **more: Any
) -> Iterator[Volume]:
    """Give a volume of 1 GiB with `properties` and `more` columns as all migrations leave it.

    Before, its database was of a `revision`.
    """
    database = store.engine(folder / "sanstone.db")
    with database.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for row in _ROWS:
            values = {name: value for name, value in row.items() if name != "table"}
            values |= {"uuid": UUID, "create_time": 0}
            if row["table"] == "volume":
                values |= {"properties": json.dumps(properties), **more}
            names = ", ".join(values)
            blanks = ", ".join(f":{name}" for name in values)
            statement = f"INSERT INTO {row['table']} ({names}) VALUES ({blanks})"
            connection.execute(text(statement), values)
        connection.commit()
    migrate.upgrade(database)
    with reading(database) as session:
        yield session.scalars(select(Volume)).one()
    database.dispose()
