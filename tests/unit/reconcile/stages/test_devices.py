"""Thin devices in the machine."""

from __future__ import annotations

import pytest
from scenarios import MIB, aggregate, chain, convert_lun, fabric, lun, san, svm, volume
from simulator import Simulator

from fakes.backstores import Backstore
from fakes.files import Text
from fakes.thin_pool import ThinPool
from sanstone.core.database.change import Removal
from sanstone.core.database.store import reading
from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import Observed
from sanstone.http import routes
from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.target import reservations
from sanstone.reconcile.stages import devices
from sanstone.reconcile.stages.pools import PoolsMemory

TO_NAMESPACE = {"svm.name": "svm1", "convert.lun.name": "/vol/vol1/lun1"}


def test_the_reservations_of_a_lun_go_with_it(array: Simulator) -> None:
    san(array)
    lun1 = array.get("storage/luns?fields=serial_number")["records"][0]
    saved = f"{reservations.DATABASE}/pr/aptpl_{lun1['serial_number']}"
    other = f"{reservations.DATABASE}/pr/aptpl_another"
    for path in (saved, other):
        array.kernel.files.place(path, Text("PR_REG_START: 0\n"))
    array.settle()
    assert array.kernel.host.files.exists(saved)
    array.do("DELETE", f"storage/luns/{lun1['uuid']}?allow_delete_while_mapped=true")
    assert not array.kernel.host.files.exists(saved)
    assert array.kernel.host.files.exists(other)


def saved_reservations(array: Simulator) -> str:
    """Have saved reservations of the only LUN, and return the path of their file."""
    [lun] = array.get("storage/luns?fields=serial_number")["records"]
    saved = f"{reservations.DATABASE}/pr/aptpl_{lun['serial_number']}"
    array.kernel.files.place(saved, Text("PR_REG_START: 0\n"))
    return saved


def test_a_conversion_leaves_the_device_alone(array: Simulator) -> None:
    chain(fabric, lun)(array)
    saved, steps = saved_reservations(array), len(array.kernel.interrupt.log)
    convert_lun(array)
    array.settle()
    assert array.kernel.interrupt.log[steps:] == [f"unlink {saved}"]
    assert not array.get("storage/luns")["records"]


def test_observations_of_a_lun_go_over_to_its_namespace(array: Simulator) -> None:
    chain(fabric, lun)(array)
    fill(array)
    array.settle()
    [before] = array.get("storage/luns?fields=space.used")["records"]
    convert_lun(array)
    place = f"storage/namespaces/{before['uuid']}?fields=space.used,status.state"
    after = array.get(place)
    assert after["space"]["used"] == before["space"]["used"] > 0
    with reading(array.database) as session:
        rows = session.query(Observed).filter_by(key=before["uuid"])
        assert [row.kind for row in rows] == ["storage/namespaces"]


def test_a_thin_volume_that_is_missing_is_no_empty_namespace(array: Simulator) -> None:
    chain(fabric, lun)(array)
    [uuid] = [record["uuid"] for record in array.get("storage/luns")["records"]]
    [pool] = [
        array.kernel.mapper.pool(names.pool_device(a))
        for a in array.reconciler.memory.of(PoolsMemory).groups
    ]
    assert pool is not None
    [table] = array.kernel.mapper.table(names.device(uuid))
    array.kernel.mapper.suspend(names.device(uuid))
    array.kernel.mapper.remove(names.device(uuid))
    del pool.volumes[int(table.arguments.split()[1])]
    array.start()
    array.call("POST", "storage/namespaces", TO_NAMESPACE)
    array.settle()
    assert int(table.arguments.split()[1]) not in pool.volumes


def test_a_failed_conversion_keeps_the_reservations(array: Simulator) -> None:
    chain(fabric, lun)(array)
    saved = saved_reservations(array)
    [uuid] = [record["uuid"] for record in array.get("storage/luns")["records"]]
    array.kernel.mapper.remove(names.device(uuid))
    array.start()
    array.kernel.fail_when(lambda step: step.startswith("dm "), HostError("refused"))
    response = array.call("POST", "storage/namespaces", TO_NAMESPACE)
    assert response.status_code == 500
    array.kernel.interrupt.clear()
    array.settle()
    assert array.kernel.host.files.exists(saved)
    assert [record["uuid"] for record in array.get("storage/luns")["records"]] == [uuid]
    assert names.device(uuid) in array.dump()


