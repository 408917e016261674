"""SANSTONE-MIB compiles, and the array's objects are those of the MIB and no others."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scenarios import fabric
from simulator import Simulator
from snmp_agent import MIBS
from standing_clock import Clock

from sanstone.core.database.store import reading
from sanstone.kernel.snmp.agentx import Oid, Range
from sanstone.reconcile.snmp_objects import EVENT, MODULE, OF_EVENT, Snapshot
from sanstone.reconcile.tasks.snmp_subagent import FRESH, CurrentObjects

MODULE_FILE = MIBS / "SANSTONE-MIB.txt"
IMPORTED = Path(__file__).with_name("mibs")
NAME: Oid = (*MODULE, 1, 1, 1, 0)


def run(*command: str) -> str:
    """Return the output of a program of smitools, which finds the modules that ours imports."""
    env = {**os.environ, "SMIPATH": str(IMPORTED)}
    process = subprocess.run(
        [*command, str(MODULE_FILE)], env=env, capture_output=True, text=True, check=True
    )
    return process.stdout + process.stderr


def declared(*kinds: str) -> set[Oid]:
    """Return the identifiers of the module's nodes of some kinds."""
    lines = [line.split() for line in run("smidump", "-f", "identifiers").splitlines()]
    nodes = [line for line in lines if len(line) == 4 and line[2] in kinds]
    return {tuple(map(int, oid.split("."))) for _, _, _, oid in nodes}


def object_names(snapshot: Snapshot) -> list[Oid]:
    """Return the names of all objects, by a walk."""
    names: list[Oid] = []
    place = Range(MODULE, included=True, end=())
    while item := snapshot.after(place):
        names.append(item.name)
        place = Range(item.name, included=False, end=())
    return names


def test_the_module_compiles() -> None:
    assert run("smilint", "-l", "3") == ""


def test_objects_are_those_of_the_mib(array: Simulator) -> None:
    fabric(array)
    array.read_disks()
    with reading(array.database) as session:
        names = object_names(Snapshot(session))
    assert names == sorted(names)
    scalars = {name[:-1] for name in names if name[-1] == 0 and name[len(MODULE) + 1] == 1}
    of_events = {oid for oid in declared("scalar") if oid[: len(OF_EVENT)] == OF_EVENT}
    assert scalars == declared("scalar") - of_events
    columns = {name[: len(MODULE) + 4] for name in names if name[len(MODULE) + 1] > 1}
    indices = {oid for oid in declared("column") if oid[-1] == 1}
    assert columns <= declared("column") - indices
    assert {oid[: len(MODULE) + 2] for oid in columns} == {(*MODULE, 1, n) for n in range(2, 6)}
    assert declared("notification") == {EVENT}


def test_readings_are_cached_for_some_seconds(array: Simulator, clock: Clock) -> None:
    objects = CurrentObjects(array.database)
    assert objects.get(NAME).content == b"array"
    array.do("PATCH", "cluster", {"name": "renamed"})
    clock.now += FRESH - 1
    assert objects.get(NAME).content == b"array"
    clock.now += 1
    assert objects.get(NAME).content == b"renamed"
