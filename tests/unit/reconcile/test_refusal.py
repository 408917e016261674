"""The machine refuses any single step of any change: the change is taken back, or completed.

For each scenario the change runs once undisturbed, which gives its steps. Then, from the same
beginning each time, one of them fails as often as it is tried. A job that fails leaves the machine
as it was before. Only where data is destroyed already there is no way back: the change then stays
in force, an event reports it, and it is completed as soon as the machine agrees.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from machine_state import comparable, difference
from scenarios import SCENARIOS, Scenario
from simulator import Simulator, simulated
from sqlalchemy import select

from sanstone.core.database.store import reading
from sanstone.core.jobs import FAILURE, Job
from sanstone.kernel.host import HostError

OTHERWISE = {"replace disk": "the disk that was let go is taken back, and works again"}
"""Changes whose failure leaves the machine well, but not as it was."""
NO_WAY_BACK = "job.revert.failed"


@pytest.fixture
def array(tmp_path: Path, scenario: Scenario) -> Iterator[Simulator]:
    """An array where the scenario begins."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder, scenario.before) as simulator:
        yield simulator


@pytest.mark.parametrize(
    "scenario", [s for s in SCENARIOS if s.name not in OTHERWISE], ids=lambda s: s.name
)
def test_a_change_is_complete_or_leaves_the_machine_as_it_was(
    array: Simulator, tmp_path: Path, scenario: Scenario
) -> None:
    array.start()
    array.settle()
    beginning = array.snapshot(tmp_path / "beginning", running=True)
    before, first = comparable(array.kernel), len(array.kernel.interrupt.log)
    scenario.change(array)
    array.settle()
    wrong: list[str] = []
    after, steps = comparable(array.kernel), array.kernel.interrupt.log[first:]
    for refused_step in dict.fromkeys(steps):
        array.load(beginning)
        array.kernel.fail_when(refused_step.__eq__, HostError("refused"))
        succeeded = attempted(array, scenario)
        array.kernel.interrupt.clear()
        a_minute_later(array)
        no_way_back = array.get(f"support/ems/events?message.name={NO_WAY_BACK}")["records"]
        expected = after if succeeded or no_way_back else before
        if changed := difference(comparable(array.kernel), expected):
            wrong.append(f"{'done' if succeeded else 'failed'}, refused {refused_step}:\n{changed}")
    assert not wrong, "\n".join(wrong)


def attempted(array: Simulator, scenario: Scenario) -> bool:
    """Make the change. Return whether it succeeded."""
    try:
        scenario.change(array)
    except AssertionError:
        with reading(array.database) as session:
            job = session.scalars(select(Job).order_by(Job.id.desc()).limit(1)).one()
            assert (job.state, bool(job.code), bool(job.message)) == (FAILURE, True, True)
        return False
    return True


def a_minute_later(array: Simulator) -> None:
    """Let the reconciler look at everything again, as it does once in a minute."""
    array.reconciler.look_thoroughly()
    array.settle()
