"""SVMs: their objects and protocols; nothing is lost with them."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import GIB, Array

PATH = "svm/svms"


def test_a_new_svm_runs_and_shows_what_clients_compare(api: Array) -> None:
    fields = (
        "subtype,aggregates,language,snapshot_policy,ipspace,comment,nfs,cifs,fcp,iscsi,nvme,state,"
        "s3,max_volumes,ndmp,anti_ransomware_default_volume_state,auto_enable_analytics,"
        "auto_enable_activity_tracking,storage"
    )
    api.svm(comment="c")
    (svm,) = api.records(f"{PATH}?name=svm1&fields={fields}")
    assert (svm["state"], svm["subtype"], svm["comment"]) == ("running", "default", "c")
    assert svm["aggregates"] == []
    assert svm["ipspace"] == {"name": "Default"}
    assert svm["iscsi"] == {"allowed": True, "enabled": False}
    assert svm["nfs"] == {"allowed": False, "enabled": False}
    assert (svm["language"], svm["max_volumes"]) == ("c.utf_8", "unlimited")
    assert svm["storage"] == {"limit": 0, "limit_threshold_alert": 90}


def test_a_single_svm_shows_its_aggregates_by_default(api: Array) -> None:
    api.disks(4)
    uuid = api.aggregate()["uuid"]
    svm = api.svm(aggregates=[{"name": "aggr1"}])["uuid"]
    (aggregate,) = api.get(f"{PATH}/{svm}")["aggregates"]
    assert (aggregate["name"], aggregate["uuid"]) == ("aggr1", uuid)
    for _ in range(2):
        api.patch(f"{PATH}/{svm}", {"aggregates": []})
    assert api.get(f"{PATH}/{svm}")["aggregates"] == []


def test_bare_names_and_properties_come_back(api: Array) -> None:
    properties = {"snapshot_policy": "default", "ipspace": "Default", "language": "en_us.utf_8"}
    svm = api.svm(**properties, max_volumes="10")
    assert svm["snapshot_policy"] == {"name": "default"}
    assert (svm["language"], svm["max_volumes"]) == ("en_us.utf_8", "10")
    api.patch(f"{PATH}/{svm['uuid']}", {"storage": {"limit": GIB}})
    record = api.get(f"{PATH}/{svm['uuid']}")
    assert record["storage"] == {"limit": GIB, "limit_threshold_alert": 90}
    assert record["language"] == "en_us.utf_8"


def test_services_can_be_created_with_an_svm(api: Array) -> None:
    services = {"iscsi": {"allowed": True, "enabled": True}, "nvme": {"enabled": True}}
    svm = api.svm(**services)
    assert svm["iscsi"]["enabled"] is True
    assert svm["nvme"]["enabled"] is True
    (service,) = api.records("protocols/san/iscsi/services?fields=enabled,target.name")
    assert service["svm"]["name"] == "svm1"
    assert service["enabled"] is True


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("13434908", {"name": "svm1"}),
        ("2621519", {"name": "1svm"}),
        ("2621519", {"name": "s" * 48}),
        ("262197", {"nfs.allowed": True}),
        ("262197", {"subtype": "dp_destination"}),
        ("5374092", {"fcp.enabled": True}),
        ("2621507", {"iscsi": {"allowed": False, "enabled": True}}),
        ("4", {"aggregates": [{"name": "nope"}]}),
    ],
)
def test_refusals(api: Array, code: str, change: dict[str, Any]) -> None:
    api.svm()
    api.refuse("POST", PATH, code, {"name": "new", **change})


def test_stopping_renaming_and_the_same_again(api: Array) -> None:
    uuid = api.svm()["uuid"]
    api.svm("other")
    for _ in range(2):
        api.patch(f"{PATH}/{uuid}", {"state": "stopped", "name": "renamed"})
    record = api.get(f"{PATH}/{uuid}")
    assert (record["state"], record["name"]) == ("stopped", "renamed")
    api.refuse("PATCH", f"{PATH}/{uuid}", "13434908", {"name": "other"})


def test_an_svm_with_objects_cannot_be_deleted(api: Array) -> None:
    api.disks(4)
    api.aggregate()
    uuid = api.svm(aggregates=["aggr1"])["uuid"]
    volume = api.volume()["uuid"]
    error = api.refuse("DELETE", f"{PATH}/{uuid}", "8")
    assert "volume" in error["message"]
    api.delete(f"storage/volumes/{volume}")
    assert api.delete(f"{PATH}/{uuid}")["state"] == "success"
    assert api.records(PATH) == []
    assert api.records("protocols/san/iscsi/credentials") == []


def test_numbers_in_target_names_are_never_used_twice(api: Array) -> None:
    first = api.svm(iscsi={"enabled": True})["uuid"]
    target = api.records("protocols/san/iscsi/services?fields=target.name")[0]["target"]["name"]
    api.patch(f"protocols/san/iscsi/services/{first}", {"enabled": False})
    api.delete(f"protocols/san/iscsi/services/{first}")
    api.delete(f"{PATH}/{first}")
    api.svm(iscsi={"enabled": True})
    (again,) = api.records("protocols/san/iscsi/services?fields=target.name")
    assert again["target"]["name"] != target


def test_a_failed_creation_does_not_give_its_number_away(api: Array) -> None:
    api.failures[PATH] = ("460770", "no")
    api.call("POST", PATH, {"name": "failed"})
    assert api.records(PATH) == []
    api.failures.clear()
    api.svm()
    (svm,) = api.contents()["svm"]
    assert svm.number == 2
