"""LUN maps: numbers, and the LUNs that initiators of several igroups see."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import NODE_UUID, Array
from sqlalchemy import select

from sanstone.core.database.store import writing
from sanstone.model.san import Igroup, Lun, LunMap
from sanstone.resources.san.lun_map import LARGEST_NUMBER

MAPS = "protocols/san/lun-maps"
IGROUPS = "protocols/san/igroups"
HOST = "iqn.1994-05.com.redhat:host1"
OTHER = "iqn.1994-05.com.redhat:host2"


@pytest.fixture
@prepared_once
def san(api: Array) -> Array:
    """An array with LUNs a, b and c, an igroup `one` of HOST and `two` of OTHER."""
    api.disks(4)
    api.aggregate()
    api.svm()
    api.volume()
    for name in "abc":
        api.lun(f"/vol/vol1/{name}")
    for name, initiator in (("one", HOST), ("two", OTHER)):
        body = {
            "svm.name": "svm1",
            "name": name,
            "os_type": "linux",
            "initiators": [initiator],
        }
        api.make(IGROUPS, body)
    return api


def entry(lun: str, igroup: str = "one", **more: Any) -> dict[str, Any]:
    """Return the body of a map."""
    names = {"lun": {"name": f"/vol/vol1/{lun}"}, "igroup": {"name": igroup}}
    return {"svm": {"name": "svm1"}, **names, **more}


def join(api: Array, igroup: str, initiator: str) -> tuple[str, dict[str, str]]:
    """Return path and body of the request that adds an initiator."""
    [record] = api.records(f"{IGROUPS}?name={igroup}")
    return f"{IGROUPS}/{record['uuid']}/initiators", {"name": initiator}


def test_a_map_is_shown_as_created(san: Array) -> None:
    created = san.make(MAPS, entry("a", logical_unit_number="7"))
    path = f"{MAPS}/{created['lun']['uuid']}/{created['igroup']['uuid']}"
    record = san.get(f"{path}?fields=**")
    assert (record["lun"]["name"], record["igroup"]["name"]) == ("/vol/vol1/a", "one")
    assert (record["svm"]["name"], record["logical_unit_number"]) == ("svm1", 7)
    assert (record["igroup"]["os_type"], record["igroup"]["protocol"]) == (
        "linux",
        "mixed",
    )
    assert record["lun"]["node"]["name"] == "array1-01"
    assert record["reporting_nodes"] == [{"name": "array1-01", "uuid": NODE_UUID}]


def test_a_list_shows_lun_and_igroup_by_default(san: Array) -> None:
    san.make(MAPS, entry("a"))
    [record] = san.records(f"{MAPS}?lun.name=/vol/vol1/a&igroup.name=one")
    del record["_links"]
    assert record.keys() == {"svm", "lun", "igroup", "logical_unit_number"}


def test_the_igroup_shows_its_maps(san: Array) -> None:
    created = san.make(MAPS, entry("a"))
    record = san.get(f"{IGROUPS}/{created['igroup']['uuid']}?fields=lun_maps")
    lun = {"name": "/vol/vol1/a", "uuid": created["lun"]["uuid"]}
    assert record["lun_maps"] == [{"logical_unit_number": 0, "lun": lun}]


def test_numbers_are_the_lowest_free_ones(san: Array) -> None:
    assert san.make(MAPS, entry("a"))["logical_unit_number"] == 0
    assert san.make(MAPS, entry("b", logical_unit_number=2))["logical_unit_number"] == 2
    assert san.make(MAPS, entry("c"))["logical_unit_number"] == 1
    assert san.make(MAPS, entry("a", "two"))["logical_unit_number"] == 0


def test_the_svm_follows_from_the_objects(san: Array) -> None:
    body = entry("a")
    del body["svm"]
    assert san.make(MAPS, body)["svm"]["name"] == "svm1"


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("1254201", {"lun": {"name": "/vol/vol1/z"}}),
        ("5374878", {"igroup": {"name": "three"}}),
        ("5374901", {"lun": {}}),
        ("5374902", {"igroup": {}}),
        ("262197", {"logical_unit_number": LARGEST_NUMBER + 1}),
        ("262197", {"logical_unit_number": -1}),
        ("2621462", {"svm": {"name": "svm9"}}),
    ],
)
def test_invalid_maps_are_refused(san: Array, code: str, change: dict[str, Any]) -> None:
    san.refuse("POST", MAPS, code, entry("a") | change)


def test_a_pair_is_mapped_once_and_a_number_stands_for_one_lun(san: Array) -> None:
    san.make(MAPS, entry("a"))
    san.refuse("POST", MAPS, "1254207", entry("a"))
    error = san.refuse("POST", MAPS, "8", entry("b", logical_unit_number=0))
    assert error["target"] == "logical_unit_number"


def test_both_must_be_in_one_svm(san: Array) -> None:
    san.svm("svm2")
    other = san.make(IGROUPS, {"svm.name": "svm2", "name": "far", "os_type": "linux"})
    body = entry("a") | {"igroup": {"uuid": other["uuid"]}}
    san.refuse("POST", MAPS, "5374878", body)
    del body["svm"]
    san.refuse("POST", MAPS, "5374878", body)


def test_numbers_run_out(san: Array) -> None:
    with writing(san.database) as session:
        igroup = session.scalars(select(Igroup).filter_by(name="one")).one()
        first = session.scalars(select(Lun).filter_by(name="/vol/vol1/a")).one()
        columns = {c.key: getattr(first, c.key) for c in Lun.__mapper__.column_attrs}
        for number in range(LARGEST_NUMBER + 1):
            uuid = f"00000000-0000-4000-8000-{number:012x}"
            own: dict[str, Any] = {
                "uuid": uuid,
                "name": f"/vol/vol1/n{number}",
                "serial_number": f"{number:012x}",
            }
            own |= {"thin_id": 1000 + number, "number": 1000 + number}
            session.add(Lun(**columns | own))
            session.add(
                LunMap(
                    lun_uuid=uuid,
                    igroup_uuid=igroup.uuid,
                    svm_uuid=first.svm_uuid,
                    logical_unit_number=number,
                )
            )
    error = san.refuse("POST", MAPS, "8", entry("a"))
    assert "no LUN number left" in error["message"]


class TestInitiatorOfTwoIgroups:
    """HOST is in the igroups `one` and `two`."""

    @pytest.fixture
    def shared(self, san: Array) -> Array:
        san.make(*join(san, "two", HOST))
        return san

    def test_an_initiator_never_sees_two_luns_under_one_number(self, shared: Array) -> None:
        shared.make(MAPS, entry("a", "one", logical_unit_number=3))
        shared.refuse("POST", MAPS, "8", entry("b", "two", logical_unit_number=3))

    def test_nor_one_lun_under_two_numbers(self, shared: Array) -> None:
        shared.make(MAPS, entry("a", "one"))
        shared.refuse("POST", MAPS, "1254207", entry("a", "two"))

    def test_a_number_is_found_that_suits_both(self, shared: Array) -> None:
        shared.make(MAPS, entry("a", "one"))
        assert shared.make(MAPS, entry("b", "two"))["logical_unit_number"] == 1

    def test_igroups_of_other_svms_do_not_matter(self, shared: Array) -> None:
        shared.svm("svm2")
        body = {
            "svm.name": "svm2",
            "name": "one",
            "os_type": "linux",
            "initiators": [HOST],
        }
        shared.make(IGROUPS, body)
        shared.volume("vol2", svm="svm2")
        shared.lun("/vol/vol2/a", svm="svm2")
        shared.make(MAPS, entry("a", "one"))
        far = {"svm.name": "svm2", "lun.name": "/vol/vol2/a", "igroup.name": "one"}
        assert shared.make(MAPS, far)["logical_unit_number"] == 0


class TestJoining:
    """An initiator that joins a second igroup."""

    def test_contradicting_numbers(self, san: Array) -> None:
        san.make(MAPS, entry("a", "one"))
        san.make(MAPS, entry("b", "two"))
        path, body = join(san, "two", HOST)
        san.refuse("POST", path, "8", body)

    def test_the_same_lun_twice(self, san: Array) -> None:
        san.make(MAPS, entry("a", "one"))
        san.make(MAPS, entry("a", "two", logical_unit_number=5))
        path, body = join(san, "two", HOST)
        san.refuse("POST", path, "8", body)

    def test_maps_that_go_together(self, san: Array) -> None:
        san.make(MAPS, entry("a", "one"))
        san.make(MAPS, entry("b", "two", logical_unit_number=1))
        san.make(*join(san, "two", HOST))


class TestDeletion:
    """Objects that can be deleted while LUNs are mapped."""

    @pytest.fixture
    def mapped(self, san: Array) -> dict[str, Any]:
        return san.make(MAPS, entry("a"))

    def test_a_map(self, san: Array, mapped: dict[str, Any]) -> None:
        path = f"{MAPS}/{mapped['lun']['uuid']}/{mapped['igroup']['uuid']}"
        san.delete(path)
        assert san.records(MAPS) == []
        san.refuse("DELETE", path, "5374922")
        san.refuse("GET", path, "4")

    def test_maps_by_query(self, san: Array, mapped: dict[str, Any]) -> None:
        assert san.delete(f"{MAPS}?igroup.name=one")["num_records"] == 1
        assert san.records(MAPS) == []

    def test_an_igroup(self, san: Array, mapped: dict[str, Any]) -> None:
        path = f"{IGROUPS}/{mapped['igroup']['uuid']}"
        san.refuse("DELETE", path, "1254213")
        san.delete(f"{path}?allow_delete_while_mapped=True")
        assert san.records(MAPS) == []

    def test_an_initiator(self, san: Array, mapped: dict[str, Any]) -> None:
        path = f"{IGROUPS}/{mapped['igroup']['uuid']}/initiators/{HOST}"
        san.refuse("DELETE", path, "1254213")
        san.delete(f"{path}?allow_delete_while_mapped=true")
        assert len(san.records(MAPS)) == 1
