"""Fibre Channel interfaces as clients make, change and see them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

from sanstone.core.errors import BAD_VALUE, IN_USE

INTERFACES, PORTSETS = "network/fc/interfaces", "protocols/san/portsets"
FIRST, SECOND = "21:00:00:24:ff:00:00:01", "10:00:00:10:9b:00:00:02"
THIRD = "21:00:00:24:ff:00:00:03"


@pytest.fixture
@prepared_once
def fabric(api: Array) -> Array:
    """An array with two SVMs, a port for FCP, and one for both protocols."""
    api.svm()
    api.svm("svm2")
    for wwpn, name, transports in (
        (FIRST, "0000:03:00.0", {"fcp_qla2xxx": "fcp"}),
        (SECOND, "0000:05:00.0", {"fcp_efct": "fcp", "nvme_fc": "fc_nvme"}),
    ):
        facts = {"transports": list(transports), "supported_protocols": list(transports.values())}
        api.observe("network/fc/ports", wwpn, name=name, **facts)
    return api


@pytest.fixture
def virtual(fabric: Array) -> Array:
    """The same with a port at which there can be two virtual ones."""
    facts = {"transports": ["fcp_qla2xxx", "fcp_qla2xxx_npiv"], "supported_protocols": ["fcp"]}
    fabric.observe("network/fc/ports", THIRD, name="0000:07:00.0", virtual_maximum=2, **facts)
    return fabric


def at_third(name: str, svm: str = "svm1") -> dict[str, Any]:
    """Return a request for an interface at the third port."""
    return body(name, svm, **{"location.home_port.name": "0000:07:00.0"})


def body(name: str = "fc1", svm: str = "svm1", **more: Any) -> dict[str, Any]:
    """Return a request for an interface at the first port."""
    request = {"svm.name": svm, "name": name, "data_protocol": "fcp"}
    return request | (more or {"location.home_port.name": "0000:03:00.0"})


def test_an_interface_has_the_name_of_its_port(fabric: Array) -> None:
    created = fabric.make(INTERFACES, body() | {"comment": "to the left"})
    record = fabric.get(f"{INTERFACES}/{created['uuid']}")
    assert (record["wwpn"], record["data_protocol"], record["comment"]) == (
        FIRST,
        "fcp",
        "to the left",
    )
    assert record["location"]["home_port"]["name"] == "0000:03:00.0"
    assert record["location"]["port"] == record["location"]["home_port"]
    assert (record["enabled"], record["state"]) == (True, "down")


def test_a_port_may_be_given_in_each_of_ontaps_ways(fabric: Array) -> None:
    (port,) = fabric.records(f"network/fc/ports?wwpn={SECOND}")
    for number, place in enumerate(("home_port", "port")):
        request = body(f"fc{number}", **{f"location.{place}.uuid": port["uuid"]})
        created = fabric.make(INTERFACES, request)
        assert created["wwpn"] == SECOND
        fabric.delete(f"{INTERFACES}/{created['uuid']}")


def test_a_port_serves_one_svm_by_each_protocol(fabric: Array) -> None:
    at_second = {"location.home_port.name": "0000:05:00.0"}
    fabric.make(INTERFACES, body(**at_second))
    error = fabric.refuse("POST", INTERFACES, IN_USE, body("fc2", "svm2", **at_second))
    assert 'for interface "fc1" of SVM "svm1" already' in error["message"]
    assert "fcp at no virtual ports (NPIV) of it" in error["message"]
    other = body("fc2", "svm2", **at_second) | {"data_protocol": "fc_nvme"}
    assert fabric.make(INTERFACES, other)["wwpn"] == SECOND


def test_invalid_interfaces_are_refused(fabric: Array) -> None:
    fabric.make(INTERFACES, body())
    at_second = {"location.home_port.name": "0000:05:00.0"}
    fabric.refuse("POST", INTERFACES, "1966140", body(**at_second))
    fabric.refuse("POST", INTERFACES, "5374873", body("fc2", enabled=True))
    nowhere = {"location.home_port.name": "e0a"}
    fabric.refuse("POST", INTERFACES, "5374396", body("fc2", **nowhere))
    both = at_second | {"location.port.name": "0000:03:00.0"}
    fabric.refuse("POST", INTERFACES, "5374871", body("fc2", **both))
    by_nvme = body("fc2") | {"data_protocol": "fc_nvme"}
    error = fabric.refuse("POST", INTERFACES, BAD_VALUE, by_nvme)
    assert "serves only fcp through port 0000:03:00.0" in error["message"]
    fabric.patch(f"svm/svms/{fabric.svm('svm3')['uuid']}", {"fcp.allowed": False})
    fabric.refuse("POST", INTERFACES, "2621507", body("fc2", "svm3", **at_second))


def test_an_interface_moves_to_another_port(fabric: Array) -> None:
    path = f"{INTERFACES}/{fabric.make(INTERFACES, body())['uuid']}"
    fabric.patch(path, {"location.home_port.name": "0000:05:00.0", "name": "renamed"})
    record = fabric.get(path)
    assert (record["wwpn"], record["name"]) == (SECOND, "renamed")
    fabric.make(INTERFACES, body())


def test_an_interface_in_a_portset_cannot_be_deleted(fabric: Array) -> None:
    created = fabric.make(INTERFACES, body())
    portset = {"svm.name": "svm1", "name": "set1", "protocol": "fcp"}
    request = portset | {"interfaces": [{"fc": {"name": "fc1"}}]}
    uuid = fabric.make(PORTSETS, request)["uuid"]
    (member,) = fabric.get(f"{PORTSETS}/{uuid}")["interfaces"]
    assert member["fc"]["name"] == "fc1"
    assert "ip" not in member
    path = f"{INTERFACES}/{created['uuid']}"
    fabric.refuse("DELETE", path, IN_USE)
    fabric.delete(f"{PORTSETS}/{uuid}/interfaces/{created['uuid']}")
    fabric.delete(path)


def test_a_portset_for_iscsi_takes_none(fabric: Array) -> None:
    fabric.make(INTERFACES, body())
    portset = {"svm.name": "svm1", "name": "set1", "protocol": "iscsi"}
    request = portset | {"interfaces": [{"fc": {"name": "fc1"}}]}
    fabric.refuse("POST", PORTSETS, "5374914", request)


def test_further_ones_at_a_port_have_names_of_their_own(virtual: Array) -> None:
    interfaces = [
        virtual.make(INTERFACES, at_third(name, svm))
        for name, svm in (("fc1", "svm1"), ("fc2", "svm1"), ("fc3", "svm2"))
    ]
    assert [each["virtual"] for each in interfaces] == [False, True, True]
    names = [each["wwpn"] for each in interfaces]
    assert names[0] == THIRD
    assert len(set(names)) == 3
    nodes = {each["wwnn"] for each in interfaces[1:]}
    assert len(nodes) == 2, "each SVM is a node of its own"
    assert {each["location"]["port"]["name"] for each in interfaces} == {"0000:07:00.0"}
    (record,) = virtual.records(f"{INTERFACES}?wwpn={names[1]}")
    assert record["name"] == "fc2"


def test_there_are_as_many_as_the_driver_makes(virtual: Array) -> None:
    for name in ("fc1", "fc2", "fc3"):
        virtual.make(INTERFACES, at_third(name))
    error = virtual.refuse("POST", INTERFACES, IN_USE, at_third("fc4"))
    assert "has 3 interfaces for fcp already" in error["message"]
    assert "the 2 virtual ports (NPIV) of its driver" in error["message"]
    created = virtual.make(INTERFACES, body("fc4"))
    moved = {"location.port.name": "0000:07:00.0"}
    virtual.refuse("PATCH", f"{INTERFACES}/{created['uuid']}", IN_USE, moved)


def test_a_name_is_never_used_twice(virtual: Array) -> None:
    virtual.make(INTERFACES, at_third("fc1"))
    former = virtual.make(INTERFACES, at_third("fc2"))
    virtual.delete(f"{INTERFACES}/{former['uuid']}")
    assert virtual.make(INTERFACES, at_third("fc2"))["wwpn"] != former["wwpn"]


def test_the_first_one_stays_as_long_as_there_are_virtual_ones(virtual: Array) -> None:
    first = f"{INTERFACES}/{virtual.make(INTERFACES, at_third('fc1'))['uuid']}"
    second = f"{INTERFACES}/{virtual.make(INTERFACES, at_third('fc2', 'svm2'))['uuid']}"
    error = virtual.refuse("DELETE", first, IN_USE)
    assert 'as long as interface "fc2" of SVM "svm2"' in error["message"]
    virtual.refuse("PATCH", first, IN_USE, {"location.port.name": "0000:05:00.0"})
    virtual.patch(first, {"enabled": False, "location.port.name": "0000:07:00.0"})
    virtual.patch(second, {"location.port.name": "0000:05:00.0"})
    assert virtual.get(second)["wwpn"] == SECOND
    virtual.delete(first)
