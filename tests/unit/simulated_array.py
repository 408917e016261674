"""The fixtures of tests that need a whole array, with a kernel in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from simulator import Begin, Simulator, simulated


@pytest.fixture
def begin() -> Begin | None:
    """Steps that prepare the array: none, unless a module overrides this."""
    return None


@pytest.fixture
def array(tmp_path: Path, begin: Begin | None) -> Iterator[Simulator]:
    """An array without configuration, or one to which `begin` was done."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder, begin) as simulator:
        yield simulator
