"""Endpoints, nodes and epoch of an array whose LIFs had numbers and whose age were its jobs."""

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
from sanstone.core.database.change import revert
from sanstone.core.database.epoch import ConfigurationEpoch
from sanstone.core.database.store import writing
from sanstone.core.jobs import Job
from sanstone.core.observed import load_one
from sanstone.model.network import IpEndpoint, IpInterface
from sanstone.model.nodes import every_node

BEFORE = "5392341ed704"
NODE = "11111111-2222-4333-8444-555555555555"
SVM = "20000000-0000-4000-8000-000000000000"
LIF = {
    "svm_uuid": SVM,
    "prefix_length": 24,
    "port": "e0a",
    "enabled": True,
    "auto_revert": True,
}


def uuid(number: int) -> str:
    """Return the UUID of the LIF with a number."""
    return f"10000000-0000-4000-8000-{number:012}"


def lif(number: int, policy: str) -> dict[str, Any]:
    """Return the columns of a LIF as they were."""
    place = {"uuid": uuid(number), "name": f"lif{number}", "address": f"10.10.1.{number}"}
    return LIF | place | {"number": number, "service_policy": policy}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Engine]:
    """A database of the release before, with an SVM."""
    engine = store.engine(tmp_path / "sanstone.db")
    with engine.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        cluster = (
            "INSERT INTO cluster (uuid, name, serial_number, contact, location, name_servers, "
            "dns_domains, timezone, node_uuid, next_number, create_time) VALUES (:node, 'array', "
            "'5a', '', '', '[]', '[]', 'Etc/UTC', :node, 9, 0)"
        )
        connection.execute(text(cluster), {"node": NODE})
        svm = (
            "INSERT INTO svm (uuid, name, number, comment, state, iscsi_allowed, nvme_allowed, "
            "fcp_allowed, properties, create_time) "
            "VALUES (:svm, 'svm1', 1, '', 'running', 1, 1, 1, '{}', 0)"
        )
        connection.execute(text(svm), {"svm": SVM})
        connection.commit()
    yield engine
    engine.dispose()


def insert(database: Engine, table: str, values: dict[str, Any]) -> None:
    """Add a row."""
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    with database.connect().execution_options(writes=True) as connection:
        connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), values)
        connection.commit()


def endpoints(database: Engine) -> dict[tuple[str, str], int]:
    """Return the ids of all endpoints, by LIF and transport."""
    with store.reading(database) as session:
        rows = session.scalars(select(IpEndpoint)).all()
        return {(row.interface_uuid, row.protocol): row.id for row in rows}


def job(undo: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the columns of an unfinished job."""
    plain = {"uuid": uuid(99), "description": "", "state": "queued", "message": "", "code": 0}
    columns = {"target": "", "start_time": 0, "touched": "[]", "about_svm": ""}
    return plain | columns | {"undo": json.dumps(undo)}


def test_portal_groups_and_nvmet_ports_keep_the_number_of_their_lif(database: Engine) -> None:
    insert(database, "ip_interface", lif(3, "default-data-blocks"))
    insert(database, "ip_interface", lif(4, "default-data-iscsi"))
    insert(database, "ip_interface", lif(5, "default-data-nvme-tcp"))
    insert(database, "ip_interface", lif(6, "default-data-files"))
    migrate.upgrade(database)
    assert endpoints(database) == {
        (uuid(3), "iscsi"): 3,
        (uuid(3), "nvme_tcp"): 3,
        (uuid(4), "iscsi"): 4,
        (uuid(5), "nvme_tcp"): 5,
    }
    assert migrate.differences(database) == []


@pytest.mark.parametrize(("newest_job", "begins_at"), [(0, 0), (41, 42)])
def test_the_epoch_begins_past_the_newest_job(
    database: Engine, newest_job: int, begins_at: int
) -> None:
    if newest_job:
        insert(database, "job", job([]) | {"id": newest_job, "state": "success"})
    migrate.upgrade(database)
    with store.reading(database) as session:
        row = session.scalar(select(ConfigurationEpoch))
        assert (row.term, row.epoch) == (0, begins_at) if row else not begins_at


def test_observations_and_lifs_belong_to_the_one_node(database: Engine) -> None:
    insert(database, "ip_interface", lif(3, "default-data-blocks"))
    columns = {"kind": "network/ip/interfaces", "key": uuid(3), "data": '{"state": "up"}'}
    insert(database, "observed", columns | {"error": "late"})
    migrate.upgrade(database)
    with store.reading(database) as session:
        assert session.scalars(select(IpInterface.node_uuid)).one() == NODE
        row = load_one(session, NODE, "network/ip/interfaces", uuid(3))
        assert row is not None
        assert (row.data, row.error) == ({"state": "up"}, "late")


def test_the_one_machine_becomes_the_first_node(database: Engine) -> None:
    migrate.upgrade(database)
    with store.reading(database) as session:
        (node,) = every_node(session)
        assert (node.uuid, node.name, node.number) == (NODE, "array-01", 1)


def test_a_lif_whose_deletion_fails_comes_back_with_its_endpoints(database: Engine) -> None:
    part = {"action": "insert", "table": "ip_interface", "key": {"uuid": uuid(3)}, "written": {}}
    insert(database, "job", job([part | {"values": lif(3, "default-data-blocks")}]))
    migrate.upgrade(database)
    with writing(database) as session:
        revert(session, session.scalars(select(Job)).one().undo)
    assert endpoints(database) == {(uuid(3), "iscsi"): 3, (uuid(3), "nvme_tcp"): 3}


def test_a_lif_whose_creation_fails_goes_with_its_endpoints(database: Engine) -> None:
    part = {"action": "delete", "table": "ip_interface", "key": {"uuid": uuid(3)}}
    insert(database, "ip_interface", lif(3, "default-data-blocks"))
    insert(database, "job", job([part | {"values": {}, "written": {}}]))
    migrate.upgrade(database)
    with writing(database) as session:
        revert(session, session.scalars(select(Job)).one().undo)
        assert session.scalars(select(IpInterface)).all() == []
    assert endpoints(database) == {}
