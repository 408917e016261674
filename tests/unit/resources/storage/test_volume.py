"""Volumes: their aggregate, their guarantees, and the LUNs and namespaces in them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import DISK_SIZE, GIB, Array

PATH = "storage/volumes"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with the aggregate aggr1 of 20 GiB and the SVM svm1."""
    api.disks(12)
    api.aggregate()
    api.svm()
    return api


def body(**more: Any) -> dict[str, Any]:
    return {"name": "v", "svm": {"name": "svm1"}, "size": GIB, **more}


class TestCreate:
    def test_fields_of_trident_come_back(self, array: Array) -> None:
        body: dict[str, Any] = {
            "name": "trident_pvc_1",
            "size": 1181116006,
            "aggregates": [{"name": "aggr1"}],
            "guarantee": {"type": "none"},
            "snapshot_policy": {"name": "none"},
            "space": {"snapshot": {"reserve_percent": 0}},
            "nas": {"export_policy": {"name": "default"}, "security_style": "unix"},
            "style": "flexvol",
            "state": "online",
            "tiering": {"policy": "none"},
            "comment": '{"provisioning":{"storageDriverName":"ontap-san"}}',
            "encryption": {"enabled": False},
            "snapshot_directory_access_enabled": False,
            "svm": {"uuid": array.records("svm/svms")[0]["uuid"]},
        }
        response = array.call("POST", PATH, body)
        assert response.status_code == 202
        assert response.headers["Location"].startswith(f"/api/{PATH}/")
        fields = (
            "type,size,comment,aggregates,nas,guarantee,snapshot_policy,"
            "snapshot_directory_access_enabled,space.snapshot.used,space.snapshot.reserve_percent,"
            "nas.export_policy.name,autosize.mode"
        )
        query = f"name=trident_pvc_1&style=flexvol&svm.uuid={body['svm']['uuid']}"
        (record,) = array.records(f"{PATH}?fields={fields}&{query}")
        assert (record["size"], record["type"], record["comment"]) == (
            body["size"],
            "rw",
            body["comment"],
        )
        assert record["aggregates"][0]["name"] == "aggr1"
        assert record["nas"]["export_policy"] == {"name": "default"}
        assert record["snapshot_directory_access_enabled"] is False
        assert record["space"]["snapshot"] == {"reserve_percent": 0, "used": 0}
        assert record["autosize"] == {"mode": "off"}

    def test_filters_of_cinder(self, array: Array) -> None:
        array.volume("flex1")
        query = "type=rw&style=flex*&is_svm_root=false&error_state.is_inconsistent=false"
        records = array.records(f"{PATH}/?fields=name,style&{query}&state=online&max_records=10")
        assert [record["name"] for record in records] == ["flex1"]

    def test_dotted_fields_of_ansible_come_back(self, array: Array) -> None:
        created = array.make(
            PATH,
            {
                "name": "v",
                "svm.name": "svm1",
                "size": "2GB",
                "guarantee.type": "volume",
                "nas.unix_permissions": "755",
                "nas.path": "/v",
                "space.snapshot.reserve_percent": 5,
                "tiering.policy": "snapshot-only",
                "snapshot_policy": "default",
            },
        )
        assert (created["size"], created["space"]["size"]) == (2 * GIB, 2 * GIB)
        assert created["guarantee"] == {"type": "volume"}
        assert (created["nas"]["path"], created["nas"]["unix_permissions"]) == ("/v", 755)
        assert created["space"]["snapshot"]["reserve_percent"] == 5
        assert created["tiering"]["policy"] == "snapshot_only"
        assert created["snapshot_policy"]["name"] == "default"

    def test_without_an_aggregate_it_goes_where_most_is_left(self, array: Array) -> None:
        array.aggregate("aggr2", count=8)
        assert array.volume("v1")["aggregates"][0]["name"] == "aggr2"

    def test_the_aggregates_of_the_svm_come_first(self, array: Array) -> None:
        array.aggregate("aggr2", count=8)
        array.svm("svm2", aggregates=[{"name": "aggr1"}])
        assert array.volume("v1", svm="svm2")["aggregates"][0]["name"] == "aggr1"

    def test_an_aggregate_that_is_offline_is_not_used(self, array: Array) -> None:
        uuid = array.records("storage/aggregates")[0]["uuid"]
        array.observe("storage/aggregates", uuid, state="offline")
        array.refuse("POST", PATH, "787140", body())
        array.refuse("POST", PATH, "787140", body(aggregates=["aggr1"]))

    @pytest.mark.parametrize(
        ("code", "change"),
        [
            ("917526", {"name": "there"}),
            ("917886", {"name": "v" * 204}),
            ("917887", {"name": "1v"}),
            ("917887", {"name": "pvc-1"}),
            ("917534", {"size": 1024}),
            ("917534", {"size": "2000TB"}),
            ("262186", {"space.size": 2 * GIB}),
            ("917508", {"aggregates": [{"name": "nope"}]}),
            ("918242", {"aggregates": ["aggr1", "aggr2"]}),
            ("2621462", {"svm": {"name": "nope"}}),
            ("917835", {"space.snapshot.reserve_percent": 91}),
            ("262197", {"encryption.enabled": True}),
            ("262197", {"style": "flexgroup"}),
            ("262197", {"guarantee.type": "file"}),
            ("262179", {"no_such_field": 1}),
            ("524601", {"clone.is_flexclone": True}),
        ],
    )
    def test_refusals(self, array: Array, code: str, change: dict[str, Any]) -> None:
        array.volume("there")
        array.aggregate("aggr2")
        array.refuse("POST", PATH, code, body(**change))

    def test_svm_and_size_are_needed(self, array: Array) -> None:
        array.refuse("POST", PATH, "2621707", {"name": "v", "size": GIB})
        array.refuse("POST", PATH, "2", {"name": "v", "svm": "svm1"})

    def test_the_same_name_in_another_svm_is_fine(self, array: Array) -> None:
        array.svm("svm2")
        array.volume("v", svm="svm1")
        array.volume("v", svm="svm2")


