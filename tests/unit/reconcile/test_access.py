"""The access state of a node's paths, as hosts see it by ANA and ALUA."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenarios import chain, igroup, iscsi, lifs, lun, lun_map, namespace, nvme, pool, subsystem
from scenarios import subsystem_map as map_namespace
from simulator import NODE_UUID, Simulator, simulated
from sqlalchemy import select

from sanstone.core.database import store
from sanstone.kernel.target.access import AccessState
from sanstone.model.aggregates import Aggregate
from sanstone.model.nodes import Node

PROVISIONED = chain(
    *(pool, lifs, iscsi, lun, igroup, lun_map),
    *(nvme, namespace, subsystem, map_namespace),
)
PARTNER = "99999999-2222-4333-8444-555555555555"
ANA = "ana_groups/1/ana_state"
ALUA = "alua/default_tg_pt_gp/alua_access_state"


@pytest.mark.parametrize(
    ("owner", "state"),
    [(NODE_UUID, AccessState.OPTIMIZED), (PARTNER, AccessState.INACCESSIBLE)],
    ids=["its own", "its partner's"],
)
def test_paths_are_optimized_at_the_owner_alone(
    tmp_path: Path, owner: str, state: AccessState
) -> None:
    with simulated(tmp_path) as array:
        PROVISIONED(array)
        with store.writing(array.database) as session:
            session.add(Node(uuid=PARTNER, number=2, name="array-02"))
            session.scalars(select(Aggregate)).one().node_uuid = owner
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
