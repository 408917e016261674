"""Two nodes on one database: each does its own part, and takes over from the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import MIB
from simulator import Simulator
from sqlalchemy import select
from two_nodes import OF_SVM, Pair, two_serving_nodes

from fakes.thin_pool import ThinPool
from sanstone.core.database.store import reading, writing
from sanstone.core.errors import ApiError
from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import Observed
from sanstone.http import routes
from sanstone.kernel import names
from sanstone.kernel.host import CommandError
from sanstone.reconcile.stages import pools


@pytest.fixture(params=["database", "peer"])
def pair(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pair]:
    """An array of two nodes that serve hosts, each with a database to write in; or the second one
    hands all on to the first.
    """
    with two_serving_nodes(tmp_path) as pair:
        if request.param == "peer":
            pair.have_second_report()
        yield pair


def _exports(node: Simulator) -> set[str]:
    """Return the numbers of what a machine serves: LIFs, LUNs, namespaces, live aggregates.

    All else stands by: hosts find it, and know that paths to it are inaccessible here.
    """
    dump, numbers = node.dump(), set()
    for number in "12":
        lun, namespace = _uuids(node, number)
        assert f"{lun}/wwn/vpd_unit_serial" in dump
        assert f"device_uuid = {namespace}" in dump
        signs = (
            f"np/10.10.{number}.1:3260" in dump,
            f"addr_traddr = 10.10.{number}.1" in dump,
            _state_of_lun(node, lun) == OPTIMIZED,
            f"ana_groups/{number}/ana_state = optimized" in dump,
            *(_table(node, uuid) == "thin" for uuid in (lun, namespace)),
        )
        assert len(set(signs)) == 1, (number, signs)
        numbers |= {number} if all(signs) else set()
    return numbers


OPTIMIZED, STANDBY = "0", "2"
"""Of ALUA (ALUA_ACCESS_STATE_* in drivers/target/target_core_alua.h)."""


def _uuids(node: Simulator, number: str) -> tuple[str, str]:
    """Return the UUIDs of the LUN and the namespace of a number."""
    return (
        node.uuid_of("storage/luns", f"/vol/vol{number}/lun"),
        node.uuid_of("storage/namespaces", f"/vol/vol{number}/ns"),
    )


def _export_uuids(pair: Pair) -> list[str]:
    """Return the UUIDs of all LUNs and namespaces."""
    return [uuid for number in "12" for uuid in _uuids(pair.first, number)]


def _state_of_lun(node: Simulator, uuid: str) -> str:
    """Return the access state that a machine reports of its paths to a LUN."""
    [state] = set(re.findall(rf"{uuid}/alua/[^/]*/alua_access_state = (.)", node.dump()))
    return str(state)


def _table(node: Simulator, uuid: str) -> str:
    """Return the kind of target behind the exported device of a LUN or namespace."""
    state = node.kernel.host.mapper.state(names.device(uuid))
    return state.table[0].kind if state else ""


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
    for node in (pair.first, pair.second):
        groups = [line.rpartition("/")[2] for line in _identities(node) if "ana_grpid" in line]
        assert groups == ["ana_grpid = 1", "ana_grpid = 2"]


def test_what_the_partner_owns_stands_by(pair: Pair) -> None:
    for node, other in ((pair.first, "2"), (pair.second, "1")):
        lun, namespace = _uuids(node, other)
        assert _table(node, lun) == _table(node, namespace) == "error"
        assert _state_of_lun(node, lun) == STANDBY
        assert f"ana_groups/{other}/ana_state = inaccessible" in node.dump()
        with reading(node.database) as session:
            observers = select(Observed.node_uuid).where(Observed.key.in_((lun, namespace)))
            assert node.node_uuid not in session.scalars(observers).all()


def test_what_stands_by_follows_its_object(pair: Pair) -> None:
    lun, namespace = _uuids(pair.first, "2")
    pair.second.do("PATCH", f"storage/luns/{lun}", {"space.size": 96 * MIB})
    state = pair.first.kernel.host.mapper.state(names.device(lun))
    assert state and state.table[0].length * 512 == 96 * MIB
    pair.second.do("DELETE", f"storage/namespaces/{namespace}{MAPPED}")
    assert _table(pair.first, namespace) == ""
    _require_idle(pair)


def test_no_optimized_path_ever_leads_to_an_error(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = {number: _uuids(pair.first, number) for number in "12"}

    def look() -> None:
        dump = pair.first.dump()
        for number, (lun, namespace) in exported.items():
            if _table(pair.first, lun) != "thin":
                assert _state_of_lun(pair.first, lun) == STANDBY
            if _table(pair.first, namespace) != "thin":
                assert f"ana_groups/{number}/ana_state = optimized" not in dump

    pair.take_over()
    monkeypatch.setattr(pools, "CHECKED_AT_ONCE", -1)
    pair.first.tasks_run = False
    pair.first.kernel.interrupt.at_each_point = look
    pair.settle()
    # The pool is checked: hosts wait, and lose nothing that they know.
    assert {_table(pair.first, uuid) for uuid in exported["2"]} == {"error"}
    assert f"device_uuid = {exported['2'][1]}" in pair.first.dump()
    look()
    pair.first.tasks_run = True
    pair.settle()
    assert _exports(pair.first) == {"1", "2"}
    pair.come_back()
    pair.settle()
    pair.settle()
    assert _exports(pair.first) == {"1"}


def test_hosts_wait_for_what_cannot_be_taken_over_and_lose_nothing_else(pair: Pair) -> None:
    group = names.volume_group(pair.first.uuid_of("storage/aggregates", "aggr2"))
    lun, namespace = _uuids(pair.first, "2")
    pair.take_over()
    pair.first.kernel.interrupt.fail_when(
        lambda step: step.startswith(("lv", "vg")) and group in step,
        CommandError(["vgchange"], 5, "cannot be activated"),
    )
    pair.settle()
    assert _table(pair.first, lun) == _table(pair.first, namespace) == "error"
    assert _state_of_lun(pair.first, lun) == STANDBY
    assert f"device_uuid = {namespace}" not in pair.first.dump()
    own, _ = _uuids(pair.first, "1")
    assert _state_of_lun(pair.first, own) == OPTIMIZED
    assert "ana_groups/1/ana_state = optimized" in pair.first.dump()
    pair.first.kernel.interrupt.clear()
    pair.settle()
    assert _exports(pair.first) == {"1", "2"}


def test_a_node_that_starts_again_stands_by_until_the_giveback(pair: Pair) -> None:
    pair.fail_over()
    pair.second.reboot()
    pair.running.append(pair.second)
    pair.settle()
    assert {_table(pair.second, uuid) for uuid in _export_uuids(pair)} == {"error"}
    assert {_state_of_lun(pair.second, _lun(pair.first, n)) for n in (1, 2)} == {STANDBY}
    pair.give_back()
    pair.settle()
    pair.settle()
    assert (_exports(pair.first), _exports(pair.second)) == ({"1"}, {"2"})
    _require_idle(pair)


def test_a_job_waits_for_both(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "SYNCHRONOUS_WAIT", 0)
    pair.running.remove(pair.second)
    lun = _lun(pair.first, 2)
    answer = pair.first.call("DELETE", f"storage/luns/{lun}{MAPPED}")
    job = f"cluster/jobs/{answer.get_json()['job']['uuid']}"
    assert pair.first.get(job)["state"] == "running"
    assert _table(pair.second, lun) == "thin"
    pair.running.append(pair.second)
    pair.settle()
    assert pair.first.get(job)["state"] == "success"
    assert _served_luns(pair.second) == _served_luns(pair.first) == 1


def test_snapshots_and_orders_are_the_owners(pair: Pair) -> None:
    pool = _pool(pair, 2)
    before = len(pair.first.kernel.interrupt.log)
    volume = pair.first.uuid_of("storage/volumes", "vol2")
    pair.first.do("POST", f"storage/volumes/{volume}/snapshots", {"name": "snap1"})
    assert len(pool.volumes) == 4
    lun = _lun(pair.first, 2)
    pair.first.do("DELETE", f"storage/luns/{lun}{MAPPED}")
    assert len(pool.volumes) == 3
    changed = pair.first.kernel.interrupt.log[before:]
    of_storage = [step for step in changed if step.startswith(("dm ", "lvm", "mdadm"))]
    assert of_storage == [f"dm remove {names.device(lun)}"]
    _require_idle(pair)


def test_a_takeover_moves_all_and_a_giveback_brings_it_back(pair: Pair) -> None:
    before, known = pair.first.dump(), _identities(pair.first)
    assert _identities(pair.second) == known
    pair.fail_over()
    assert _exports(pair.first) == {"1", "2"}
    assert _identities(pair.first) == known
    assert _faults(pair) == set()
    _require_idle(pair)
    pair.come_back()
    pair.second.settle()
    assert {_table(pair.second, uuid) for uuid in _export_uuids(pair)} <= {"error", ""}
    pair.settle()
    pair.settle()
    assert (_exports(pair.first), _exports(pair.second)) == ({"1"}, {"2"})
    assert _identities(pair.first) == _identities(pair.second) == known
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
    assert {_table(pair.second, uuid) for uuid in _export_uuids(pair)} <= {"error", ""}
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
    with pytest.raises(ApiError, match="still works on objects to give back: The pool is grown"):
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