def test_the_use_of_many_devices_is_read_in_turns(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "SMALLEST_SHARD", 2)
    aggregate(array)
    svm(array)
    volume(array)
    body = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    for number in range(3):
        array.do("POST", "storage/luns", body | {"name": f"/vol/vol1/lun{number}"})
    monkeypatch.setattr(over_thin, "used", lambda _host, _uuid: MIB)
    for _ in range(2):
        array.settle()
    records = array.get("storage/luns?fields=space.used")["records"]
    assert [record["space"]["used"] for record in records] == [MIB] * 3


def test_hosts_see_the_size_of_a_grown_lun(array: Simulator) -> None:
    san(array)
    lun1 = array.get("storage/luns?fields=serial_number,space.size")["records"][0]
    hba = array.kernel.configfs.lio.core.children[f"iblock_{int(lun1['serial_number'], 16)}"]
    backstore = hba.children[lun1["uuid"]]
    assert isinstance(backstore, Backstore)
    before = backstore.notified_size
    array.do("PATCH", f"storage/luns/{lun1['uuid']}", {"space.size": 2 * lun1["space"]["size"]})
    assert backstore.notified_size == 2 * before


def fill(array: Simulator) -> ThinPool:
    """Let hosts write over all LUNs; return the pool."""
    [uuid] = array.reconciler.memory.of(PoolsMemory).groups
    pool = array.kernel.mapper.pool(names.pool_device(uuid))
    assert pool is not None
    for thin_id in pool.volumes:
        pool.write(thin_id, 64 * MIB)
    return pool


def two_luns(array: Simulator) -> list[str]:
    """Make two LUNs that are full, and return their UUIDs."""
    for prepare in (aggregate, svm, volume):
        prepare(array)
    body = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    for number in range(2):
        array.do("POST", "storage/luns", body | {"name": f"/vol/vol1/lun{number}"})
    fill(array)
    return [record["uuid"] for record in array.get("storage/luns")["records"]]


def test_a_large_lun_is_destroyed_beside_the_turns(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "DELETED_AT_ONCE", MIB)
    monkeypatch.setattr(routes, "SYNCHRONOUS_WAIT", 0)
    luns = two_luns(array)
    pool = fill(array)
    array.tasks_run = False
    for uuid in luns:
        array.call("DELETE", f"storage/luns/{uuid}")
    array.do("POST", "svm/svms", {"name": "svm2"})
    jobs = array.get("cluster/jobs?state=running&fields=message")["records"]
    assert [job["message"] for job in jobs] == ["The data are destroyed"] * 2
    started = []
    while unit := array.kernel.services.take("sanstone-task@"):
        started.append(unit)
    assert len(started) == 1, "in each pool one after the other"
    assert len(pool.volumes) == 2
    array.tasks_run = True
    array.settle()
    assert pool.volumes == {}
    assert array.get("cluster/jobs?state=running")["num_records"] == 0
    with reading(array.database) as session:
        assert session.query(LongJob).count() == session.query(Removal).count() == 0


def test_a_small_lun_is_destroyed_at_once(array: Simulator) -> None:
    small, _ = two_luns(array)
    pool = fill(array)
    array.tasks_run = False
    array.do("DELETE", f"storage/luns/{small}")
    assert len(pool.volumes) == 1


def test_an_aggregate_waits_for_what_is_being_destroyed_in_it(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "DELETED_AT_ONCE", MIB)
    monkeypatch.setattr(routes, "SYNCHRONOUS_WAIT", 0)
    luns = two_luns(array)
    array.tasks_run = False
    for uuid in luns:
        array.call("DELETE", f"storage/luns/{uuid}")
    [vol1] = array.get("storage/volumes")["records"]
    array.do("DELETE", f"storage/volumes/{vol1['uuid']}")
    [aggr1] = array.get("storage/aggregates")["records"]
    array.call("DELETE", f"storage/aggregates/{aggr1['uuid']}")
    array.settle()
    assert array.get("storage/disks?fields=name")["num_records"] > 0, "the API answers meanwhile"
    assert len(fill(array).volumes) == 2
    array.tasks_run = True
    array.settle()
    assert array.get("cluster/jobs?state=!success")["num_records"] == 0
    assert array.reconciler.memory.of(PoolsMemory).groups == {}
