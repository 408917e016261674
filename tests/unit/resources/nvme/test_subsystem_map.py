"""Subsystem maps: which namespace is in which subsystem."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array
from sqlalchemy import select

from sanstone.core.database.store import writing
from sanstone.model.nvme import Namespace, Subsystem, SubsystemMap
from sanstone.resources.nvme.subsystem_map import MOST_NAMESPACES

MAPS = "protocols/nvme/subsystem-maps"
SUBSYSTEMS = "protocols/nvme/subsystems"


@pytest.fixture
@prepared_once
def nvme(api: Array) -> Array:
    """An array with namespaces a, b, c and subsystems one and two."""
    api.disks(4)
    api.aggregate()
    api.svm()
    api.volume()
    api.make("protocols/nvme/services", {"svm.name": "svm1"})
    for name in "abc":
        api.namespace(f"/vol/vol1/{name}")
    for name in ("one", "two"):
        api.make(SUBSYSTEMS, {"svm.name": "svm1", "name": name, "os_type": "linux"})
    return api


def entry(namespace: str, subsystem: str = "one", **more: Any) -> dict[str, Any]:
    """Return the body of a map."""
    names = {
        "namespace": {"name": f"/vol/vol1/{namespace}"},
        "subsystem": {"name": subsystem},
    }
    return {"svm": {"name": "svm1"}, **names, **more}


def test_a_list_shows_all_fields_of_a_map(nvme: Array) -> None:
    created = nvme.make(MAPS, entry("a"))
    [record] = nvme.records(f"{MAPS}?subsystem.uuid={created['subsystem']['uuid']}")
    assert (record["svm"]["name"], record["subsystem"]["name"]) == ("svm1", "one")
    assert record["namespace"]["name"] == "/vol/vol1/a"
    assert (record["nsid"], record["anagrpid"]) == ("00000001h", "00000001h")
    path = f"{MAPS}/{created['subsystem']['uuid']}/{created['namespace']['uuid']}"
    assert nvme.get(path)["nsid"] == "00000001h"


def test_the_subsystem_shows_its_maps(nvme: Array) -> None:
    created = nvme.make(MAPS, entry("a"))
    record = nvme.get(f"{SUBSYSTEMS}/{created['subsystem']['uuid']}?fields=subsystem_maps")
    namespace = {"name": "/vol/vol1/a", "uuid": created["namespace"]["uuid"]}
    expected = {"nsid": "00000001h", "anagrpid": "00000001h", "namespace": namespace}
    assert record["subsystem_maps"] == [expected]


def test_ids_are_the_lowest_free_ones(nvme: Array) -> None:
    created = [nvme.make(MAPS, entry(name))["nsid"] for name in "abc"]
    assert created == ["00000001h", "00000002h", "00000003h"]
    nvme.delete(f"{MAPS}?namespace.name=/vol/vol1/b")
    assert nvme.make(MAPS, entry("b"))["nsid"] == "00000002h"


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("72090006", {"namespace": {"name": "/vol/vol1/z"}}),
        ("72090021", {"subsystem": {"name": "three"}}),
        ("2", {"namespace": {}}),
        ("2", {"subsystem": {}}),
        ("262196", {"nsid": "00000007h"}),
        ("2621462", {"svm": {"name": "svm9"}}),
    ],
)
def test_invalid_maps_are_refused(nvme: Array, code: str, change: dict[str, Any]) -> None:
    nvme.refuse("POST", MAPS, code, entry("a") | change)


def test_a_namespace_is_in_one_subsystem(nvme: Array) -> None:
    nvme.make(MAPS, entry("a"))
    for subsystem in ("one", "two"):
        error = nvme.refuse("POST", MAPS, "72089790", entry("a", subsystem))
        assert '"one"' in error["message"]


def test_blocks_must_be_such_as_the_hosts_can_use(nvme: Array) -> None:
    nvme.make(SUBSYSTEMS, {"svm.name": "svm1", "name": "esxi", "os_type": "vmware"})
    error = nvme.refuse("POST", MAPS, "8", entry("a", "esxi"))
    assert "blocks of 512 bytes alone" in error["message"] and error["target"] == "namespace"
    nvme.namespace("/vol/vol1/d", os_type="vmware")
    nvme.make(MAPS, entry("d", "esxi"))
    nvme.namespace("/vol/vol1/e", os_type="vmware")
    assert nvme.make(MAPS, entry("e", "one"))["nsid"], "Linux can use small ones"


def test_both_must_be_in_one_svm(nvme: Array) -> None:
    nvme.svm("svm2")
    nvme.make("protocols/nvme/services", {"svm.name": "svm2"})
    far = nvme.make(SUBSYSTEMS, {"svm.name": "svm2", "name": "far", "os_type": "linux"})
    nvme.refuse("POST", MAPS, "72090020", entry("a") | {"subsystem": {"uuid": far["uuid"]}})


def test_a_subsystem_holds_what_the_kernel_can_and_no_more(nvme: Array) -> None:
    with writing(nvme.database) as session:
        subsystem = session.scalars(select(Subsystem).filter_by(name="one")).one()
        first = session.scalars(select(Namespace).filter_by(name="/vol/vol1/a")).one()
        columns = {c.key: getattr(first, c.key) for c in Namespace.__mapper__.column_attrs}
        for number in range(1, MOST_NAMESPACES):
            uuid = f"00000000-0000-4000-8000-{number:012x}"
            own = {
                "uuid": uuid,
                "name": f"/vol/vol1/n{number}",
                "thin_id": 1000 + number,
            }
            session.add(Namespace(**columns | own))
            row = {
                "namespace_uuid": uuid,
                "subsystem_uuid": subsystem.uuid,
                "nsid": number,
                "ana_group": 1,
            }
            session.add(SubsystemMap(**row, svm_uuid=first.svm_uuid))
    assert nvme.make(MAPS, entry("a"))["nsid"] == "00000400h"
    error = nvme.refuse("POST", MAPS, "8", entry("b"))
    assert "1024" in error["message"]
    assert nvme.make(MAPS, entry("b", "two"))["nsid"] == "00000001h"


def test_a_mapped_subsystem_is_deleted_only_by_explicit_option(nvme: Array) -> None:
    created = nvme.make(MAPS, entry("a"))
    path = f"{SUBSYSTEMS}/{created['subsystem']['uuid']}"
    nvme.refuse("DELETE", path, "72090023")
    nvme.delete(f"{path}?allow_delete_while_mapped=true")
    assert nvme.records(MAPS) == []
    nvme.make(MAPS, entry("a", "two"))


def test_unmap(nvme: Array) -> None:
    created = nvme.make(MAPS, entry("a"))
    path = f"{MAPS}/{created['subsystem']['uuid']}/{created['namespace']['uuid']}"
    nvme.delete(path)
    assert nvme.records(MAPS) == []
    nvme.refuse("DELETE", path, "72090019")
    nvme.refuse("GET", path, "4")