class TestGuarantee:
    def test_guarantees_never_add_up_to_more_than_there_is(self, array: Array) -> None:
        array.volume("a", size=15 * GIB, **{"guarantee.type": "volume"})
        error = array.refuse(
            "POST", PATH, "917536", body(size=6 * GIB, **{"guarantee.type": "volume"})
        )
        assert "there is not enough space in aggregate" in error["message"]
        array.volume("b", size=5 * GIB, **{"guarantee.type": "volume"})
        array.volume("thin", size=100 * GIB)

    def test_used_space_without_a_guarantee_counts(self, array: Array) -> None:
        array.volume("thin", size=100 * GIB)
        lun = array.lun("/vol/thin/l")["uuid"]
        array.observe("storage/luns", lun, used=3 * GIB)
        thick = {"guarantee.type": "volume"}
        array.refuse("POST", PATH, "917536", body(size=2 * DISK_SIZE - 2 * GIB, **thick))
        array.volume("a", size=2 * DISK_SIZE - 3 * GIB, **thick)

    def test_a_guarantee_can_be_requested_later_and_is_checked_then(self, array: Array) -> None:
        uuid = array.volume("a", size=15 * GIB)["uuid"]
        array.volume("b", size=10 * GIB, **{"guarantee.type": "volume"})
        path = f"{PATH}/{uuid}"
        array.refuse("PATCH", path, "917536", {"guarantee": {"type": "volume"}})
        array.patch(path, {"guarantee": {"type": "volume"}, "size": 10 * GIB})
        array.refuse("PATCH", path, "917536", {"size": 11 * GIB})
        assert array.patch(path, {"size": 10 * GIB})["state"] == "success"


class TestSpace:
    def test_used_and_available(self, array: Array) -> None:
        uuid = array.volume(size=10 * GIB, **{"space.snapshot.reserve_percent": 10})["uuid"]
        array.lun(**{"space.guarantee.requested": True, "space.size": 2 * GIB})
        namespace = array.namespace()["uuid"]
        array.observe("storage/namespaces", namespace, used=GIB)
        space = array.get(f"{PATH}/{uuid}")["space"]
        assert (space["used"], space["available"]) == (3 * GIB, 6 * GIB)
        assert space["logical_space"]["used"] == 3 * GIB
        assert space["percent_used"] == 33

    def test_a_volume_does_not_shrink_below_its_content(self, array: Array) -> None:
        uuid = array.volume(size=10 * GIB)["uuid"]
        array.lun(**{"space.guarantee.requested": True, "space.size": 2 * GIB})
        path = f"{PATH}/{uuid}"
        array.refuse("PATCH", path, "917534", {"size": 2 * GIB - 4096})
        array.refuse("PATCH", path, "917534", {"size": "2GB", "space.snapshot.reserve_percent": 10})
        assert array.patch(path, {"size": 2 * GIB})["state"] == "success"

    def test_a_volume_with_more_in_it_than_its_size_can_grow(self, array: Array) -> None:
        uuid = array.volume(size=GIB)["uuid"]
        lun = array.lun(**{"space.size": 4 * GIB})["uuid"]
        array.observe("storage/luns", lun, used=3 * GIB)
        space = array.get(f"{PATH}/{uuid}")["space"]
        assert (space["available"], space["percent_used"]) == (0, 300)
        assert array.patch(f"{PATH}/{uuid}", {"size": 2 * GIB})["state"] == "success"


