"""A node serves its own objects, and marks its observations as its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenarios import lun, pool, san
from simulator import NODE_UUID, Simulator, simulated
from sqlalchemy import select, update

from sanstone.core import jobs
from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.core.observed import Observed
from sanstone.kernel.host import HostError
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import IpEndpoint, IpInterface
from sanstone.model.nodes import Node
from sanstone.reconcile.database_sink import DatabaseSink
from sanstone.reconcile.identity import WrongDatabase
from sanstone.reconcile.loop import Reconciler

PARTNER = "99999999-2222-4333-8444-555555555555"


def test_a_lif_of_the_partner_is_the_partners_to_serve(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        san(array)
        assert "np/10.10.2.1:3260" in array.dump()
        uuid = array.get("network/ip/interfaces?name=lif2")["records"][0]["uuid"]
        with writing(array.database) as session:
            session.execute(update(IpInterface).filter_by(uuid=uuid).values(node_uuid=PARTNER))
            endpoints = update(IpEndpoint).filter_by(interface_uuid=uuid)
            session.execute(endpoints.values(node_uuid=PARTNER))
        array.reconciler.verify_all()
        array.settle()
        assert "np/10.10.1.1:3260" in array.dump()
        assert "10.10.2.1" not in array.dump()


def test_a_turn_leaves_what_the_partner_saw(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        observation = {"kind": "storage/disks", "key": "of the partner", "node_uuid": PARTNER}
        with writing(array.database) as session:
            session.add(Observed(**observation, data={"size": 1}, error="broken"))
        san(array)
        array.reconciler.verify_all()
        array.settle()
        with reading(array.database) as session:
            rows = session.scalars(select(Observed).filter_by(node_uuid=PARTNER)).all()
            assert [(row.key, row.data, row.error) for row in rows] == [
                ("of the partner", {"size": 1}, "broken")
            ]
            nodes = set(session.scalars(select(Observed.node_uuid)))
            assert nodes == {NODE_UUID, PARTNER}


def test_a_database_that_knows_another_machine_is_not_obeyed(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        database = array.database
        sink = DatabaseSink(database)
        reconciler = Reconciler(array.kernel.host, database, store.path(), PARTNER, sink)
        with pytest.raises(WrongDatabase, match=f"knows no node {PARTNER}"):
            reconciler.run()


def test_an_aggregate_shows_its_owners_observations(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        pool(array)
        lun(array)
        aggregate = array.get("storage/aggregates")["records"][0]["uuid"]
        uuid = array.get("storage/luns")["records"][0]["uuid"]
        before = _records_and_faults(array)
        with writing(array.database) as session:
            for kind, key in (("storage/aggregates", aggregate), ("storage/luns", uuid)):
                row = {"kind": kind, "key": key, "node_uuid": PARTNER, "error": "broken"}
                session.add(Observed(**row, data={"state": "offline", "used": 1 << 40}))
        assert _records_and_faults(array) == before
        with writing(array.database) as session:
            session.execute(update(Aggregate).values(node_uuid=PARTNER))
            session.add(Node(uuid=PARTNER, number=2, name="array-02"))
        (record,) = array.get("storage/aggregates?fields=**")["records"]
        assert (record["state"], record["node"]["name"]) == ("offline", "array-02")
        assert record["home_node"]["name"] == "array-01"
        (record,) = array.get("storage/luns?fields=**")["records"]
        assert (record["status"]["state"], record["location"]["node"]["uuid"]) == (
            "offline",
            PARTNER,
        )


def test_a_job_ends_when_both_nodes_have_done_their_part(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        with writing(array.database) as session:
            session.add(Node(uuid=PARTNER, number=2, name="array-02"))
        job = array.call("POST", "svm/svms", {"name": "svm1"}).get_json()["job"]
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "running"
        with writing(array.database) as session:
            (row,) = jobs.waiting(session)
            assert {node for _owner, node in row.done} == {NODE_UUID}
            row.done = [*row.done, *([owner, PARTNER] for owner in row.touched)]
        array.settle()
        assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "success"


def test_a_change_that_fails_on_one_node_is_undone_on_both(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        pool(array)
        with writing(array.database) as session:
            session.add(Node(uuid=PARTNER, number=2, name="array-02"))
        array.kernel.fail_when(lambda step: "create_thin" in step, HostError("no room"))
        body = {"name": "/vol/vol1/lun1", "space": {"size": 1 << 30}, "os_type": "linux"}
        answer = array.call("POST", "storage/luns", body | {"svm": {"name": "svm1"}})
        assert answer.status_code >= 400
        assert array.get("storage/luns")["records"] == []
        with reading(array.database) as session:
            assert any(owner.startswith("storage/luns:") for owner in jobs.due(session, PARTNER))
            assert jobs.due(session, NODE_UUID) == set()


def _records_and_faults(array: Simulator) -> Any:
    """Return the records of aggregates, volumes and LUNs, and the faults."""
    paths = ("storage/aggregates", "storage/volumes", "storage/luns")
    lists = [array.get(f"{path}?fields=**&order_by=name")["records"] for path in paths]
    luns = array.get("storage/luns?fields=space.used&order_by=space.used")["records"]
    return lists, luns, array.get("cluster/overview")["faults"]
