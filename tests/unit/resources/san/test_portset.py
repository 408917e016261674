"""Portsets and igroups in igroups: requests that the API refuses."""

from __future__ import annotations

import pytest
from beginnings import prepared_once
from in_process import Array

PATH, IGROUPS = "protocols/san/portsets", "protocols/san/igroups"
IQN = "iqn.1994-05.com.redhat:host1"


@pytest.fixture
@prepared_once
def array(api: Array) -> Array:
    """An array with an SVM and a LIF for each kind of service."""
    api.observe("network/ethernet/ports", "e0a", up=True)
    api.svm()
    for number, policy in ((1, "default-data-iscsi"), (2, "default-data-nvme-tcp")):
        lif = {"address": f"10.10.1.{number}", "netmask": "24"}
        body = {"svm.name": "svm1", "name": f"lif{number}", "ip": lif, "service_policy": policy}
        api.make("network/ip/interfaces", body | {"location.home_port.name": "e0a"})
    return api


def portset(array: Array, *lifs: str) -> str:
    body = {"svm.name": "svm1", "name": "ports", "interfaces": [{"ip": lif} for lif in lifs]}
    return str(array.make(PATH, body)["uuid"])


def igroup(array: Array, name: str = "group", **more: object) -> str:
    body = {"svm.name": "svm1", "name": name, "os_type": "linux", "protocol": "iscsi"}
    return str(array.make(IGROUPS, body | more)["uuid"])


def test_interfaces_that_a_portset_cannot_have(array: Array) -> None:
    body = {"svm.name": "svm1", "name": "ports"}
    array.refuse("POST", PATH, "5374914", body | {"interfaces": [{"ip": "lif2"}]})
    array.refuse("POST", PATH, "5374915", body | {"interfaces": [{"ip": "lif1"}] * 2})
    array.refuse("POST", PATH, "5374906", body | {"interfaces": [{"ip": "lif9"}]})
    array.refuse("POST", PATH, "5374906", body | {"interfaces": [{"fc": {"name": "fc1"}}]})
    array.refuse("POST", PATH, "5374906", body | {"interfaces": [{}]})
    fcp = body | {"protocol": "fcp", "interfaces": [{"ip": "lif1"}]}
    array.refuse("POST", PATH, "5374914", fcp)


def test_a_bound_portset_never_runs_empty(array: Array) -> None:
    empty = portset(array)
    group = f"{IGROUPS}/{igroup(array)}"
    array.refuse("PATCH", group, "5374027", {"portset": "ports"})
    array.make(f"{PATH}/{empty}/interfaces", {"ip": {"name": "lif1"}})
    array.patch(group, {"portset": "ports"})
    [member] = array.records(f"{PATH}/{empty}/interfaces")
    array.refuse("DELETE", f"{PATH}/{empty}/interfaces/{member['uuid']}", "5374063")
    array.refuse("DELETE", f"network/ip/interfaces/{member['uuid']}", "8")
    array.refuse("DELETE", f"{PATH}/{empty}", "5374063")
    array.delete(f"{PATH}/{empty}?allow_delete_while_bound=true")
    assert "portset" not in array.get(group)


def test_an_igroup_holds_initiators_or_igroups(array: Array) -> None:
    inner = igroup(array, "inner", initiators=[IQN])
    outer = igroup(array, "outer", igroups=["inner"])
    assert array.get(f"{IGROUPS}/{outer}")["initiators"] == [{"name": IQN}]
    array.refuse("POST", f"{IGROUPS}/{outer}/initiators", "5374738", {"name": f"{IQN}-2"})
    array.refuse("POST", f"{IGROUPS}/{inner}/igroups", "5374738", {"name": "outer"})
    array.refuse("POST", f"{IGROUPS}/{outer}/igroups", "5374745", {"name": "outer"})
    assert array.get(f"{IGROUPS}/{inner}")["parent_igroups"][0]["name"] == "outer"
    array.delete(f"{IGROUPS}/{inner}")
    assert "initiators" not in array.get(f"{IGROUPS}/{outer}")


def test_igroups_in_a_circle(array: Array) -> None:
    first, second = igroup(array, "first"), igroup(array, "second")
    array.make(f"{IGROUPS}/{first}/igroups", {"name": "second"})
    array.refuse("POST", f"{IGROUPS}/{second}/igroups", "5374745", {"uuid": first})
    array.refuse("POST", f"{IGROUPS}/{second}/igroups", "5374878", {"name": "third"})
    windows = igroup(array, "windows", os_type="windows")
    array.refuse("POST", f"{IGROUPS}/{second}/igroups", "5374733", {"uuid": windows})
