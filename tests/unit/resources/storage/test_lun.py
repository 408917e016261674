"""LUNs: paths, sizes, identity for hosts, and deletion."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, Array
from sqlalchemy import select

from sanstone.core.database.store import writing
from sanstone.model.aggregates import Aggregate

PATH = "storage/luns"
SAME_SIZE = "New LUN size is the same as the old LUN size"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with aggr1 of 20 GiB, svm1 and in it the volume vol1 of 5 GiB."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume()
    return api


def body(**more: Any) -> dict[str, Any]:
    new = {"svm": {"name": "svm1"}, "name": "/vol/vol1/new", "os_type": "linux", "space.size": GIB}
    return {**new, **more}


def map_lun(array: Array, lun: str) -> None:
    array.make("protocols/san/igroups", {"name": "g", "svm": "svm1", "os_type": "linux"})
    body = {"svm": {"name": "svm1"}, "lun": {"name": lun}, "igroup": {"name": "g"}}
    array.make("protocols/san/lun-maps", body)


class TestCreate:
    def test_a_lun_as_trident_makes_and_reads_it(self, array: Array) -> None:
        space = {"size": GIB, "guarantee": {"requested": False}}
        body = {"name": "/vol/vol1/lun0", "os_type": "linux", "space": space, "svm.name": "svm1"}
        response = array.call("POST", f"{PATH}?return_records=true", body)
        assert response.status_code == 201
        answer = response.get_json()
        assert answer["num_records"] == 1
        uuid = answer["records"][0]["uuid"]
        assert response.headers["Location"] == f"/api/{PATH}/{uuid}"
        fields = (
            "lun_maps.igroup.name,lun_maps.logical_unit_number,space.size,comment,"
            "status.mapped,location.volume.name,create_time,enabled,serial_number,status.state,os_type"
        )
        svm = array.records("svm/svms")[0]["uuid"]
        (lun,) = array.records(f"{PATH}?fields={fields}&name=/vol/vol1/lun0&svm.uuid={svm}")
        assert (lun["space"]["size"], lun["os_type"], lun["enabled"]) == (GIB, "linux", True)
        assert lun["status"] == {"mapped": False, "state": "online"}
        assert lun["location"]["volume"]["name"] == "vol1"
        assert "lun_maps" not in lun

    def test_name_and_location_are_two_views_of_one_thing(self, array: Array) -> None:
        location = {"volume": {"name": "vol1"}, "logical_unit": "by-location"}
        new = {"svm": "svm1", "location": location, "os_type": "linux", "space.size": GIB}
        assert array.make(PATH, new)["name"] == "/vol/vol1/by-location"
        created = array.lun("/vol/vol1/by_name", **{"location.volume.name": "vol1"})
        assert created["location"]["logical_unit"] == "by_name"
        assert created["location"]["node"]["name"] == "array1-01"
        assert created["svm"]["name"] == "svm1"

    def test_serial_numbers_are_what_hosts_can_see(self, array: Array) -> None:
        one, two = array.lun("/vol/vol1/a"), array.lun("/vol/vol1/b")
        assert len(one["serial_number"]) == 12
        assert one["serial_number_hex"] == one["serial_number"].encode().hex()
        assert one["serial_number"] != two["serial_number"]

    @pytest.mark.parametrize(
        ("requested", "size"), [(1_000_000_001, 1_000_001_536), ("1GB", GIB), ("4096", 4096)]
    )
    def test_sizes_are_rounded_up_to_whole_sectors(
        self, array: Array, requested: Any, size: int
    ) -> None:
        assert array.lun(**{"space.size": requested})["space"]["size"] == size

    def test_a_reservation_takes_its_size_off_the_volume(self, array: Array) -> None:
        created = array.lun(
            "/vol/vol1/a", **{"space.size": "3GB", "space.guarantee.requested": True}
        )
        assert created["space"]["guarantee"] == {"requested": True, "reserved": False}
        thick = {"space.size": "3GB", "space.guarantee.requested": True}
        error = array.refuse("POST", PATH, "5374125", body(**thick))
        assert str(2 * GIB) in error["message"]
        array.lun("/vol/vol1/b", **{"space.size": "2GB", "space.guarantee.requested": True})
        array.lun("/vol/vol1/thin", **{"space.size": "100GB"})

    @pytest.mark.parametrize(
        ("code", "change"),
        [
            ("5374242", {"name": "/vol/vol1/there"}),
            ("5374242", {"name": "/vol/vol1/namespace"}),
            ("5374127", {"name": "lun1"}),
            ("5374127", {"name": "/vol/vol1/a b"}),
            ("5374127", {"name": "/vol/vol1/.."}),
            ("917927", {"name": "/vol/nope/l"}),
            ("917927", {"name": "/vol/elsewhere/l"}),
            ("5374858", {"location.volume.name": "vol2"}),
            ("5374858", {"location.logical_unit": "other"}),
            ("5374124", {"space.size": 4095}),
            ("5374125", {"space.size": "129TB"}),
            ("5374130", {"space.size": "many"}),
            ("262197", {"os_type": "image"}),
            ("262197", {"comment": "c" * 255}),
            ("262196", {"serial_number": "abcdefabcdef"}),
            ("2621462", {"svm": {"name": "nope"}}),
        ],
    )
    def test_refusals(self, array: Array, code: str, change: dict[str, Any]) -> None:
        array.volume("vol2")
        array.svm("svm2")
        array.volume("elsewhere", svm="svm2")
        array.lun("/vol/vol1/there")
        array.namespace("/vol/vol1/namespace")
        array.refuse("POST", PATH, code, body(**change))

    @pytest.mark.parametrize(
        ("code", "missing"),
        [("5374884", "os_type"), ("5374884", "space.size"), ("2621707", "svm")],
    )
    def test_missing_fields_are_named(self, array: Array, code: str, missing: str) -> None:
        incomplete = {name: value for name, value in body().items() if name != missing}
        assert array.refuse("POST", PATH, code, incomplete)["target"] == missing

    def test_either_a_name_or_a_whole_location(self, array: Array) -> None:
        nameless = {name: value for name, value in body().items() if name != "name"}
        array.refuse("POST", PATH, "5374859", nameless)
        array.refuse("POST", PATH, "5374862", {**nameless, "location.volume.name": "vol1"})

    def test_a_volume_of_another_svm_is_unknown_even_by_uuid(self, array: Array) -> None:
        array.svm("svm2")
        other = array.volume("elsewhere", svm="svm2")["uuid"]
        new = {"svm": "svm1", "os_type": "linux", "space.size": GIB}
        new |= {"location.volume.uuid": other, "location.logical_unit": "l"}
        array.refuse("POST", PATH, "917927", new)

    def test_a_copy_has_one_source(self, array: Array) -> None:
        array.lun("/vol/vol1/one")
        array.lun("/vol/vol1/other")
        sources = {"clone.source.name": "/vol/vol1/one", "copy.source.name": "/vol/vol1/other"}
        new = {"svm": {"name": "svm1"}, "name": "/vol/vol1/new"} | sources
        error = array.refuse("POST", PATH, "262186", new)
        assert error["message"] == 'Field "clone.source" cannot be used with field "copy.source".'
        assert error["target"] == "copy.source"

    def test_not_in_a_stopped_svm(self, array: Array) -> None:
        svm = array.records("svm/svms")[0]["uuid"]
        array.patch(f"svm/svms/{svm}", {"state": "stopped"})
        array.refuse("POST", PATH, "5374893", body())

    def test_not_on_an_aggregate_that_is_offline(self, array: Array) -> None:
        lun = array.lun()["uuid"]
        uuid = array.records("storage/aggregates")[0]["uuid"]
        array.observe("storage/aggregates", uuid, state="offline")
        array.refuse("POST", PATH, "5374865", body())
        status = array.get(f"{PATH}/{lun}")["status"]
        assert (status["state"], status["container_state"]) == ("offline", "aggregate_offline")

    def test_a_failed_creation_leaves_only_the_cleaning_up_and_its_id_is_not_reused(
        self, array: Array
    ) -> None:
        array.failures[PATH] = ("460770", "The pool is full.")
        response = array.call("POST", PATH, body())
        assert response.status_code == 500
        assert response.get_json()["error"] == {"code": "460770", "message": "The pool is full."}
        assert array.records(PATH) == []
        (removal,) = array.contents()["removal"]
        array.failures.clear()
        array.lun()
        (lun,) = array.contents()["lun"]
        assert lun.thin_id > removal.data["thin_id"]

    def test_not_when_the_pool_has_no_device_ids_left(self, array: Array) -> None:
        with writing(array.database) as session:
            session.scalars(select(Aggregate)).one().next_thin_id = 2**24 - 1
        array.lun()
        error = array.refuse("POST", PATH, "8", body())
        assert "device ids" in error["message"]


class TestChange:
    def test_growing(self, array: Array) -> None:
        path = f"{PATH}/{array.lun()['uuid']}"
        array.patch(path, {"space": {"size": "2GB"}})
        assert array.get(path)["space"]["size"] == 2 * GIB
        error = array.refuse("PATCH", path, "1254226", {"space.size": 2 * GIB})
        assert SAME_SIZE in error["message"]
        array.refuse("PATCH", path, "1254226", {"space.size": 2 * GIB - 1})
        array.refuse("PATCH", path, "5374892", {"space.size": GIB})

    def test_growing_a_reserved_one_needs_room(self, array: Array) -> None:
        path = f"{PATH}/{array.lun(**{'space.guarantee.requested': True})['uuid']}"
        array.refuse("PATCH", path, "5374125", {"space.size": "6GB"})
        array.patch(path, {"space.size": "5GB"})

    def test_a_reservation_can_be_requested_later(self, array: Array) -> None:
        path = f"{PATH}/{array.lun(**{'space.size': '4GB'})['uuid']}"
        for _ in range(2):
            array.patch(path, {"space": {"guarantee": {"requested": True}}})
        large = f"{PATH}/{array.lun('/vol/vol1/large', **{'space.size': '2GB'})['uuid']}"
        array.refuse("PATCH", large, "5374125", {"space.guarantee.requested": True})

    def test_rename_within_the_volume(self, array: Array) -> None:
        lun = array.lun()
        path = f"{PATH}/{lun['uuid']}"
        array.lun("/vol/vol1/other")
        array.patch(path, {"name": "/vol/vol1/renamed"})
        record = array.get(path)
        assert (record["name"], record["location"]["logical_unit"]) == (
            "/vol/vol1/renamed",
            "renamed",
        )
        assert record["serial_number"] == lun["serial_number"]
        array.patch(path, {"location.logical_unit": "again"})
        assert array.get(path)["name"] == "/vol/vol1/again"
        array.refuse("PATCH", path, "1254196", {"name": "/vol/vol1/other"})

    def test_moving_between_volumes_of_an_aggregate(self, array: Array) -> None:
        path = f"{PATH}/{array.lun()['uuid']}"
        array.volume("vol2", aggregates=["aggr1"])
        array.patch(path, {"name": "/vol/vol2/lun1"})
        assert array.get(path)["location"]["volume"]["name"] == "vol2"
        array.patch(path, {"location": {"volume": {"name": "vol1"}}})
        assert array.get(path)["name"] == "/vol/vol1/lun1"
        assert array.get(f"{PATH}?location.volume.name=vol1")["num_records"] == 1

    def test_not_to_another_aggregate(self, array: Array) -> None:
        path = f"{PATH}/{array.lun()['uuid']}"
        array.aggregate("aggr2")
        array.volume("vol2", aggregates=["aggr2"])
        array.refuse("PATCH", path, "262197", {"name": "/vol/vol2/lun1"})

    def test_changes_merge_and_may_be_repeated(self, array: Array) -> None:
        path = f"{PATH}/{array.lun(comment='c')['uuid']}"
        change = {"enabled": False, "space.scsi_thin_provisioning_support_enabled": False}
        for _ in range(2):
            array.patch(path, change)
        record = array.get(path)
        assert (record["enabled"], record["comment"]) == (False, "c")
        assert record["status"]["state"] == "offline"
        assert record["space"]["scsi_thin_provisioning_support_enabled"] is False

    def test_fixed_fields_cannot_change(self, array: Array) -> None:
        path = f"{PATH}/{array.lun()['uuid']}"
        array.refuse("PATCH", path, "262196", {"os_type": "windows"})
        array.refuse("PATCH", path, "262196", {"svm": {"name": "svm1"}})

    def test_a_fault_shows_as_offline(self, array: Array) -> None:
        uuid = array.lun()["uuid"]
        array.observe(PATH, uuid, "The device is missing.")
        assert array.get(f"{PATH}/{uuid}")["status"]["state"] == "offline"


class TestDelete:
    def test_its_data_is_let_go_explicitly(self, array: Array) -> None:
        array.lun("/vol/vol1/first")
        lun = array.lun()
        uuid, serial = lun["uuid"], lun["serial_number"]
        aggregate = array.records("storage/aggregates")[0]["uuid"]
        array.delete(f"{PATH}/{uuid}")
        array.get(f"{PATH}/{uuid}", 404)
        (removal,) = array.contents()["removal"]
        assert (removal.kind, removal.owner) == ("thin", f"{PATH}:{uuid}")
        data = {"uuid": uuid, "aggregate": aggregate, "thin_id": 2, "serial": serial}
        assert removal.data == data

    def test_a_mapped_lun_is_deleted_only_by_explicit_option(self, array: Array) -> None:
        lun = array.lun()
        map_lun(array, lun["name"])
        path = f"{PATH}/{lun['uuid']}"
        record = array.get(f"{path}?fields=**")
        assert record["status"]["mapped"] is True
        assert record["lun_maps"][0]["igroup"]["name"] == "g"
        assert record["lun_maps"][0]["logical_unit_number"] == 0
        array.refuse("DELETE", path, "1254197")
        array.delete(f"{path}?allow_delete_while_mapped=true")
        assert array.records("protocols/san/lun-maps") == []

    def test_cinder_deletes_by_query_on_the_collection(self, array: Array) -> None:
        array.lun("/vol/vol1/keep")
        array.lun()
        query = "allow_delete_while_mapped=true&name=/vol/vol1/lun1&svm.name=svm1"
        assert array.delete(f"{PATH}?{query}") == {"num_records": 1}
        assert [record["name"] for record in array.records(PATH)] == ["/vol/vol1/keep"]


def test_used_space_is_what_was_seen(array: Array) -> None:
    uuid = array.lun()["uuid"]
    assert array.get(f"{PATH}/{uuid}")["space"]["used"] == 0
    array.observe(PATH, uuid, used=12345)
    assert array.get(f"{PATH}/{uuid}")["space"]["used"] == 12345
