"""The size that a volume is to have, by its use."""

from __future__ import annotations

import pytest

from sanstone.rules.storage.autosize import Autosize, Hindrance, Resize, Use, in_use, wanted_size

MIB = 1024**2
SIZE = 1000 * MIB


def wanted(
    taken: int,
    held: int | None = 0,
    *,
    mode: str = "grow_shrink",
    size: int = SIZE,
    reserve: int = 0,
    maximum: int = 2 * SIZE,
) -> Resize:
    own = Autosize(mode, maximum, SIZE // 2, 80, 40)
    return wanted_size(own, size, reserve, Use(taken, held))


def test_a_volume_grows_above_its_threshold_and_not_at_it() -> None:
    assert wanted(800 * MIB) == Resize(SIZE)
    grown = wanted(801 * MIB)
    assert grown == Resize(1054 * MIB)
    assert in_use(Use(801 * MIB, 0), grown.size, 0) <= 76


@pytest.mark.parametrize("held", [0, 100 * MIB, None])
def test_what_snapshots_hold_within_their_share_is_not_in_use(held: int | None) -> None:
    assert wanted(720 * MIB, held, reserve=10) == Resize(SIZE)
    assert wanted(721 * MIB, held, reserve=10) == Resize(1055 * MIB)


def test_what_snapshots_hold_beyond_their_share_is_in_use() -> None:
    assert in_use(Use(600 * MIB, 220 * MIB), SIZE, 10) == 80
    assert wanted(600 * MIB, 220 * MIB, reserve=10) == Resize(SIZE)
    grown = wanted(600 * MIB, 300 * MIB, reserve=10)
    assert in_use(Use(600 * MIB, 300 * MIB), grown.size, 10) <= 76
    assert in_use(Use(600 * MIB, 300 * MIB), grown.size - 2 * MIB, 10) > 76


def test_it_grows_to_its_maximum_and_says_that_this_is_too_small() -> None:
    assert wanted(801 * MIB, maximum=1010 * MIB) == Resize(1010 * MIB, Hindrance.MAXIMUM)
    assert wanted(801 * MIB, maximum=SIZE) == Resize(SIZE, Hindrance.MAXIMUM)
    larger = wanted(2500 * MIB, size=3 * SIZE, maximum=SIZE)
    assert larger == Resize(3 * SIZE, Hindrance.MAXIMUM)


def test_it_shrinks_so_that_its_use_is_midway_and_not_below_its_minimum() -> None:
    assert wanted(400 * MIB) == Resize(SIZE)
    assert wanted(399 * MIB) == Resize(665 * MIB)
    assert wanted(0) == Resize(SIZE // 2)
    assert wanted(0, size=100 * MIB) == Resize(100 * MIB)


def test_it_does_not_shrink_where_it_only_grows_or_nobody_knows_what_is_in_use() -> None:
    assert wanted(0, mode="grow") == Resize(SIZE)
    assert wanted(0, None) == Resize(SIZE)


@pytest.mark.parametrize("taken", range(0, 2000, 37))
@pytest.mark.parametrize("held", [0, 90, 700])
@pytest.mark.parametrize("reserve", [0, 5, 90])
def test_what_was_resized_stays_as_it_is(taken: int, held: int, reserve: int) -> None:
    maximum = 100 * SIZE
    once = wanted(taken * MIB, held * MIB, reserve=reserve, maximum=maximum)
    assert once.hindrance == Hindrance.NONE
    assert wanted(taken * MIB, held * MIB, size=once.size, reserve=reserve, maximum=maximum) == once
