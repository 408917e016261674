"""An array for each test of the reconciler."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from simulator import Simulator, simulated


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array without configuration."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        yield simulator
