"""LUNs and namespaces that are created with a consistency group, or in an existing one."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, Array

GROUPS, LUNS, NAMESPACES = "application/consistency-groups", "storage/luns", "storage/namespaces"
ACTION = "provisioning_options.action"
LUN = {"os_type": "linux", "space": {"size": GIB}}
HOST, OTHER_HOST = "iqn.2026-11.org.example:host", "iqn.2026-11.org.example:other"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with two volumes, two igroups and a subsystem."""
    api.disks(8)
    api.aggregate()
    api.svm()
    api.volume("vol1")
    api.volume("vol2")
    common = {"svm": "svm1", "os_type": "linux"}
    for name, host in (("hosts", HOST), ("others", OTHER_HOST)):
        api.make("protocols/san/igroups", {**common, "name": name, "initiators": [host]})
    api.make("protocols/nvme/services", {"svm": "svm1"})
    api.make("protocols/nvme/subsystems", {**common, "name": "nvme_hosts"})
    return api


def body(**more: Any) -> dict[str, Any]:
    return {"svm.name": "svm1", "name": "g", "volumes": [{"name": "vol1"}], **more}


def lun(name: str, *igroups: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, **LUN, **({"lun_maps": list(igroups)} if igroups else {}), **more}


def names(array: Array, path: str) -> list[str]:
    return [record["name"] for record in array.records(path)]


def test_luns_are_created_with_their_group_and_mapped(array: Array) -> None:
    first = lun("/vol/vol1/a", {"igroup": {"name": "hosts"}}, comment="log")
    numbered = {"igroup": {"name": "others"}, "logical_unit_number": 7}
    second = lun("/vol/vol1/b", {"igroup.name": "hosts"}, numbered)
    created = array.make(GROUPS, body(luns=[first, second]))
    luns = array.get(f"{GROUPS}/{created['uuid']}?fields=luns")["luns"]
    assert [(each["name"], each["space"]["size"], each["os_type"]) for each in luns] == [
        ("/vol/vol1/a", GIB, "linux"),
        ("/vol/vol1/b", GIB, "linux"),
    ]
    maps = {
        (each["name"], one["igroup"]["name"], one["logical_unit_number"])
        for each in luns
        for one in each["lun_maps"]
    }
    assert maps == {
        ("/vol/vol1/a", "hosts", 0),
        ("/vol/vol1/b", "hosts", 1),
        ("/vol/vol1/b", "others", 7),
    }
    [record] = array.records(f"{LUNS}?name=/vol/vol1/a&fields=comment,status.mapped")
    assert record["comment"] == "log"
    assert record["status"]["mapped"]


def test_namespaces_are_created_in_a_group_and_mapped(array: Array) -> None:
    place = f"{GROUPS}/{array.make(GROUPS, body())['uuid']}"
    entry = {"name": "/vol/vol1/n", **LUN, "subsystem_map": {"subsystem": {"name": "nvme_hosts"}}}
    array.patch(place, {"namespaces": [entry]})
    [namespace] = array.get(f"{place}?fields=**")["namespaces"]
    assert namespace["space"] == {"size": GIB, "block_size": 4096}
    assert namespace["subsystem_map"]["subsystem"]["name"] == "nvme_hosts"
    path = f"{NAMESPACES}?fields=subsystem_map.nsid"
    assert array.records(path)[0]["subsystem_map"]["nsid"] == "00000001h"


def test_a_missing_volume_is_created(array: Array) -> None:
    luns = [lun("/vol/new/a"), lun("/vol/new/b"), lun("/vol/small/a", space={"size": 4096})]
    created = array.make(GROUPS, {"svm.name": "svm1", "name": "g", "luns": luns})
    assert {volume["name"] for volume in created["volumes"]} == {"new", "small"}
    sizes = {v["name"]: v["size"] for v in array.records("storage/volumes?fields=size")}
    assert sizes["new"] == 2 * GIB
    assert sizes["small"] == 20 * 1024**2


def test_a_group_of_nothing_is_refused(array: Array) -> None:
    empty = {"svm.name": "svm1", "name": "g"}
    assert array.refuse("POST", GROUPS, "2", empty)["target"] == "volumes"


@pytest.mark.parametrize(
    ("entry", "code", "target"),
    [
        ({"name": "/vol/vol1/a", "os_type": "linux"}, "5374884", "luns.space.size"),
        ({"name": "/vol/vol1/a", "space.size": GIB}, "5374884", "luns.os_type"),
        ({"space.size": GIB, "os_type": "linux"}, "2", "luns.name"),
        (lun("/vol/vol2/a"), "53411861", "volumes"),
        (lun("/vol/vol1/a", {"igroup": "none"}), "5374878", "luns.lun_maps.igroup"),
        (lun("/vol/vol1/a", {"logical_unit_number": 1}), "5374902", "luns.lun_maps.igroup"),
        (lun("/vol/vol1/a", **{ACTION: "add"}), "262197", f"luns.{ACTION}"),
    ],
)
def test_invalid_devices_are_refused(array: Array, entry: Any, code: str, target: str) -> None:
    assert array.refuse("POST", GROUPS, code, body(luns=[entry]))["target"] == target
    assert names(array, LUNS) == []
    assert names(array, GROUPS) == []


def test_an_existing_lun_is_left_as_it_is(array: Array) -> None:
    entry = lun("/vol/vol1/a", {"igroup": {"name": "hosts"}})
    place = f"{GROUPS}/{array.make(GROUPS, body(luns=[entry]))['uuid']}"
    array.patch(place, {"luns": [entry, lun("/vol/vol1/b")]})
    assert names(array, LUNS) == ["/vol/vol1/a", "/vol/vol1/b"]
    for differing, target in (
        ({"space": {"size": 2 * GIB}}, "space.size"),
        ({"os_type": "windows"}, "os_type"),
        ({"comment": "another"}, "comment"),
        ({"lun_maps": [{"igroup": {"name": "others"}}]}, "lun_maps"),
        ({"lun_maps": [{"igroup.name": "hosts", "logical_unit_number": 9}]}, "lun_maps"),
    ):
        error = array.refuse("PATCH", place, "53411856", {"luns": [entry | differing]})
        assert error["target"] == f"luns.{target}"
    new = entry | {"provisioning_options": {"action": "create"}}
    array.refuse("PATCH", place, "5374242", {"luns": [new]})


def test_a_namespace_that_exists_is_left_as_it_is(array: Array) -> None:
    mapped = {"subsystem_map.subsystem.name": "nvme_hosts"}
    entry = {"name": "/vol/vol1/n", **LUN}
    place = f"{GROUPS}/{array.make(GROUPS, body(namespaces=[entry]))['uuid']}"
    array.patch(place, {"namespaces": [entry]})
    error = array.refuse("PATCH", place, "53411856", {"namespaces": [entry | mapped]})
    assert error["target"] == "namespaces.subsystem_map.subsystem"
