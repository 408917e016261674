"""Orders to destroy data, of an array that had one machine for all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, select, text

from sanstone import migrate
from sanstone.core.database import store
from sanstone.core.database.change import Removal, revert
from sanstone.core.database.store import writing
from sanstone.core.jobs import Job

BEFORE = "b25c61e8f094"
NODE = "11111111-2222-4333-8444-555555555555"
ORDER = {
    "uuid": "10000000-0000-4000-8000-000000000001",
    "kind": "erasure",
    "owner": "storage/disks:1.0.1",
    "data": {"groups": [["wwn:1"]]},
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Engine]:
    """A database of before, with a node."""
    engine = store.engine(tmp_path / "sanstone.db")
    with engine.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        node = (
            "INSERT INTO node (uuid, number, name, serial_number, address, state) "
            "VALUES (:node, 1, 'array-01', '', '', 'up')"
        )
        connection.execute(text(node), {"node": NODE})
        connection.commit()
    yield engine
    engine.dispose()


def test_an_order_is_the_one_nodes(database: Engine) -> None:
    with database.begin() as connection:
        order = "INSERT INTO removal (uuid, kind, owner, data) VALUES (:uuid, :kind, :owner, :data)"
        connection.execute(text(order), ORDER | {"data": json.dumps(ORDER["data"])})
    migrate.upgrade(database)
    with writing(database) as session:
        (row,) = session.scalars(select(Removal))
        assert (row.node_uuid, row.owner, row.data) == (NODE, ORDER["owner"], ORDER["data"])


def test_an_order_that_a_job_withdrew_comes_back(database: Engine) -> None:
    key = {"uuid": ORDER["uuid"]}
    part = {"action": "insert", "table": "removal", "key": key, "values": ORDER, "written": {}}
    with database.begin() as connection:
        job = (
            "INSERT INTO job (uuid, description, state, message, arguments, code, target, "
            "start_time, touched, undo, about_svm, done) "
            "VALUES ('1', '', 'running', '', '[]', 0, '', 0, '[]', :undo, '', '[]')"
        )
        connection.execute(text(job), {"undo": json.dumps([part])})
    migrate.upgrade(database)
    with writing(database) as session:
        revert(session, session.scalars(select(Job)).one().undo)
        assert session.scalars(select(Removal)).one().node_uuid == NODE
