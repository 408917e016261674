"""Snapshot policies, and the policy of a volume."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import Array

PATH, VOLUMES = "storage/snapshot-policies", "storage/volumes"
NOBODY = "00000000-0000-0000-0000-000000000001"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with an aggregate and two SVMs."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.svm("svm2")
    return api


def test_policies_of_ontap_exist_and_cannot_be_deleted(array: Array) -> None:
    by_name = {record["name"]: record for record in array.records(f"{PATH}?fields=copies")}
    assert by_name.keys() == {"default", "default-1weekly", "none"}
    copies = {c["schedule"]["name"]: c for c in by_name["default"]["copies"]}
    assert {name: c["count"] for name, c in copies.items()} == {
        "hourly": 6,
        "daily": 2,
        "weekly": 2,
    }
    assert copies["hourly"]["snapmirror_label"] == "-"
    assert by_name["none"]["copies"] == []
    array.refuse("DELETE", f"{PATH}/{by_name['default']['uuid']}", "1638431")


def test_a_volume_has_the_policy_of_its_svm_or_its_own(array: Array) -> None:
    assert array.volume("v1")["snapshot_policy"]["name"] == "none"
    [svm] = array.records("svm/svms?name=svm1")
    array.patch(f"svm/svms/{svm['uuid']}", {"snapshot_policy": "default"})
    assert array.volume("v2")["snapshot_policy"]["name"] == "default"
    assert array.volume("v3", snapshot_policy="none")["snapshot_policy"]["name"] == "none"


def test_a_policy_of_an_svm_is_for_its_volumes_only(array: Array) -> None:
    mine = array.make(PATH, {"name": "mine", "svm.name": "svm1"})
    assert mine["scope"] == "svm"
    volume = array.volume("v1", snapshot_policy="mine")
    body = {"name": "v2", "svm.name": "svm2", "size": "1GB"}
    array.refuse("POST", VOLUMES, "917551", body | {"snapshot_policy.uuid": mine["uuid"]})
    array.refuse("DELETE", f"{PATH}/{mine['uuid']}", "1638415")
    array.patch(f"{VOLUMES}/{volume['uuid']}", {"snapshot_policy": {"name": "none"}})
    array.delete(f"{PATH}/{mine['uuid']}")


def test_no_more_are_kept_than_a_volume_can_have(array: Array) -> None:
    copies = [{"schedule": name, "count": 600} for name in ("hourly", "daily")]
    array.refuse("POST", PATH, "1638451", {"name": "p", "copies": copies})
    array.refuse("POST", PATH, "1638410", {"name": "p", "copies": [copies[0]] * 2})
    created = array.make(PATH, {"name": "p", "copies": copies[:1]})
    schedules = f"{PATH}/{created['uuid']}/schedules"
    array.refuse("POST", schedules, "1638451", copies[1])
    array.refuse("POST", schedules, "1638410", {"schedule": "hourly", "count": 1})
    array.refuse("DELETE", f"{schedules}/{NOBODY}", "1638412")


def test_a_retention_is_a_time_or_refused(array: Array) -> None:
    copy = {"schedule": "hourly", "count": 2, "retention_period": "P30D"}
    created = array.make(PATH, {"name": "p", "copies": [copy]})
    assert created["copies"][0]["retention_period"] == "P30D"
    for period in ("infinite", "30 days", "P1M"):
        array.refuse(
            "POST", PATH, "918253", {"name": "q", "copies": [copy | {"retention_period": period}]}
        )
    [mine] = array.records(f"{PATH}/{created['uuid']}/schedules")
    place = f"{PATH}/{created['uuid']}/schedules/{mine['schedule']['uuid']}"
    array.patch(place, {"retention_period": "PT12H"})
    assert array.get(place)["retention_period"] == "PT12H"
