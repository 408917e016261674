"""Copies of thin volumes."""

from __future__ import annotations

import errno

import pytest

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.host import HostError, RequestError, Target
from sanstone.kernel.storage import thin, thin_content
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.thin_content import Copy

POOL = names.pool_device("5c0e0000-1111-4111-8111-111111111111")
FIRST, SECOND = "5c0e0000-aaaa-4111-8111-111111111111", "5c0e0000-bbbb-4111-8111-111111111111"
PROBE = "5c0e0000-cccc-4111-8111-111111111111"
COPIES = [Copy(POOL, 11, 1, FIRST), Copy(POOL, 12, 2, SECOND)]


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool and two devices on it."""
    kernel = FakeKernel()
    pool = ThinPool(65536, 1024**3, 1024**2)
    kernel.mapper.activate(POOL, "LVM-pool", [Target(0, 8, "linear", "")], pool)
    for uuid, thin_id, layers in ((FIRST, 1, ()), (SECOND, 2, (BlockSize(),))):
        thin.ensure_thin(kernel.host, POOL, thin_id)
        over_thin.ensure(kernel.host, over_thin.ThinDevice(uuid, POOL, thin_id, 1024**2, layers))
    return kernel


def suspended(kernel: FakeKernel) -> list[str]:
    states = ((d.name, kernel.mapper.state(d.name)) for d in kernel.mapper.devices())
    return [name for name, state in states if state and state.suspended]


def messages(kernel: FakeKernel) -> list[str]:
    """Return the messages to the pool, after those that created the two volumes."""
    return [s.split(" ", 3)[3] for s in kernel.interrupt.log if s.startswith("dm message")][2:]


def test_a_finished_snapshot_is_not_repeated(kernel: FakeKernel) -> None:
    for _ in range(2):
        thin_content.take(kernel.host, COPIES, PROBE)
        assert suspended(kernel) == []
    assert messages(kernel) == ["create_snap 11 1", "create_snap 12 2"]
    assert kernel.mapper.state(names.device(PROBE)) is None


def test_an_interrupted_operation_starts_anew(kernel: FakeKernel) -> None:
    thin_content.ensure(kernel.host, COPIES[0])
    thin_content.take(kernel.host, COPIES, PROBE)
    first = "create_snap 11 1"
    assert messages(kernel) == [first, "delete 11", first, "create_snap 12 2"]


def test_an_unknown_source_is_an_error_and_nothing_stands_still(kernel: FakeKernel) -> None:
    with pytest.raises(RequestError) as caught:
        thin_content.take(kernel.host, [Copy(POOL, 11, 99, FIRST)], PROBE)
    assert caught.value.errno == errno.ENODATA
    assert suspended(kernel) == []


def test_a_device_that_cannot_resume_does_not_hold_up_the_others(kernel: FakeKernel) -> None:
    step = f"dm resume {names.device(SECOND)}"
    kernel.fail_when(lambda text: text == step, HostError("refused"))
    with pytest.raises(HostError, match="refused"):
        thin_content.take(kernel.host, COPIES, PROBE)
    assert suspended(kernel) == [names.device(SECOND)]
