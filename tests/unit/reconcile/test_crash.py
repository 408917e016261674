"""The reconciler is killed at every single step of every kind of change, and converges.

For each scenario the change is made once undisturbed, which tells its number of steps and the state
that it must lead to. Then, from the same beginning each time, the reconciler is killed before and
after each step and started again, with and without a power cut between.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenarios import SCENARIOS, Scenario
from simulator import Simulator, simulated


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array without configuration."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        yield simulator


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
@pytest.mark.parametrize("power_cut", [False, True], ids=["killed", "power-cut"])
def test_converges_after_a_kill_at_every_step(
    array: Simulator, tmp_path: Path, scenario: Scenario, power_cut: bool
) -> None:
    scenario.before(array)
    beginning = array.snapshot(tmp_path / "beginning")
    array.load(beginning)
    array.settle()
    first = len(array.kernel.interrupt.log)
    scenario.change(array)
    array.settle()
    steps = len(array.kernel.interrupt.log) - first
    expected = _after_reboot(array) if power_cut else array.dump()
    assert steps >= scenario.least_steps
    for step in range(1, steps + 1):
        for done in (False, True):
            array.load(beginning)
            array.settle()
            with array.killed(step, done=done):
                scenario.change(array)
            if power_cut:
                array.kernel.reboot()
            array.recover()
            left, right = array.dump().splitlines(), expected.splitlines()
            moment = f"killed {'after' if done else 'before'} step {step}"
            changed = "\n".join(difflib.unified_diff(right, left, lineterm="", n=0))
            assert not changed, f"{moment}:\n{changed}"


def _after_reboot(array: Simulator) -> str:
    array.kernel.reboot()
    array.recover()
    return array.dump()
