"""The access state of a node's paths, as hosts see it by ANA and ALUA."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenarios import chain, igroup, iscsi, lifs, lun, lun_map, namespace, nvme, pool, subsystem
from scenarios import subsystem_map as map_namespace
from simulator import NODE_UUID, Simulator, simulated

from sanstone.core.database import store
from sanstone.kernel.target.access import AccessState
from sanstone.model.nodes import Node
from sanstone.reconcile import access

PROVISIONED = chain(
    *(pool, lifs, iscsi, lun, igroup, lun_map),
    *(nvme, namespace, subsystem, map_namespace),
)
ANA = "ana_groups/1/ana_state"
ALUA = "alua/default_tg_pt_gp/alua_access_state"


@pytest.mark.parametrize("state", AccessState, ids=lambda state: state.ana)
def test_all_paths_of_a_node_are_in_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: AccessState
) -> None:
    with simulated(tmp_path) as array:
        PROVISIONED(array)
        monkeypatch.setattr(access, "_of_node", lambda _node: state)
        array.reconciler.verify_all()
        array.settle()
        lines = array.dump().splitlines()
    assert {line.partition(" = ")[2] for line in lines if f"/{ANA} = " in line} == {state.ana}
    assert {line.partition(" = ")[2] for line in lines if f"/{ALUA} = " in line} == {state.alua}


def test_the_controllers_of_two_nodes_have_ids_apart(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        PROVISIONED(array)
        assert _controllers(array) == {("1", "65519")}
        with store.writing(array.database) as session:
            session.add(Node(number=2, name="array-02"))
        array.reconciler.verify_all()
        array.settle()
        assert _controllers(array) == {("1", "32759")}
        with store.writing(array.database) as session:
            session.get_one(Node, NODE_UUID).number = 3
        array.reconciler.verify_all()
        array.settle()
        assert _controllers(array) == {("32760", "65518")}


def test_the_luns_of_each_node_are_in_a_target_port_group_of_their_own(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        PROVISIONED(array)
        with store.writing(array.database) as session:
            session.get_one(Node, NODE_UUID).number = 2
        array.reconciler.verify_all()
        array.settle()
        lines = array.dump().splitlines()
        assert any(line.endswith("/alua/group1/tg_pt_gp_id = 1") for line in lines)
        before = array.dump()
        array.reconciler.verify_all()
        array.settle()
        assert array.dump() == before


def _controllers(array: Simulator) -> set[tuple[str, str]]:
    """Return the lowest and highest id of controllers of each subsystem."""
    lines = [line.partition(" = ") for line in array.dump().splitlines() if "/attr_cntlid_" in line]
    values = {path: value for path, _, value in lines}
    lowest = [path for path in values if path.endswith("min")]
    return {(values[path], values[path.replace("_min", "_max")]) for path in lowest}


def test_a_foreign_change_of_the_state_is_undone(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        PROVISIONED(array)
        before = array.dump()
        for line in before.splitlines():
            path, _, value = line.partition(" = ")
            if path.endswith((ANA, ALUA)):
                other = "2" if value == "0" else "inaccessible"
                array.kernel.host.files.write(path, other)
        array.reconciler.verify_all()
        array.settle()
        assert array.dump() == before
