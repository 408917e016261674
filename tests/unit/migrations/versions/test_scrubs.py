"""Aggregates of the release before are scrubbed each week from now on."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from sqlalchemy import select, text

from sanstone import migrate
from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.model.aggregates import Aggregate
from sanstone.model.cluster import Schedule

BEFORE = "94efb620166e"
UUID = "10000000-0000-4000-8000-000000000001"


def test_an_aggregate_gets_the_weekly_schedule_and_no_order(tmp_path: Path) -> None:
    engine = store.engine(tmp_path / "sanstone.db")
    with engine.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        row = (
            "INSERT INTO aggregate (uuid, name, raid_type, raid_size, home_node_uuid, node_uuid, "
            "next_thin_id, create_time) VALUES (:uuid, 'aggr1', 'raid_dp', 16, :uuid, :uuid, 1, 0)"
        )
        connection.execute(text(row), {"uuid": UUID})
        connection.commit()
    migrate.upgrade(engine)
    with reading(engine) as session:
        [aggregate] = session.scalars(select(Aggregate))
        schedule = session.get_one(Schedule, aggregate.scrub_schedule_uuid)
        assert schedule.name == "weekly"
        assert (aggregate.scrub_action, aggregate.scrub_orders, aggregate.forced_starts) == (
            *("", 0),
            0,
        )
    engine.dispose()
