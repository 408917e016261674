"""Two nodes on one database: each does its own part, and takes over from the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import GIB, HOST_IQN, MIB, svm
from simulator import Simulator
from sqlalchemy import select
from two_nodes import Pair, two_nodes

from fakes.thin_pool import ThinPool
from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError
from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import Observed
from sanstone.http import routes
from sanstone.kernel import names

OF_SVM = {"svm.name": "svm1"}


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """An array of two nodes, each with an aggregate, a LIF, a LUN and a namespace, served."""
    with two_nodes(tmp_path) as pair:
        svm(pair.first)
        pair.first.do("POST", "protocols/san/iscsi/services", OF_SVM)
        pair.first.do("POST", "protocols/nvme/services", OF_SVM)
        group = {"name": "group1", "os_type": "linux", "initiators": [{"name": HOST_IQN}]}
        pair.first.do("POST", "protocols/san/igroups", OF_SVM | group)
        subsystem = {"name": "sub1", "os_type": "linux"}
        pair.first.do("POST", "protocols/nvme/subsystems", OF_SVM | subsystem)
        for number, node in enumerate((pair.first, pair.second), 1):
            _provide(node, number)
        yield pair


def _provide(node: Simulator, number: int) -> None:
    """Have a node own and serve something; its things have its number."""
    primary = {"disk_count": 4, "raid_type": "raid_dp"}
    aggregate = {"name": f"aggr{number}", "block_storage": {"primary": primary}}
    node.do("POST", "storage/aggregates", aggregate)
    place = {"aggregates": [{"name": f"aggr{number}"}], "size": GIB}
    node.do("POST", "storage/volumes", OF_SVM | place | {"name": f"vol{number}"})
    interface = {
        "name": f"lif{number}",
        "ip": {"address": f"10.10.{number}.1", "netmask": "24"},
        "location.home_port.name": "e0a",
        "service_policy": "default-data-blocks",
    }
    node.do("POST", "network/ip/interfaces", OF_SVM | interface)
    sized = OF_SVM | {"os_type": "linux", "space.size": 64 * MIB}
    lun, namespace = f"/vol/vol{number}/lun", f"/vol/vol{number}/ns"
    node.do("POST", "storage/luns", sized | {"name": lun})
    map_ = {"lun.name": lun, "igroup.name": "group1"}
    node.do("POST", "protocols/san/lun-maps", OF_SVM | map_)
    node.do("POST", "storage/namespaces", sized | {"name": namespace})
    map_ = {"namespace.name": namespace, "subsystem.name": "sub1"}
    node.do("POST", "protocols/nvme/subsystem-maps", OF_SVM | map_)


def _exports(node: Simulator) -> set[str]:
    """Return the numbers of a machine's exports: LIFs, LUNs, namespaces, live aggregates."""
    dump, numbers = node.dump(), set()
    for number in "12":
        lun, namespace = (
            node.uuid_of(path, f"/vol/vol{number}/{name}")
            for path, name in (("storage/luns", "lun"), ("storage/namespaces", "ns"))
        )
        signs = (
            f"np/10.10.{number}.1:3260" in dump,
            f"addr_traddr = 10.10.{number}.1" in dump,
            f"{lun}/wwn/vpd_unit_serial" in dump,
            f"device_uuid = {namespace}" in dump,
            any(state.name.endswith(lun) for state in node.kernel.host.mapper.devices()),
        )
        assert len(set(signs)) == 1, (number, signs)
        numbers |= {number} if all(signs) else set()
    return numbers


def _identities(*nodes: Simulator) -> list[str]:
    """Return the identities of LUNs and namespaces, by the nodes that serve them."""
    words = ("vpd_unit_serial", "device_uuid", "device_nguid", "ana_grpid")
    lines = [line for node in nodes for line in node.dump().splitlines()]
    return sorted(line for line in lines if any(f"/{word} = " in line for word in words))


def _require_idle(pair: Pair) -> None:
    """Assert that nodes which look at everything find nothing to do."""
    before = [(each.dump(), len(each.kernel.interrupt.log)) for each in pair.running]
    for each in pair.running:
        each.reconciler.verify_all()
    pair.settle()
    for each, (dump, count) in zip(pair.running, before, strict=True):
        # Exports read their sizes anew, whether they grew or not.
        log = each.kernel.interrupt.log[count:]
        assert [step for step in log if "revalidate_size" not in step] == []
        assert each.dump() == dump


def test_each_does_its_own_and_neither_undoes_the_others(pair: Pair) -> None:
    assert (_exports(pair.first), _exports(pair.second)) == ({"1"}, {"2"})
    _require_idle(pair)
    assert _faults(pair) == set()
    states = pair.first.get("storage/aggregates?fields=state,node.name")["records"]
    assert [(row["state"], row["node"]["name"]) for row in states] == [
        ("online", "array-01"),
        ("online", "array-02"),
    ]


def test_hosts_learn_which_node_serves_a_namespace(pair: Pair) -> None:
    states = [
        sorted(
            line.rpartition("ana_groups/")[2]
            for line in node.dump().splitlines()
            if "/ana_state = " in line
        )
        for node in (pair.first, pair.second)
    ]
    assert states == [
        ["1/ana_state = optimized", "2/ana_state = inaccessible"],
        ["1/ana_state = inaccessible", "2/ana_state = optimized"],
    ]
    groups = {line.rpartition(" ")[2] for line in _identities(pair.second) if "ana_grpid" in line}
    assert groups == {"2"}


