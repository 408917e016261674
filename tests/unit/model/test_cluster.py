"""Moments of a schedule."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sanstone.model.cluster import Schedule


@pytest.mark.parametrize(
    ("cron", "last"),
    [
        ({"minutes": [5]}, "2026-11-21 13:05"),
        ({"minutes": [30]}, "2026-11-21 12:30"),
        ({"minutes": [0, 20], "hours": [2, 13]}, "2026-11-21 13:20"),
        ({"minutes": [10], "hours": [0]}, "2026-11-21 00:10"),
        ({"minutes": [15], "hours": [0], "weekdays": [0]}, "2026-11-15 00:15"),
        ({"minutes": [20], "hours": [0], "days": [1]}, "2026-11-01 00:20"),
        ({"minutes": [0], "hours": [0], "days": [1], "weekdays": [5]}, "2026-11-20 00:00"),
        ({"minutes": [0], "hours": [0], "months": [2], "days": [28]}, "2026-02-28 00:00"),
        ({}, "2026-11-21 13:27"),
    ],
)
def test_the_last_moment_by_the_clock(cron: dict[str, Any], last: str) -> None:
    now = datetime(2026, 11, 21, 13, 27, 40, tzinfo=ZoneInfo("Europe/Berlin"))
    moment = Schedule(name="s", interval="", cron=cron).last(now)
    assert f"{moment:%Y-%m-%d %H:%M}" == last


def test_a_day_that_never_comes_ends_the_search() -> None:
    now = datetime(2026, 11, 21, tzinfo=ZoneInfo("UTC"))
    never = Schedule(name="s", interval="", cron={"months": [2], "days": [30]})
    assert never.last(now) < now


def test_the_last_moment_of_an_interval() -> None:
    now = datetime(2026, 11, 21, 13, 27, 40, tzinfo=ZoneInfo("UTC"))
    moment = Schedule(name="s", interval="PT15M", cron={}).last(now)
    assert f"{moment:%H:%M:%S}" == "13:15:00"