class TestChange:
    def test_changes_merge(self, array: Array) -> None:
        uuid = array.volume(comment="old", **{"nas.path": "/v"})["uuid"]
        path = f"{PATH}/{uuid}"
        array.patch(path, {"nas": {"unix_permissions": 700}})
        for _ in range(2):
            array.patch(path, {"comment": "new"})
        record = array.get(path)
        assert (record["comment"], record["size"]) == ("new", 5 * GIB)
        assert (record["nas"]["path"], record["nas"]["unix_permissions"]) == ("/v", 700)

    def test_rename_renames_the_paths_of_what_is_in_it(self, array: Array) -> None:
        uuid = array.volume()["uuid"]
        array.volume("other")
        lun, namespace = array.lun()["uuid"], array.namespace()["uuid"]
        array.refuse("PATCH", f"{PATH}/{uuid}", "917526", {"name": "other"})
        assert array.patch(f"{PATH}/{uuid}", {"name": "renamed"})["state"] == "success"
        assert array.get(f"storage/luns/{lun}")["name"] == "/vol/renamed/lun1"
        record = array.get(f"storage/namespaces/{namespace}")
        assert record["name"] == "/vol/renamed/ns1"
        assert record["location"]["volume"]["name"] == "renamed"

    def test_offline_takes_down_what_is_in_it(self, array: Array) -> None:
        uuid = array.volume()["uuid"]
        lun = array.lun()["uuid"]
        array.patch(f"{PATH}/{uuid}", {"state": "offline"})
        status = array.get(f"storage/luns/{lun}")["status"]
        assert (status["state"], status["container_state"]) == ("offline", "volume_offline")
        new = {"svm": "svm1", "name": "/vol/vol1/l2", "os_type": "linux", "space.size": GIB}
        array.refuse("POST", "storage/luns", "5374866", new)
        array.patch(f"{PATH}/{uuid}", {"state": "online"})
        assert array.get(f"storage/luns/{lun}")["status"]["state"] == "online"

    def test_a_failure_of_a_lun_in_it_fails_the_job_that_takes_it_offline(
        self, array: Array
    ) -> None:
        uuid = array.volume()["uuid"]
        lun = array.lun()["uuid"]
        array.failures[f"storage/luns:{lun}"] = ("460770", "In use.")
        assert array.patch(f"{PATH}/{uuid}", {"state": "offline"})["state"] == "failure"
        assert array.get(f"{PATH}/{uuid}")["state"] == "online"

    def test_its_aggregate_and_svm_stay(self, array: Array) -> None:
        path = f"{PATH}/{array.volume()['uuid']}"
        array.refuse("PATCH", path, "262196", {"aggregates": [{"name": "aggr1"}]})
        array.refuse("PATCH", path, "262196", {"svm": {"name": "svm1"}})


class TestDelete:
    def test_content_is_deleted_with_its_volume(self, array: Array) -> None:
        uuid = array.volume()["uuid"]
        lun, namespace = array.lun()["uuid"], array.namespace()["uuid"]
        job = array.delete(f"{PATH}/{uuid}?force=false")
        assert job["state"] == "success"
        assert array.records("storage/luns") == array.records("storage/namespaces") == []
        removals = {row.data["uuid"]: row for row in array.contents()["removal"]}
        assert removals.keys() == {lun, namespace}
        assert {row.data["thin_id"] for row in removals.values()} == {1, 2}

    @pytest.mark.parametrize("force", ["", "?force=true"])
    def test_not_while_something_in_it_is_mapped(self, array: Array, force: str) -> None:
        uuid = array.volume()["uuid"]
        lun = array.lun()
        array.make("protocols/san/igroups", {"name": "g", "svm": "svm1", "os_type": "linux"})
        lun_map = {"svm": {"name": "svm1"}, "lun": {"name": lun["name"]}, "igroup": {"name": "g"}}
        array.make("protocols/san/lun-maps", lun_map)
        array.refuse("DELETE", f"{PATH}/{uuid}{force}", "8")

    def test_a_failed_deletion_is_taken_back_with_all_that_was_in_it(self, array: Array) -> None:
        uuid = array.volume()["uuid"]
        lun = array.lun()["uuid"]
        array.failures[f"storage/luns:{lun}"] = ("460770", "In use.")
        before = array.get(f"storage/luns/{lun}")
        assert array.delete(f"{PATH}/{uuid}")["state"] == "failure"
        assert array.get(f"storage/luns/{lun}") == before
        assert array.contents()["removal"] == []
