"""Machines on which md is tested."""

from __future__ import annotations

import pytest
from raid_group import ARRAY, NAME

from fakes import FakeKernel
from sanstone.kernel.storage import md


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with eight empty disks."""
    return FakeKernel()


@pytest.fixture
def machine(kernel: FakeKernel) -> FakeKernel:
    """A machine with a RAID 6 of four disks to which something was written."""
    md.ensure_created(kernel.host, ARRAY)
    kernel.storage.arrays.written(NAME)
    return kernel
