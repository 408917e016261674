"""Thin volumes are destroyed bit by bit."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import GIB, aggregate
from simulator import Simulator
from sqlalchemy import create_engine

from fakes import FakeKernel, Killed
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.host import HostError
from sanstone.kernel.storage import thin
from sanstone.reconcile.long_jobs import thin_deletion
from sanstone.reconcile.long_jobs.thin_deletion import ThinDeletion
from sanstone.reconcile.stages.pools import PoolsMemory

NOWHERE = create_engine("sqlite://")
REMOVAL = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"
PROBE = "1c5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"


class Filled:
    """A pool with a volume, 7, that maps 2.5 GiB."""

    def __init__(self, array: Simulator) -> None:
        aggregate(array)
        [self.aggregate] = array.reconciler.memory.of(PoolsMemory).groups
        self.kernel, self.device = array.kernel, names.pool_device(self.aggregate)
        thin.ensure_thin(self.kernel.host, self.device, 7)
        self.pool.write(7, 5 * GIB // 2)

    @property
    def pool(self) -> ThinPool:
        """The pool on the disks."""
        pool = self.kernel.mapper.pool(self.device)
        assert pool is not None
        return pool

    def deletion(self) -> ThinDeletion:
        """Return the process that destroys the volume, as ordered before."""
        order = thin_deletion.order(REMOVAL, self.aggregate, 7, thin.Volume(1, 5 * GIB // 2))
        return ThinDeletion(self.kernel.host, NOWHERE, order)

    def discards(self) -> int:
        """Return how often something was discarded."""
        return sum(step.startswith("discard") for step in self.kernel.interrupt.log)


@pytest.fixture
def filled(array: Simulator) -> Filled:
    """An array with that pool."""
    return Filled(array)


def test_a_volume_is_discarded_in_steps_before_its_deletion(filled: Filled) -> None:
    before = filled.kernel.mapper.dump()
    deletion = filled.deletion()
    assert deletion.progress().percent == 0
    deletion.run()
    assert deletion.progress().percent == 99
    assert filled.pool.volumes == {} and filled.discards() == 3
    assert filled.kernel.mapper.dump() == before


def test_blocks_shared_with_a_snapshot_are_left_to_the_deletion(filled: Filled) -> None:
    filled.pool.copy(7, 8)
    filled.deletion().run()
    assert list(filled.pool.volumes) == [8] and filled.discards() == 1


def test_a_missing_volume_is_no_error(filled: Filled) -> None:
    filled.deletion().run()
    filled.deletion().run()
    assert filled.pool.volumes == {}


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("step", range(1, 9))
def test_a_deletion_continues_after_a_kill_at_any_step(
    filled: Filled, step: int, done: bool
) -> None:
    before = filled.kernel.mapper.dump()
    filled.kernel.kill_after(step, done=done)
    with pytest.raises(Killed):
        filled.deletion().run()
    filled.kernel.interrupt.clear()
    filled.deletion().run()
    assert filled.pool.volumes == {}
    assert filled.kernel.mapper.dump() == before


def test_a_pool_that_cannot_be_written_to_is_left_alone(filled: Filled) -> None:
    filled.pool.mode = "ro"
    with pytest.raises(HostError, match="nothing can be destroyed"):
        filled.deletion().run()
    assert 7 in filled.pool.volumes


@pytest.mark.parametrize(
    "wrong",
    [
        {"uuid": "../../etc"},
        {"aggregate": None},
        {"thin_id": -1},
        {"thin_id": "7"},
        {"end": -1},
        {"end": 1 << 61},
    ],
)
def test_an_order_that_the_reconciler_cannot_have_given_is_refused(wrong: dict[str, Any]) -> None:
    order = thin_deletion.order(REMOVAL, PROBE, 7, thin.Volume(1, GIB)) | wrong
    with pytest.raises(HostError, match="no order to destroy"):
        ThinDeletion(FakeKernel().host, NOWHERE, order)
