"""Arrays that tests of several stages begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fc_array import map_lun
from simulator import Simulator, simulated


@pytest.fixture
def fc_array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with a LUN that is mapped to a host's port, and a port of QLogic's."""
    with simulated(tmp_path, map_lun) as simulator:
        yield simulator
