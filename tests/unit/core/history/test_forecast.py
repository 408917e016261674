"""The forecast of space follows most days, not the odd ones."""

from __future__ import annotations

import pytest

from sanstone.core.history.forecast import LEAST_DAYS, Forecast, forecast
from sanstone.core.history.metrics_file import DAY
from sanstone.core.history.space_history import Point, Space

GIB = 1024**3
NOW = 1_800_057_600.0
SIZE = 1000 * GIB


def days(*sizes: int | None) -> list[Point]:
    """Return samples in GiB of successive days; the last day is today."""
    first = NOW - DAY * (len(sizes) - 1)
    return [
        Point(first + DAY * number, Space(SIZE, None if each is None else each * GIB))
        for number, each in enumerate(sizes)
    ]


def foretold(*sizes: int | None) -> Forecast:
    """Return the forecast; there must be one."""
    result = forecast(days(*sizes), SIZE, NOW)
    assert result
    return result


def test_steady_growth_goes_on() -> None:
    result = foretold(*range(100, 200, 10))
    assert result == Forecast(NOW - 9 * DAY, 10 * GIB, NOW + 81 * DAY)


@pytest.mark.parametrize(
    "sizes",
    [
        [*range(100, 150, 10), 700, *range(160, 200, 10)],
        [*range(100, 150, 10), 0, 0, *range(170, 200, 10)],
        [*range(100, 140, 10), None, None, None, *range(170, 200, 10)],
    ],
    ids=["a restore", "a deletion", "a gap"],
)
def test_odd_days_change_little(sizes: list[int | None]) -> None:
    assert foretold(*sizes).growth_per_day == pytest.approx(10 * GIB, rel=0.15)


def test_the_forecast_starts_at_the_present_use() -> None:
    before, after = foretold(*range(100, 200, 10)), foretold(*range(100, 190, 10), 500)
    assert before.full and after.full
    assert after.full < before.full


def test_too_few_days_give_no_forecast() -> None:
    assert forecast(days(*range(LEAST_DAYS - 1)), SIZE, NOW) is None
    assert forecast(days(*range(LEAST_DAYS)), SIZE, NOW)
    assert forecast([], SIZE, NOW) is None
    unknown = [None] * (LEAST_DAYS - 1)
    assert forecast(days(*range(LEAST_DAYS - 1), *unknown), SIZE, NOW) is None


def test_old_days_give_no_forecast() -> None:
    assert forecast(days(*range(40)), SIZE, NOW + 3 * DAY) is None
    slow_then_quick = [*[0] * 60, *range(0, 430, 10)]
    assert foretold(*slow_then_quick).growth_per_day == 10 * GIB


@pytest.mark.parametrize("sizes", [[500] * 10, [*range(500, 400, -10)]], ids=["rests", "shrinks"])
def test_constant_use_is_never_full(sizes: list[int]) -> None:
    result = foretold(*sizes)
    assert result.full is None
    assert result.growth_per_day <= 0


def test_a_full_time_years_ahead_is_not_given() -> None:
    points = [Point(p.moment, Space(SIZE, 10**6 * n)) for n, p in enumerate(days(*range(10)))]
    result = forecast(points, SIZE, NOW)
    assert result
    assert (result.growth_per_day, result.full) == (10**6, None)


def test_full_space_is_full_now() -> None:
    assert foretold(*range(920, 1020, 10)).full == NOW


def test_samples_of_yesterday_evening_and_this_morning_are_no_slope() -> None:
    points = days(*range(100, 200, 10))
    last = points[-1]
    soon = Point(last.moment + 60, Space(SIZE, last.space.used + GIB if last.space.used else 0))
    result = forecast([*points, soon], SIZE, NOW + 60)
    assert result
    assert result.growth_per_day == pytest.approx(10 * GIB, rel=0.05)


def test_without_a_size_nothing_is_foretold() -> None:
    assert forecast(days(*range(10)), None, NOW) is None