def test_a_job_waits_for_both(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "SYNCHRONOUS_WAIT", 0)
    pair.running.remove(pair.second)
    answer = pair.first.call("DELETE", f"storage/luns/{_lun(pair.first, 2)}{MAPPED}")
    job = f"cluster/jobs/{answer.get_json()['job']['uuid']}"
    assert pair.first.get(job)["state"] == "running"
    assert pair.second.kernel.host.mapper.devices()
    pair.running.append(pair.second)
    pair.settle()
    assert pair.first.get(job)["state"] == "success"
    assert _served_luns(pair.second) == 0
    assert _served_luns(pair.first) == 1


def test_snapshots_and_orders_are_the_owners(pair: Pair) -> None:
    pool = _pool(pair, 2)
    before = len(pair.first.kernel.interrupt.log)
    volume = pair.first.uuid_of("storage/volumes", "vol2")
    pair.first.do("POST", f"storage/volumes/{volume}/snapshots", {"name": "snap1"})
    assert len(pool.volumes) == 4
    pair.first.do("DELETE", f"storage/luns/{_lun(pair.first, 2)}{MAPPED}")
    assert len(pool.volumes) == 3
    changed = pair.first.kernel.interrupt.log[before:]
    assert not any(step.startswith(("dm ", "lvm", "mdadm")) for step in changed)
    _require_idle(pair)


def test_a_takeover_moves_all_and_a_giveback_brings_it_back(pair: Pair) -> None:
    before, identities = pair.first.dump(), _identities(pair.first, pair.second)
    pair.fail_over()
    assert _exports(pair.first) == {"1", "2"}
    assert _identities(pair.first) == identities
    assert _faults(pair) == set()
    _require_idle(pair)
    pair.come_back()
    pair.second.settle()
    assert not pair.second.kernel.host.mapper.devices()
    pair.settle()
    pair.settle()
    assert (_exports(pair.first), _exports(pair.second)) == ({"1"}, {"2"})
    assert _identities(pair.first, pair.second) == identities
    assert pair.first.dump() == before
    assert _faults(pair) == set()
    _require_idle(pair)


def test_changes_during_a_takeover_stay(pair: Pair) -> None:
    pair.fail_over()
    pair.first.do("DELETE", f"storage/luns/{_lun(pair.first, 2)}{MAPPED}")
    sized = OF_SVM | {"os_type": "linux", "space.size": 64 * MIB}
    pair.first.do("POST", "storage/luns", sized | {"name": "/vol/vol2/new"})
    pair.come_back()
    pair.settle()
    pair.settle()
    assert len(_pool(pair, 2).volumes) == 2
    assert _faults(pair) == set()
    _require_idle(pair)


def test_an_aggregate_that_cannot_be_released_is_started_nowhere_else(pair: Pair) -> None:
    pair.fail_over()
    pair.first.tasks_run = False
    pair.come_back()
    pair.settle()
    assert not pair.second.kernel.host.mapper.devices()
    assert 'Aggregate "aggr2": the other node still releases it' in _faults(pair)
    pair.first.tasks_run = True
    pair.settle()
    pair.settle()
    assert (_exports(pair.first), _exports(pair.second)) == ({"1"}, {"2"})
    _require_idle(pair)


def test_nothing_is_given_back_on_which_the_node_is_at_work(pair: Pair) -> None:
    pair.fail_over()
    with writing(pair.first.database) as session:
        owner = f"storage/aggregates:{pair.first.uuid_of('storage/aggregates', 'aggr2')}"
        values = {"kind": "pool.create", "message": "The pool is grown"}
        session.add(LongJob(owner=owner, node_uuid=pair.first.node_uuid, **values))
    with pytest.raises(ApiError, match="is at work on what is to be given back: The pool is grown"):
        pair.give_back()


def test_observations_of_an_earlier_term_are_not_recorded(pair: Pair) -> None:
    def take_over() -> None:
        pair.first.progress = lambda: None
        pair.take_over()

    pair.first.progress = take_over
    pair.first.settle()
    pair.settle()
    assert _exports(pair.first) == {"1", "2"}
    assert _faults(pair) == set()


MAPPED = "?allow_delete_while_mapped=true"


def _faults(pair: Pair) -> set[str]:
    """Return the faults of both nodes."""
    with reading(pair.first.database) as session:
        return set(session.scalars(select(Observed.error).where(Observed.error != "")))


def _lun(node: Simulator, number: int) -> str:
    return node.uuid_of("storage/luns", f"/vol/vol{number}/lun")


def _pool(pair: Pair, number: int) -> ThinPool:
    """Return the content of an aggregate's disks."""
    uuid = pair.first.uuid_of("storage/aggregates", f"aggr{number}")
    pool = pair.first.kernel.storage.groups.groups[names.volume_group(uuid)].pool
    assert pool
    return pool


def _served_luns(node: Simulator) -> int:
    return node.dump().count("/wwn/vpd_unit_serial = ")
