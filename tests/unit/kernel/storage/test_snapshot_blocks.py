"""Counting the bytes that snapshots hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeKernel
from fakes.thin_pool import HELD_AT, ThinPool
from sanstone.kernel.host import Target
from sanstone.kernel.storage import snapshot_blocks

CHUNK = 65536


def kernel_with(pool: ThinPool) -> FakeKernel:
    kernel = FakeKernel()
    pool.hold()
    kernel.mapper.activate("pool", "LVM-pool", [Target(0, 8, "linear", "")], pool)
    kernel.mapper.activate("pool_tmeta", "LVM-meta", [Target(0, 80_000, "linear", "")])
    return kernel


def count(pool: ThinPool, *volumes: dict[str, Any], seconds: float = 600) -> list[list[int]]:
    """Return the chunks that each snapshot of the volumes holds."""
    query = {"path": "/dev/mapper/pool_tmeta", "root": HELD_AT, "seconds": seconds}
    question = json.dumps(query | {"volumes": volumes})
    sizes = json.loads(snapshot_blocks.answer(kernel_with(pool).host, question))
    return [[size // CHUNK for size in each] for each in sizes]


@pytest.fixture
def pool() -> ThinPool:
    """A pool with volume 1, of 100 chunks."""
    pool = ThinPool(CHUNK, 10_000 * CHUNK, 1024**2, volumes={1: {}})
    pool.write(1, 100 * CHUNK)
    return pool


def test_a_new_snapshot_holds_nothing(pool: ThinPool) -> None:
    pool.copy(1, 2)
    assert count(pool, {"live": [1], "snapshots": [[2]]}) == [[0]]


def test_a_snapshot_holds_what_was_overwritten(pool: ThinPool) -> None:
    pool.copy(1, 2)
    pool.write(1, 7 * CHUNK)
    pool.write(1, 7 * CHUNK)
    assert count(pool, {"live": [1], "snapshots": [[2]]}) == [[7]]


def test_shared_blocks_count_for_the_newest_snapshot(pool: ThinPool) -> None:
    pool.copy(1, 2)
    pool.write(1, 3 * CHUNK)
    pool.copy(1, 3)
    pool.write(1, 10 * CHUNK)
    volume = {"live": [1], "snapshots": [[3], [2]]}
    assert count(pool, volume) == [[10, 3]]
    pool.delete(3)
    assert count(pool, {"live": [1], "snapshots": [[2]]}) == [[10]]


def test_a_snapshot_holds_all_of_what_is_deleted(pool: ThinPool) -> None:
    pool.copy(1, 2)
    pool.delete(1)
    assert count(pool, {"live": [], "snapshots": [[2]]}) == [[100]]


def test_a_volume_is_counted_without_regard_to_others(pool: ThinPool) -> None:
    for snapshot in (2, 3):
        pool.copy(1, snapshot)
    pool.write(1, 5 * CHUNK)
    parent, clone = {"live": [1], "snapshots": [[2]]}, {"live": [3], "snapshots": [[2]]}
    assert count(pool, parent, clone) == [[5], [0]]


def test_when_the_time_is_over_the_rest_is_missing(pool: ThinPool) -> None:
    nothing: dict[str, list[list[int]]] = {"live": [], "snapshots": [[]]}
    volume = {"live": [1], "snapshots": [[]]}
    assert count(pool, nothing, volume, nothing, seconds=-1) == [[0]]


STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "snapshot", "delete"]), st.integers(0, 30)), max_size=30
)


@given(STEPS)
def test_sizes_add_up_to_what_the_pool_gets_back(steps: list[tuple[str, int]]) -> None:
    pool = ThinPool(CHUNK, 10_000 * CHUNK, 1024**2, volumes={1: {}})
    snapshots: list[int] = []
    for number, (what, where) in enumerate(steps, start=2):
        if what == "write":
            pool.write(1, 9 * CHUNK, where * CHUNK)
        elif what == "snapshot":
            pool.copy(1, number)
            snapshots.insert(0, number)
        elif snapshots:
            pool.delete(snapshots.pop(where % len(snapshots)))
    [sizes] = count(pool, {"live": [1], "snapshots": [[each] for each in snapshots]})
    for snapshot, size in reversed(list(zip(snapshots, sizes, strict=True))):
        before = pool.used
        pool.delete(snapshot)
        assert before - pool.used == size * CHUNK
