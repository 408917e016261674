"""What was kept of autosize without effect has one from now on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Engine, select, text

from sanstone import migrate
from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.model.volumes import Volume

BEFORE = "6f2d90ab14c7"
UUID = "10000000-0000-4000-8000-000000000001"
GIB = 1024**3
COLUMNS = ("mode", "maximum", "minimum", "grow_threshold", "shrink_threshold")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Engine]:
    """A database as it was before."""
    made = store.engine(tmp_path / "sanstone.db")
    with made.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        rows = (
            "INSERT INTO svm (uuid, name, number, comment, state, iscsi_allowed, nvme_allowed, "
            "fcp_allowed, srp_allowed, properties, create_time) VALUES (:uuid, 'svm1', 1, '', "
            "'running', 1, 1, 1, 1, '{}', 0)",
            "INSERT INTO aggregate (uuid, name, raid_type, raid_size, home_node_uuid, node_uuid, "
            "next_thin_id, create_time, scrub_schedule_uuid, scrub_action, scrub_orders, "
            "forced_starts) VALUES (:uuid, 'a', 'raid_dp', 16, :uuid, :uuid, 1, 0, '', '', 0, 0)",
        )
        for row in rows:
            connection.execute(text(row), {"uuid": UUID})
        connection.commit()
    yield made
    made.dispose()


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ({}, ("off", None, None, None, None)),
        ({"autosize.maximum": 3 * GIB}, ("off", 3 * GIB, None, None, None)),
        ({"autosize.mode": "grow"}, ("grow", GIB * 120 // 100, GIB, None, None)),
        (
            {"autosize.mode": "grow_shrink", "autosize.maximum": GIB // 2},
            ("grow_shrink", GIB * 120 // 100, GIB, None, None),
        ),
        (
            {"autosize.grow_threshold": 0, "autosize.shrink_threshold": 50},
            ("off", None, None, None, None),
        ),
        (
            {"autosize.mode": "grow", "autosize.minimum": 2 * GIB, "autosize.grow_threshold": 90},
            ("grow", GIB * 120 // 100, GIB, 90, None),
        ),
    ],
)
def test_what_can_hold_is_taken_over(
    database: Engine, kept: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    with database.connect().execution_options(writes=True) as connection:
        row = (
            "INSERT INTO volume (uuid, name, svm_uuid, aggregate_uuid, size, guarantee, "
            "snapshot_reserve_percent, comment, state, properties, create_time) VALUES (:uuid, "
            "'v', :uuid, :uuid, :size, 'none', 0, '', 'online', :properties, 0)"
        )
        properties = json.dumps({"nas.path": "/v", **kept})
        connection.execute(text(row), {"uuid": UUID, "size": GIB, "properties": properties})
        connection.commit()
    migrate.upgrade(database)
    with reading(database) as session:
        [volume] = session.scalars(select(Volume))
        assert tuple(getattr(volume, f"autosize_{name}") for name in COLUMNS) == expected
        assert volume.properties == {"nas.path": "/v"}
