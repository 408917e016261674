"""Snapshots of a volume and of consistency groups: their fields and their refusals."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, Array
from standing_clock import Clock

VOLUMES, GROUPS = "storage/volumes", "application/consistency-groups"
FUTURE, PAST = "2099-01-01T00:00:00+00:00", "2020-01-01T00:00:00+00:00"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with two volumes, a LUN in the first."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume("vol1")
    api.volume("vol2")
    api.lun()
    return api


def snapshots(array: Array, volume: str = "vol1") -> str:
    [record] = array.records(f"{VOLUMES}?name={volume}")
    return f"{VOLUMES}/{record['uuid']}/snapshots"


class TestOfAVolume:
    def test_a_snapshot_is_shown_as_created(self, array: Array) -> None:
        body = {"name": "s1", "comment": "c", "snapmirror_label": "daily", "svm.name": "svm1"}
        created = array.make(snapshots(array), body)
        assert created["volume"]["name"] == "vol1"
        assert (created["comment"], created["snapmirror_label"]) == ("c", "daily")
        assert created["logical_size"] == 1024**3
        assert array.records(f"{VOLUMES}?fields=snapshot_count&name=vol1")[0]["snapshot_count"] == 1

    def test_names(self, array: Array) -> None:
        path = snapshots(array)
        first = array.make(path, {"name": "s1"})
        array.make(path, {"name": "s2"})
        array.refuse("POST", path, "525059", {"name": "s1"})
        array.refuse("POST", path, "1638518", {"name": "a b"})
        array.refuse("PATCH", f"{path}/{first['uuid']}", "525059", {"name": "s2"})
        array.patch(f"{path}/{first['uuid']}", {"name": "s3"})
        array.make(snapshots(array, "vol2"), {"name": "s2"})

    def test_an_unexpired_snapshot_cannot_be_deleted(self, array: Array) -> None:
        path = snapshots(array)
        created = array.make(path, {"name": "s1", "expiry_time": FUTURE})
        array.refuse("DELETE", f"{path}/{created['uuid']}", "1638555")
        array.patch(f"{path}/{created['uuid']}", {"expiry_time": PAST})
        array.delete(f"{path}/{created['uuid']}")

    @pytest.mark.parametrize("is_kept", [True, False])
    def test_a_restore_needs_room_for_the_reservations(self, array: Array, is_kept: bool) -> None:
        lun = array.lun("/vol/vol1/thick", **{"space.guarantee.requested": True})
        path = snapshots(array)
        array.make(path, {"name": "s1"})
        if is_kept:
            array.patch(f"storage/luns/{lun['uuid']}", {"space.guarantee.requested": False})
            array.patch(f"storage/luns/{lun['uuid']}", {"name": "/vol/vol2/thick"})
        else:
            array.delete(f"storage/luns/{lun['uuid']}")
        volume = path.removesuffix("/snapshots")
        array.patch(volume, {"size": 1024**3 // 2})
        back = f"{volume}?restore_to.snapshot.name=s1"
        error = array.refuse("PATCH", back, "917534", {})
        assert f"Make it {1024**3 // 2} bytes larger" in error["message"]
        small = {"name": "vol3", "svm.name": "svm1", "size": 1024**3 // 2}
        source = {"clone.parent_volume.name": "vol1", "clone.parent_snapshot.name": "s1"}
        array.refuse("POST", VOLUMES, "917534", small | source)
        array.patch(back, {"size": 1024**3})
        assert array.get(f"{volume}?fields=space.available")["space"]["available"] == 0

    def test_a_volume_that_is_offline_has_none_taken(self, array: Array) -> None:
        path = snapshots(array)
        array.patch(path.removesuffix("/snapshots"), {"state": "offline"})
        array.refuse("POST", path, "524479", {"name": "s1"})

    def test_an_impossible_restore_is_refused(self, array: Array) -> None:
        volume = snapshots(array).removesuffix("/snapshots")
        array.refuse("PATCH", f"{volume}?restore_to.snapshot.name=none", "1638600", {})

    def test_the_body_may_name_the_snapshot_to_restore(self, array: Array) -> None:
        path = snapshots(array)
        created = array.make(path, {"name": "s1"})
        volume = path.removesuffix("/snapshots")
        for restored in (
            {"restore_to": {"snapshot": {"name": "s1"}}},
            {"restore_to.snapshot": {"uuid": created["uuid"]}},
            {"restore_to.snapshot.name": "s1", "restore_to.snapshot.uuid": created["uuid"]},
        ):
            array.delete("storage/luns?name=*")
            array.patch(volume, restored)
            assert len(array.records("storage/luns")) == 1
        array.refuse("PATCH", volume, "1638600", {"restore_to": {"snapshot": {"name": "none"}}})
        array.refuse("PATCH", volume, "262179", {"restore_to": {"snapshot": {"size": 7}}})

    def test_restored_objects_follow_a_new_name_of_the_volume(self, array: Array) -> None:
        path = snapshots(array)
        array.make(path, {"name": "s1"})
        array.delete("storage/luns?name=*")
        volume = path.removesuffix("/snapshots")
        array.patch(f"{volume}?restore_to.snapshot.name=s1", {"name": "vol9"})
        assert [lun["name"] for lun in array.records("storage/luns")] == ["/vol/vol9/lun1"]

    def test_snapshots_are_deleted_with_their_volume(self, array: Array) -> None:
        path = snapshots(array)
        array.make(path, {"name": "s1"})
        array.delete(path.removesuffix("/snapshots"))
        owners = {row.owner.partition(":")[0] for row in array.contents()["removal"]}
        assert owners == {"storage/luns", "storage/volumes"}


class TestOfAGroup:
    def group(self, array: Array, *names: str, **more: Any) -> dict[str, Any]:
        volumes = [{"name": name} for name in names]
        return array.make(GROUPS, {"svm.name": "svm1", "name": "g", "volumes": volumes} | more)

    def test_a_snapshot_of_a_group_has_all_its_volumes(self, array: Array) -> None:
        group = self.group(array, "vol1", "vol2")
        created = array.make(f"{GROUPS}/{group['uuid']}/snapshots", {"name": "s1"})
        assert {volume["name"] for volume in created["volumes"]} == {"vol1", "vol2"}
        rows = array.contents()["snapshot"]
        assert [row.taken_with for row in rows] == [created["uuid"]] * 2
        array.delete(f"{GROUPS}/{group['uuid']}/snapshots/{created['uuid']}")
        assert array.contents()["snapshot"] == []

    def test_a_groups_snapshot_is_of_all_volumes_or_none(self, array: Array) -> None:
        group = self.group(array, "vol1", "vol2")
        array.make(snapshots(array, "vol2"), {"name": "s1"})
        array.refuse("POST", f"{GROUPS}/{group['uuid']}/snapshots", "525059", {"name": "s1"})

    def test_a_volume_is_in_one_group(self, array: Array) -> None:
        group = self.group(array, "vol1")
        body = {"svm.name": "svm1", "name": "other", "volumes": [{"name": "vol1"}]}
        array.refuse("POST", GROUPS, "8", body)
        unknown = body | {"volumes": [{"name": "none"}]}
        array.refuse("POST", GROUPS, "53411861", unknown)
        volume = snapshots(array).removesuffix("/snapshots")
        array.refuse("DELETE", volume, "8")
        removal = {"name": "vol1", "provisioning_options": {"action": "remove"}}
        array.patch(f"{GROUPS}/{group['uuid']}", {"volumes": [removal, {"name": "vol2"}]})
        volumes = array.get(f"{GROUPS}/{group['uuid']}")["volumes"]
        assert [item["name"] for item in volumes] == ["vol2"]
        array.delete(volume)

    def test_its_volumes_go_back_together(self, array: Array) -> None:
        group = self.group(array, "vol1", "vol2")
        path = f"{GROUPS}/{group['uuid']}"
        array.make(f"{path}/snapshots", {"name": "s1"})
        array.lun("/vol/vol2/later")
        array.patch(f"{path}?restore_to.snapshot.name=s1", {})
        assert [lun["name"] for lun in array.records("storage/luns")] == ["/vol/vol1/lun1"]
        array.refuse("PATCH", f"{path}?restore_to.snapshot.name=s2", "1638600", {})

    def test_a_restore_goes_by_identity_and_not_by_name(self, array: Array) -> None:
        path = f"{GROUPS}/{self.group(array, 'vol1')['uuid']}"
        array.make(f"{path}/snapshots", {"name": "s1"})
        of_volume = snapshots(array)
        [snapshot] = array.records(of_volume)
        array.patch(f"{of_volume}/{snapshot['uuid']}", {"name": "renamed"})
        array.delete("storage/luns?name=*")
        array.make(of_volume, {"name": "s1"})
        array.patch(f"{path}?restore_to.snapshot.name=s1", {})
        assert [lun["name"] for lun in array.records("storage/luns")] == ["/vol/vol1/lun1"]

    def test_a_groups_snapshot_lists_its_volumes(self, array: Array) -> None:
        group = self.group(array, "vol1", "vol2")
        path = f"{GROUPS}/{group['uuid']}/snapshots"
        created = array.make(path, {"name": "s1", "write_fence": False})
        record = array.get(f"{path}/{created['uuid']}?fields=**")
        assert not record["is_partial"]
        assert record["missing_volumes"] == []
        assert [lun["name"] for lun in record["luns"]] == ["/vol/vol1/lun1"]
        pairs = {(e["volume"]["name"], e["snapshot"]["name"]) for e in record["snapshot_volumes"]}
        assert pairs == {("vol1", "s1"), ("vol2", "s1")}
        array.volume("vol3")
        array.patch(f"{GROUPS}/{group['uuid']}", {"volumes": [{"name": "vol3"}]})
        record = array.get(f"{path}/{created['uuid']}?fields=**")
        assert record["is_partial"]
        assert [volume["name"] for volume in record["missing_volumes"]] == ["vol3"]

    def test_a_started_snapshot_is_committed_in_time(self, array: Array, clock: Clock) -> None:
        path = f"{GROUPS}/{self.group(array, 'vol1')['uuid']}/snapshots"
        started = f"{path}?action=start&action_timeout=30"
        one = f"{path}/{array.make(started, {'name': 's1'})['uuid']}"
        assert array.get(one)["commit_by"]
        array.refuse("PATCH", f"{one}?action=start", "262197", {})
        array.patch(f"{one}?action=commit", {})
        assert "commit_by" not in array.get(one)
        array.refuse("PATCH", one, "53411921", {"action": "commit"})
        array.refuse("POST", f"{path}?action=commit", "262197", {"name": "s3"})
        late = f"{path}/{array.make(started, {'name': 's2'})['uuid']}"
        clock.now += 31
        array.refuse("PATCH", f"{late}?action=commit", "53411921", {})

    def test_writes_are_not_held_from_start_to_commit(self, array: Array) -> None:
        path = f"{GROUPS}/{self.group(array, 'vol1', 'vol2')['uuid']}/snapshots"
        started, fenced = f"{path}?action=start", {"name": "s1", "write_fence": True}
        assert array.refuse("POST", started, "53411918", fenced)["target"] == "write_fence"
        array.refuse("POST", started, "53411918", {"name": "s1"})
        array.make(started, {"name": "s1", "write_fence": False})
        array.make(path, {"name": "s2", "write_fence": True})

    def test_a_volume_may_be_created_in_a_group(self, array: Array) -> None:
        entry = {"name": "new", "provisioning_options": {"action": "create"}}
        body = {"svm.name": "svm1", "name": "cg1", "volumes": [entry]}
        assert array.refuse("POST", GROUPS, "2", body)["target"] == "volumes.space.size"
        sized = entry | {"space": {"size": GIB}}
        created = array.make(GROUPS, body | {"volumes": [sized, {"name": "vol1"}]})
        assert {volume["name"] for volume in created["volumes"]} == {"new", "vol1"}
        assert array.records(f"{VOLUMES}?name=new&fields=size")[0]["size"] == GIB
        place = f"{GROUPS}/{created['uuid']}"
        array.refuse("PATCH", place, "917526", {"volumes": [sized]})
        array.refuse("PATCH", place, "262197", {"volumes": [{"name": "vol1", "space.size": GIB}]})
        array.patch(place, {"volumes": [sized | {"name": "newer"}]})
        assert len(array.get(place)["volumes"]) == 3

    def test_a_groups_policy_is_in_use_and_of_its_svm(self, array: Array) -> None:
        array.svm("svm2")
        copies = [{"schedule": "hourly", "count": 2}]
        for name, more in (("own", {}), ("other", {"svm.name": "svm2"})):
            array.make("storage/snapshot-policies", {"name": name, "copies": copies, **more})
        place = f"{GROUPS}/{self.group(array, 'vol1')['uuid']}"
        assert array.get(place)["snapshot_policy"]["name"] == "none"
        array.patch(place, {"snapshot_policy": {"name": "own"}})
        assert array.get(place)["snapshot_policy"]["name"] == "own"
        array.refuse("DELETE", "storage/snapshot-policies?name=own", "1638415")
        [other] = array.records("storage/snapshot-policies?name=other")
        array.refuse("PATCH", place, "917551", {"snapshot_policy.uuid": other["uuid"]})
        array.patch(place, {"snapshot_policy": "none"})
        array.delete("storage/snapshot-policies?name=own")

    def test_a_snapshot_of_volumes_alone_is_none_of_the_group(self, array: Array) -> None:
        path = f"{GROUPS}/{self.group(array, 'vol1')['uuid']}"
        array.make(snapshots(array), {"name": "s1"})
        array.refuse("PATCH", f"{path}?restore_to.snapshot.name=s1", "1638600", {})
