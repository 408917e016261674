"""Schedules."""

from __future__ import annotations

from in_process import Array

from sanstone.model.seeds import SCHEDULES

PATH = "cluster/schedules"


def test_schedules_of_ontap_exist_and_cannot_be_deleted(api: Array) -> None:
    assert {record["name"] for record in api.records(PATH)} == set(SCHEDULES)
    uuid = api.records(f"{PATH}?name=hourly")[0]["uuid"]
    api.refuse("DELETE", f"{PATH}/{uuid}", "8")
    api.refuse("PATCH", f"{PATH}/{uuid}", "8", {"name": "renamed"})


def test_a_schedule_is_one_or_the_other(api: Array) -> None:
    api.refuse("POST", PATH, "262186", {"name": "s"})
    both = {"name": "s", "interval": "PT5M", "cron": {"minutes": [1]}}
    api.refuse("POST", PATH, "262186", both)
    created = api.make(PATH, {"name": "s", "interval": "PT5M"})
    api.refuse("PATCH", f"{PATH}/{created['uuid']}", "262186", {"cron": {"minutes": [1]}})


def test_a_schedule_of_a_policy_cannot_be_deleted(api: Array) -> None:
    uuid = api.make(PATH, {"name": "s", "interval": "PT5M"})["uuid"]
    policy = {"name": "p", "copies": [{"schedule": "s", "count": 1}]}
    created = api.make("storage/snapshot-policies", policy)
    api.refuse("DELETE", f"{PATH}/{uuid}", "8")
    api.delete(f"storage/snapshot-policies/{created['uuid']}")
    api.delete(f"{PATH}/{uuid}")
