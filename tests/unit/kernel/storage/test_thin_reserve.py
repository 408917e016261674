"""Space of a pool that is set aside: its owner gets it, whatever the others take."""

from __future__ import annotations

import errno

import pytest

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import RequestError
from sanstone.kernel.storage import lvm, md, thin, thin_content, thin_reserve
from sanstone.kernel.storage.thin_reserve import Reserve

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
ARRAY = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
GROUP = lvm.Group(AGGREGATE, (lvm.PhysicalVolume(ARRAY.device, 131072),))
PROMISED, OTHER, SNAPSHOT = 1, 2, 3
MIB = 1024**2
SIZE = 64 * MIB


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool in which two volumes are."""
    kernel = FakeKernel()
    md.ensure_created(kernel.host, ARRAY)
    lvm.ensure_created(kernel.host, GROUP)
    for thin_id in (PROMISED, OTHER):
        thin.ensure_thin(kernel.host, POOL, thin_id)
    return kernel


def pool(kernel: FakeKernel) -> ThinPool:
    """Return the pool's content on disk."""
    thin_pool = kernel.storage.groups.groups[GROUP.name].pool
    assert thin_pool is not None
    return thin_pool


def reserved(kernel: FakeKernel) -> int | None:
    """Return the bytes that are set aside."""
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    return status.reserved


def fill(kernel: FakeKernel) -> None:
    """Have the other volume take all that it gets."""
    with pytest.raises(OSError, match="gets no block") as error:
        pool(kernel).write(OTHER, pool(kernel).size)
    assert error.value.errno == errno.ENOSPC


def set_aside(kernel: FakeKernel, size: int, copies: int = 0) -> None:
    thin_reserve.ensure(kernel.host, POOL, PROMISED, Reserve(size, copies))


def test_reserved_space_is_there_when_others_took_the_rest(kernel: FakeKernel) -> None:
    set_aside(kernel, SIZE)
    fill(kernel)
    pool(kernel).write(PROMISED, SIZE)
    pool(kernel).write(OTHER, SIZE)  # in place
    with pytest.raises(OSError, match="gets no block"):
        pool(kernel).write(PROMISED, MIB, SIZE)
    assert pool(kernel).mode == "rw"


def test_a_reserve_shrinks_with_each_write_and_grows_with_a_discard(
    kernel: FakeKernel,
) -> None:
    assert reserved(kernel) == 0
    set_aside(kernel, SIZE)
    before = reserved(kernel)
    assert before is not None
    assert before > SIZE
    pool(kernel).write(PROMISED, SIZE // 2)
    assert reserved(kernel) == before - SIZE // 2
    pool(kernel).discard(PROMISED, 0, SIZE // 2)
    assert reserved(kernel) == before


def test_blocks_that_a_snapshot_has_can_be_written_again(kernel: FakeKernel) -> None:
    pool(kernel).write(PROMISED, SIZE)
    copy = thin_content.Copy(POOL, SNAPSHOT, PROMISED, "")
    thin_content.ensure(kernel.host, copy)
    set_aside(kernel, SIZE, SIZE)
    fill(kernel)
    pool(kernel).write(PROMISED, SIZE)


def test_a_reserve_is_set_once_and_again_after_copies(kernel: FakeKernel) -> None:
    pool(kernel).write(PROMISED, SIZE)
    thin_content.ensure(kernel.host, thin_content.Copy(POOL, SNAPSHOT, PROMISED, ""))
    reserve = Reserve(SIZE, SIZE)
    outcomes = [thin_reserve.ensure(kernel.host, POOL, PROMISED, reserve) for _ in range(2)]
    assert outcomes == [Ensured.CHANGED, Ensured.UNCHANGED]
    pool(kernel).write(PROMISED, MIB)
    assert thin_reserve.ensure(kernel.host, POOL, PROMISED, reserve) is Ensured.CHANGED


def test_a_reserve_ends_with_its_order_and_with_the_volume(kernel: FakeKernel) -> None:
    set_aside(kernel, SIZE)
    thin_reserve.ensure(kernel.host, POOL, PROMISED, thin_reserve.NONE)
    assert reserved(kernel) == 0
    set_aside(kernel, SIZE)
    thin.ensure_no_thin(kernel.host, POOL, PROMISED)
    assert reserved(kernel) == 0


def test_a_reserve_ends_with_the_pools_activation(kernel: FakeKernel) -> None:
    set_aside(kernel, SIZE)
    lvm.ensure_inactive(kernel.host, GROUP)
    lvm.ensure_active(kernel.host, GROUP)
    assert reserved(kernel) == 0


def test_nothing_is_set_aside_for_a_volume_that_is_not_there(kernel: FakeKernel) -> None:
    with pytest.raises(RequestError) as error:
        thin_reserve.ensure(kernel.host, POOL, 9, Reserve(SIZE, 0))
    assert error.value.errno == errno.ENODATA


def test_a_kernel_without_the_patch_is_recognized(kernel: FakeKernel) -> None:
    kernel.mapper.sets_space_aside = False
    assert reserved(kernel) is None
    with pytest.raises(RequestError) as error:
        set_aside(kernel, SIZE)
    assert error.value.errno == errno.EINVAL
