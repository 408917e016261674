"""Thin pools and the volumes in them: created once, deleted once, and their state."""

from __future__ import annotations

import errno

import pytest

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import RequestError
from sanstone.kernel.storage import lvm, md, thin
from sanstone.kernel.storage.stack import over_thin

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
UUID = "55555555-1111-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
PLAIN = over_thin.ThinDevice(UUID, POOL, 5, 100 * 1024**2)
ARRAY = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
GROUP = lvm.Group(AGGREGATE, (lvm.PhysicalVolume(ARRAY.device, 131072),))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool in which volume 5 is."""
    kernel = FakeKernel()
    md.ensure_created(kernel.host, ARRAY)
    lvm.ensure_created(kernel.host, GROUP)
    thin.ensure_thin(kernel.host, POOL, 5)
    return kernel


def pool(kernel: FakeKernel) -> ThinPool:
    """Return the pool's content on disk."""
    thin_pool = kernel.storage.groups.groups[GROUP.name].pool
    assert thin_pool is not None
    return thin_pool


def test_a_thin_volume_is_created_once(kernel: FakeKernel) -> None:
    assert thin.ensure_thin(kernel.host, POOL, 6) is Ensured.CREATED
    assert thin.ensure_thin(kernel.host, POOL, 6) is Ensured.UNCHANGED


def test_a_volume_is_deleted_once_and_only_when_its_device_is_gone(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, PLAIN)
    with pytest.raises(RequestError) as error:
        thin.ensure_no_thin(kernel.host, POOL, 5)
    assert error.value.errno == errno.EBUSY
    over_thin.ensure_none(kernel.host, UUID)
    assert thin.ensure_no_thin(kernel.host, POOL, 5) is Ensured.CHANGED
    assert thin.ensure_no_thin(kernel.host, POOL, 5) is Ensured.UNCHANGED


def test_a_read_only_pool_refuses_loudly(kernel: FakeKernel) -> None:
    pool(kernel).mode = "ro"
    with pytest.raises(RequestError) as error:
        thin.ensure_thin(kernel.host, POOL, 8)
    assert error.value.errno == errno.EOPNOTSUPP


def test_the_state_of_a_pool_is_read(kernel: FakeKernel) -> None:
    pool(kernel).mode, pool(kernel).needs_check = "out_of_data_space", True
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    assert (status.mode, status.needs_check) == ("out_of_data_space", True)
    pool(kernel).mode = "failed"
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    assert status.mode == "failed"
    assert (status.size, status.metadata_size) == (pool(kernel).size, pool(kernel).metadata_size)
