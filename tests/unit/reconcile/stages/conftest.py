"""Arrays that tests of several stages begin with."""

from __future__ import annotations

import pytest
from fc_array import mapped_array
from simulator import Simulator


@pytest.fixture
def fc_array(array: Simulator) -> Simulator:
    """An array with a LUN that is mapped to a host's port, and a port of QLogic's."""
    return mapped_array(array)
