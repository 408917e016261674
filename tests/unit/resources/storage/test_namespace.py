"""Namespaces, as far as they differ from LUNs, with which they share their life."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import GIB, Array

from sanstone.resources.storage.namespace import OS_TYPES

PATH = "storage/namespaces"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with aggr1 of 20 GiB, svm1 and in it the volume vol1 of 5 GiB."""
    api.disks(4)
    api.aggregate()
    api.svm()
    api.volume()
    return api


def body(**more: Any) -> dict[str, Any]:
    new = {"svm": {"name": "svm1"}, "name": "/vol/vol1/new", "os_type": "linux", "space.size": GIB}
    return {**new, **more}


def test_a_namespace_as_trident_makes_and_reads_it(array: Array) -> None:
    body = {
        "name": "/vol/vol1/namespace0",
        "os_type": "linux",
        "space": {"size": GIB, "block_size": 4096},
        "comment": '{"nsAttribute":{"LUKS":"","com.netapp.ndvp.fstype":"ext4"}}',
        "svm": {"name": "svm1"},
    }
    created = array.make(PATH, body)
    fields = "os_type,location.volume.name,space.size,space.block_size,status.state,comment"
    (record,) = array.records(f"{PATH}?fields={fields}&name=/vol/vol1/namespace0&svm.name=svm1")
    assert record["uuid"] == created["uuid"]
    assert record["space"] == {"size": GIB, "block_size": 4096}
    assert (record["comment"], record["status"]) == (body["comment"], {"state": "online"})


def test_block_sizes(array: Array) -> None:
    assert array.namespace("/vol/vol1/a")["space"]["block_size"] == 4096
    created = array.namespace("/vol/vol1/b", **{"space.block_size": "512"})
    assert created["space"]["block_size"] == 512
    array.refuse("PATCH", f"{PATH}/{created['uuid']}", "262196", {"space.block_size": 4096})


@pytest.mark.parametrize("os_type", OS_TYPES)
def test_blocks_are_such_as_the_hosts_can_use(array: Array, os_type: str) -> None:
    created = array.namespace("/vol/vol1/a", os_type=os_type)
    assert created["space"]["block_size"] == (512 if os_type == "vmware" else 4096)
    explicit = array.namespace("/vol/vol1/b", os_type=os_type, **{"space.block_size": "4KB"})
    assert explicit["space"]["block_size"] == 4096
    copy = body(name="/vol/vol1/c", **{"clone.source.name": "/vol/vol1/a"})
    copied = array.make(PATH, {n: v for n, v in copy.items() if n not in ("os_type", "space.size")})
    assert (copied["os_type"], copied["space"]["block_size"]) == (
        os_type,
        created["space"]["block_size"],
    )


def test_no_block_is_smaller_than_a_sector_of_the_disks(array: Array) -> None:
    array.disks(8, sector_size=4096)
    array.aggregate("large")
    array.volume("vol2", aggregates=[{"name": "large"}])
    small = body(name="/vol/vol2/small", **{"space.block_size": 512})
    error = array.refuse("POST", PATH, "262197", small)
    assert 'Aggregate "large" has sectors of 4096 bytes' in error["message"]
    assert array.namespace("/vol/vol2/large")["space"]["block_size"] == 4096


def test_location(array: Array) -> None:
    new = {"svm": "svm1", "os_type": "linux", "space.size": GIB}
    new |= {"location": {"volume": {"name": "vol1"}, "namespace": "n"}}
    created = array.make(PATH, new)
    assert (created["name"], created["location"]["namespace"]) == ("/vol/vol1/n", "n")


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("72089725", {"name": "/vol/vol1/there"}),
        ("72089725", {"name": "/vol/vol1/lun"}),
        ("72089732", {"name": "/vol/vol1/a:b"}),
        ("72090014", {"location.namespace": "other"}),
        ("72089723", {"space.size": 0}),
        ("72089724", {"space.size": "1PB"}),
        ("262197", {"space.block_size": 1024}),
        ("262197", {"os_type": "hpux"}),
    ],
)
def test_refusals(array: Array, code: str, change: dict[str, Any]) -> None:
    array.namespace("/vol/vol1/there")
    array.lun("/vol/vol1/lun")
    array.refuse("POST", PATH, code, body(**change))


@pytest.mark.parametrize("missing", ["os_type", "space.size"])
def test_missing_fields_are_named(array: Array, missing: str) -> None:
    incomplete = {name: value for name, value in body().items() if name != missing}
    assert array.refuse("POST", PATH, "72090013", incomplete)["target"] == missing


def test_growing_shrinking_and_the_same_size(array: Array) -> None:
    path = f"{PATH}/{array.namespace()['uuid']}"
    for _ in range(2):
        array.patch(path, {"space.size": "2GB"})
    assert array.get(path)["space"]["size"] == 2 * GIB
    array.refuse("PATCH", path, "72090038", {"space.size": "1GB"})


def test_a_mapped_one_shows_its_subsystem_and_is_deleted_only_when_allowed(array: Array) -> None:
    uuid = array.namespace()["uuid"]
    array.make("protocols/nvme/services", {"svm": "svm1"})
    subsystem = {"svm": {"name": "svm1"}, "name": "s", "os_type": "linux"}
    array.make("protocols/nvme/subsystems", subsystem)
    mapping = {"svm": {"name": "svm1"}, "subsystem": {"name": "s"}, "namespace": {"uuid": uuid}}
    array.make("protocols/nvme/subsystem-maps", mapping)
    record = array.get(f"{PATH}/{uuid}?fields=**")
    assert record["status"]["mapped"] is True
    assert record["subsystem_map"]["subsystem"]["name"] == "s"
    assert record["subsystem_map"]["nsid"] == "00000001h"
    array.refuse("DELETE", f"{PATH}/{uuid}", "72089796")
    array.delete(f"{PATH}/{uuid}?allow_delete_while_mapped=true")
    assert array.records("protocols/nvme/subsystem-maps") == []
    (removal,) = array.contents()["removal"]
    assert removal.owner == f"{PATH}:{uuid}"
