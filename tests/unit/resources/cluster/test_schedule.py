"""Schedules."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from in_process import Array

from sanstone.model.cluster import Schedule
from sanstone.resources.cluster.schedule import BUILT_IN

PATH = "cluster/schedules"


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
    found = Schedule(name="s", interval="", cron=cron).last(now)
    assert f"{found:%Y-%m-%d %H:%M}" == last


def test_a_day_that_never_comes_ends_the_search() -> None:
    now = datetime(2026, 11, 21, tzinfo=ZoneInfo("UTC"))
    never = Schedule(name="s", interval="", cron={"months": [2], "days": [30]})
    assert never.last(now) < now


def test_the_last_moment_of_an_interval() -> None:
    now = datetime(2026, 11, 21, 13, 27, 40, tzinfo=ZoneInfo("UTC"))
    found = Schedule(name="s", interval="PT15M", cron={}).last(now)
    assert f"{found:%H:%M:%S}" == "13:15:00"


def test_those_of_ontap_are_there_and_stay(api: Array) -> None:
    assert {record["name"] for record in api.records(PATH)} == set(BUILT_IN)
    uuid = api.records(f"{PATH}?name=hourly")[0]["uuid"]
    api.refuse("DELETE", f"{PATH}/{uuid}", "8")
    api.refuse("PATCH", f"{PATH}/{uuid}", "8", {"name": "renamed"})


def test_a_schedule_is_one_or_the_other(api: Array) -> None:
    api.refuse("POST", PATH, "262186", {"name": "s"})
    both = {"name": "s", "interval": "PT5M", "cron": {"minutes": [1]}}
    api.refuse("POST", PATH, "262186", both)
    made = api.make(PATH, {"name": "s", "interval": "PT5M"})
    api.refuse("PATCH", f"{PATH}/{made['uuid']}", "262186", {"cron": {"minutes": [1]}})


def test_one_that_a_policy_goes_by_stays(api: Array) -> None:
    uuid = api.make(PATH, {"name": "s", "interval": "PT5M"})["uuid"]
    policy = {"name": "p", "copies": [{"schedule": "s", "count": 1}]}
    made = api.make("storage/snapshot-policies", policy)
    api.refuse("DELETE", f"{PATH}/{uuid}", "8")
    api.delete(f"storage/snapshot-policies/{made['uuid']}")
    api.delete(f"{PATH}/{uuid}")
