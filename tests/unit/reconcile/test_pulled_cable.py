"""A cable is pulled at any step of a change: it succeeds, and a cable that is back is served by.

Each LIF is where it is desired whether its port has a link or not, so that hosts come back by
themselves.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import SCENARIOS, Scenario
from simulator import Simulator, simulated

PORT = "e0a"
NAMES = ("create LIF", "move LIF", "map LUN", "map namespace")
CHOSEN = [scenario for scenario in SCENARIOS if scenario.name in NAMES]


@pytest.fixture
def array(tmp_path: Path, scenario: Scenario) -> Iterator[Simulator]:
    """An array where the scenario begins."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder, scenario.before) as simulator:
        yield simulator


def pull_at(array: Simulator, point: int) -> None:
    """Have the cable pulled before or after one of the following steps."""
    points = iter(range(point + 1))

    def pull() -> None:
        if next(points, -1) == point:
            array.kernel.network.plug(PORT, connected=False)

    array.kernel.interrupt.at_each_point = pull


@pytest.mark.parametrize("scenario", CHOSEN, ids=lambda s: s.name)
def test_the_change_succeeds_and_hosts_come_back(
    array: Simulator, tmp_path: Path, scenario: Scenario
) -> None:
    array.start()
    array.settle()
    start = array.snapshot(tmp_path / "begun")
    first = len(array.kernel.interrupt.log)
    scenario.change(array)
    array.settle()
    steps = len(array.kernel.interrupt.log) - first
    undisturbed = array.dump()
    assert steps
    for point in range(2 * steps):
        array.load(start)
        array.settle()
        pull_at(array, point)
        scenario.change(array)
        array.settle()
        array.kernel.interrupt.clear()
        assert not any(link.carrier for link in array.kernel.network.links() if link.name == PORT)
        array.kernel.network.plug(PORT, connected=True)
        array.settle()
        left, right = array.dump().splitlines(), undisturbed.splitlines()
        changed = "\n".join(difflib.unified_diff(right, left, lineterm="", n=0))
        assert not changed, f"pulled at point {point}:\n{changed}"
