"""Numbers after a return to a configuration that is older than objects made with a newer one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from scenarios import GIB, MIB, lun, svm, volume
from scenarios import aggregate as aggregate_of_six
from simulator import Simulator, Snapshot, simulated

from sanstone.core.database import counters, store
from sanstone.kernel import names
from sanstone.reconcile.tasks import configuration


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with one LUN, which a host has written to."""
    with simulated(tmp_path) as simulator:
        for step in (aggregate_of_six, svm, volume, lun):
            step(simulator)
        simulator.settle()
        yield simulator


def go_back(array: Simulator, copy: configuration.Copy) -> None:
    """Let the array begin anew with a copy of its configuration, on the same disks."""
    older = array.folder / "older"
    older.mkdir()
    (older / "sanstone.db").write_bytes(counters.advanced(copy.database))
    array.load(Snapshot(array.kernel, older, array.numbers.next))
    array.settle()


def pool(array: Simulator) -> set[int]:
    """Return the numbers of the volumes in the array's one pool."""
    [aggregate] = array.get("storage/aggregates")["records"]
    thin_pool = array.kernel.mapper.pool(names.pool_device(aggregate["uuid"]))
    assert thin_pool is not None
    return set(thin_pool.volumes)


def test_a_new_lun_never_shows_what_was_written_to_a_forgotten_one(array: Simulator) -> None:
    copy = configuration.snapshot(store.path())
    body = {"svm.name": "svm1", "os_type": "linux", "space.size": 64 * MIB}
    array.do("POST", "storage/luns", body | {"name": "/vol/vol1/forgotten"})
    before = pool(array)
    go_back(array, copy)
    array.do("POST", "storage/luns", body | {"name": "/vol/vol1/new"})
    assert len(pool(array) - before) == 1


def test_a_client_reads_everything_after_an_older_configuration(array: Simulator) -> None:
    copy = configuration.snapshot(store.path())
    array.do("POST", "svm/svms", {"name": "forgotten"})
    counter = array.get("cluster/changes")["counter"]
    go_back(array, copy)
    answer = array.get(f"cluster/changes?after={counter}")
    assert answer["reset"] and answer["records"] == []
    array.do("POST", "svm/svms", {"name": "new"})
    records = array.get(f"cluster/changes?after={answer['counter']}")["records"]
    assert "svm/svms" in {record["kind"] for record in records}
    assert array.get(f"cluster/changes?after={counter}")["reset"]


def test_a_new_svm_never_has_the_number_of_a_forgotten_one(array: Simulator) -> None:
    copy = configuration.snapshot(store.path())
    array.do("POST", "svm/svms", {"name": "forgotten"})
    array.do("POST", "protocols/san/iscsi/services", {"svm.name": "forgotten"})
    forgotten = array.get("protocols/san/iscsi/services?fields=target")["records"][0]["target"]
    go_back(array, copy)
    array.do("POST", "svm/svms", {"name": "new"})
    array.do("POST", "protocols/san/iscsi/services", {"svm.name": "new"})
    new = array.get("protocols/san/iscsi/services?fields=target")["records"][0]["target"]
    assert new["name"] != forgotten["name"]


def test_a_restored_configuration_is_newer_than_all_copies(array: Simulator) -> None:
    copy = configuration.snapshot(store.path())
    body = {"svm.name": "svm1", "aggregates": [{"name": "aggr1"}], "size": GIB}
    array.do("POST", "storage/volumes", body | {"name": "forgotten"})
    newest = configuration.snapshot(store.path())
    go_back(array, copy)
    assert configuration.snapshot(store.path()).age > newest.age > copy.age


def test_a_copy_of_an_older_release_keeps_what_it_has(array: Simulator) -> None:
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.execute("CREATE TABLE aggregate (name TEXT)")
        memory.execute("CREATE TABLE job (id INTEGER PRIMARY KEY AUTOINCREMENT)")
        memory.execute("INSERT INTO aggregate VALUES ('aggr1')")
        content = counters.advanced(memory.serialize())
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.deserialize(content)
        assert memory.execute("SELECT name FROM aggregate").fetchall() == [("aggr1",)]
