"""Holding a pool's metadata for reading."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from fakes import FakeKernel, Killed
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.host import RequestError, Target
from sanstone.kernel.storage import held_metadata, thin

POOL = names.pool_device("5c0e0000-1111-4111-8111-111111111111")


@pytest.fixture
def pool() -> ThinPool:
    """A pool of 16 MiB, with 1 MiB of metadata."""
    return ThinPool(65536, 16 * 1024**2, 1024**2)


@pytest.fixture
def kernel(pool: ThinPool) -> FakeKernel:
    """A machine with the pool."""
    kernel = FakeKernel()
    kernel.mapper.activate(f"{POOL}_tmeta", "LVM-meta", [Target(0, 2048, "linear", "")])
    state = kernel.mapper.state(f"{POOL}_tmeta")
    assert state is not None
    number = f"{state.device.major}:{state.device.minor}"
    table = [Target(0, 32768, "thin-pool", f"{number} {number} 128 0")]
    kernel.mapper.activate(POOL, "LVM-pool", table, pool)
    return kernel


def held_root(kernel: FakeKernel) -> int | None:
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    return status.held


def test_held_metadata_have_a_root_and_are_released(kernel: FakeKernel) -> None:
    assert held_root(kernel) is None
    with held_metadata.held(kernel.host, POOL) as root:
        assert root is not None
        assert held_root(kernel) == root
    assert held_root(kernel) is None
    assert held_metadata.release_left_behind(kernel.host, POOL)


def leave_held(kernel: FakeKernel) -> None:
    """Hold the metadata, and be killed."""
    with pytest.raises(Killed), held_metadata.held(kernel.host, POOL):
        kernel.kill_after(1)


def test_stale_held_metadata_are_held_anew(kernel: FakeKernel, pool: ThinPool) -> None:
    leave_held(kernel)
    before = dict(pool.held)
    thin.ensure_thin(kernel.host, POOL, 1)
    with held_metadata.held(kernel.host, POOL):
        assert pool.held != before


def test_nobody_releases_what_another_reads(kernel: FakeKernel, pool: ThinPool) -> None:
    with held_metadata.held(kernel.host, POOL):
        before = dict(pool.held)
        thin.ensure_thin(kernel.host, POOL, 1)
        assert held_metadata.release_left_behind(kernel.host, POOL)
        assert pool.held == before


def test_the_next_reader_waits_for_its_turn(
    kernel: FakeKernel, pool: ThinPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_metadata, "LEASES", str(tmp_path))
    thin.ensure_thin(kernel.host, POOL, 1)
    states: list[bool] = []
    waits, goes_on = threading.Event(), threading.Event()

    def read() -> None:
        waits.set()
        with held_metadata.held(kernel.host, POOL):
            states.append(goes_on.is_set())

    second = threading.Thread(target=read)
    with held_metadata.held(kernel.host, POOL):
        before = dict(pool.held)
        second.start()
        waits.wait()
        thin.ensure_thin(kernel.host, POOL, 2)
        assert pool.held == before
        goes_on.set()
    second.join()
    assert states == [True]
    assert pool.held == {}


@pytest.mark.parametrize("mode", ["ro", "out_of_data_space", "failed"])
def test_a_pool_in_need_is_left_alone(kernel: FakeKernel, pool: ThinPool, mode: str) -> None:
    pool.mode = mode
    with held_metadata.held(kernel.host, POOL) as root:
        assert root is None
        assert pool.held == {}


def test_a_full_pool_gets_back_what_was_held(kernel: FakeKernel, pool: ThinPool) -> None:
    with held_metadata.held(kernel.host, POOL):
        pool.mode = "out_of_data_space"
    assert pool.held == {}


def test_a_read_only_pool_keeps_its_held_metadata(kernel: FakeKernel, pool: ThinPool) -> None:
    with held_metadata.held(kernel.host, POOL):
        pool.mode = "ro"
    assert not held_metadata.release_left_behind(kernel.host, POOL)
    pool.mode = "rw"
    assert held_metadata.release_left_behind(kernel.host, POOL)
    assert pool.held == {}


def test_nothing_is_held_where_metadata_are_scarce(kernel: FakeKernel, pool: ThinPool) -> None:
    pool.metadata_size = 17 * 4096
    with held_metadata.held(kernel.host, POOL) as root:
        assert root is None


def test_a_pool_that_is_not_there_holds_nothing(kernel: FakeKernel) -> None:
    with held_metadata.held(kernel.host, "other") as root:
        assert root is None
    assert not held_metadata.release_left_behind(kernel.host, "other")


def test_a_refusal_is_an_error(kernel: FakeKernel) -> None:
    kernel.fail_when(lambda step: "reserve" in step, RequestError("refused", 5))
    with pytest.raises(RequestError), held_metadata.held(kernel.host, POOL):
        pass
