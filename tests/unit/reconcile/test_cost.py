"""A change costs as much as the objects it touches, whatever else the array has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scenarios import HOST_IQN, HOST_NQN, MIB, aggregate, chain, iscsi, lifs, nvme, svm, volume
from simulator import Simulator, simulated
from sqlalchemy import event

from sanstone.kernel.host import Host
from sanstone.reconcile import turn

FABRIC = chain(aggregate, svm, lifs, volume, iscsi, nvme)
OF_SVM = {"svm.name": "svm1"}
SIZED = OF_SVM | {"os_type": "linux", "space.size": 64 * MIB}


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array on which LUNs and namespaces can be mapped."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        FABRIC(simulator)
        of_linux = OF_SVM | {"os_type": "linux"}
        simulator.do(
            "POST", "protocols/san/igroups", of_linux | {"name": "ig1", "initiators": [HOST_IQN]}
        )
        simulator.do(
            "POST", "protocols/nvme/subsystems", of_linux | {"name": "sub1", "hosts": [HOST_NQN]}
        )
        yield simulator


def add(array: Simulator, number: int) -> None:
    """Add a LUN and a namespace, and map them."""
    lun = f"/vol/vol1/lun{number}"
    array.do("POST", "storage/luns", SIZED | {"name": lun})
    array.do("POST", "protocols/san/lun-maps", OF_SVM | {"lun.name": lun, "igroup.name": "ig1"})
    namespace = f"/vol/vol1/ns{number}"
    array.do("POST", "storage/namespaces", SIZED | {"name": namespace})
    body = OF_SVM | {"namespace.name": namespace, "subsystem.name": "sub1"}
    array.do("POST", "protocols/nvme/subsystem-maps", body)


def change(array: Simulator, number: int) -> None:
    """Grow, rename, unmap and delete a LUN and a namespace."""
    for path, name in (("storage/luns", f"lun{number}"), ("storage/namespaces", f"ns{number}")):
        uuid = array.get(f"{path}?name=/vol/vol1/{name}")["records"][0]["uuid"]
        array.do("PATCH", f"{path}/{uuid}", {"space.size": 96 * MIB})
        array.do("PATCH", f"{path}/{uuid}", {"name": f"/vol/vol1/renamed{number}"})
        array.do("DELETE", f"{path}/{uuid}?allow_delete_while_mapped=true")


class Counted:
    """Counts the calls of one of a host's doors."""

    def __init__(self, door: Any, calls: Counter[str]) -> None:
        self._door, self._calls = door, calls

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._door, name)

        def call(*arguments: Any, **options: Any) -> Any:
            self._calls[f"{type(self._door).__name__}.{name}"] += 1
            return method(*arguments, **options)

        return call


@contextmanager
def counted(array: Simulator) -> Iterator[Counter[str]]:
    """Count the reconciler's calls of the machine and statements to the database."""
    calls = Counter[str]()
    host = array.reconciler.host
    doors = {door.name: Counted(getattr(host, door.name), calls) for door in fields(host)}
    array.reconciler.host = Host(**doors)

    def note(*arguments: Any) -> None:
        calls["statements"] += 1

    event.listen(array.database, "before_cursor_execute", note)
    yield calls
    event.remove(array.database, "before_cursor_execute", note)
    array.reconciler.host = host


def test_a_change_costs_the_same_whatever_else_there_is(array: Simulator) -> None:
    costs: list[Counter[str]] = []
    for number in (0, 1, 12):
        for other in range(len(costs) * 3, number):
            add(array, 100 + other)
        with counted(array) as calls:
            add(array, number)
            change(array, number)
        costs.append(calls)
    assert costs[1] == costs[2]
    assert costs[0].total() <= costs[1].total() * 1.3


def test_a_turn_verifies_a_shard_and_a_round_all(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanstone.reconcile.stages.devices.SMALLEST_SHARD", 2)
    for number in range(6):
        add(array, number)
    array.settle()
    files = array.kernel.host.files
    whole = array.kernel.configfs.dump()
    settings = [line for line in whole.splitlines() if "/attrib/emulate_tpu = " in line]
    assert len(settings) == 6
    for line in settings:
        path, _, value = line.partition(" = ")
        files.write(path, "0" if value == "1" else "1")
    array.settle()
    assert array.kernel.configfs.dump() != whole
    for _ in range(int(turn.VERIFIED / turn.PERIOD)):
        array.settle()
    assert array.kernel.configfs.dump() == whole
