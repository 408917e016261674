"""Power or process are gone at any step of every kind of change, and the reconciler converges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cut_short import require_convergence
from scenarios import SCENARIOS, Scenario
from simulator import Simulator, simulated


@pytest.fixture
def array(tmp_path: Path, scenario: Scenario) -> Iterator[Simulator]:
    """An array where the scenario begins."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder, scenario.before) as simulator:
        yield simulator


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
def test_converges_after_a_kill_at_every_step(
    array: Simulator, tmp_path: Path, scenario: Scenario
) -> None:
    require_convergence(array, tmp_path, scenario)
