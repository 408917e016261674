"""VLANs as clients see them: created, changed and deleted."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import NODE_UUID, Array

PORTS, LIFS = "network/ethernet/ports", "network/ip/interfaces"
VLAN: dict[str, Any] = {"type": "vlan", "vlan.base_port.name": "e0a", "vlan.tag": 100}


@pytest.fixture
def network(api: Array) -> Array:
    """An array with its ports and an SVM."""
    for name in ("e0M", "e0a", "e0b"):
        api.observe(PORTS, name, mtu=1500, up=True, carrier=True, kind="", master="")
    api.svm("svm1")
    return api


def place(network: Array, name: str) -> str:
    [record] = network.records(f"{PORTS}?name={name}")
    return f"{PORTS}/{record['uuid']}"


def test_a_vlan_is_named_after_port_and_tag(network: Array) -> None:
    created = network.make(PORTS, VLAN)
    identity = place(network, "e0a").rpartition("/")[2]
    node = {"name": "array1-01", "uuid": NODE_UUID}
    base = {"name": "e0a", "uuid": identity, "node": node}
    assert (created["name"], created["type"]) == ("e0a-100", "vlan")
    assert created["vlan"] == {"base_port": base, "tag": 100}


@pytest.mark.parametrize(
    "body",
    [
        {"name": "e0a-100"},
        {"name": "e0a-100", "vlan.tag": 100},
        {"type": "vlan", "vlan": {"base_port": {"name": "e0a"}, "tag": "100"}},
    ],
)
def test_the_name_may_give_port_and_tag(network: Array, body: dict[str, Any]) -> None:
    assert network.make(PORTS, body)["vlan"]["tag"] == 100


@pytest.mark.parametrize("name", ["e0a-101", "e0a-0100", "vlan100", "e0b-100"])
def test_no_other_name_is_taken(network: Array, name: str) -> None:
    network.refuse("POST", PORTS, "262197", VLAN | {"name": name})


def test_a_tag_is_used_once_on_a_port(network: Array) -> None:
    network.make(PORTS, VLAN)
    network.refuse("POST", PORTS, "1", VLAN)
    assert network.make(PORTS, VLAN | {"vlan.base_port.name": "e0b"})["name"] == "e0b-100"


@pytest.mark.parametrize("base", ["e0M", "e9z", "e0a-100"])
def test_some_ports_take_no_vlans(network: Array, base: str) -> None:
    network.make(PORTS, VLAN)
    network.refuse("POST", PORTS, "1967091", {"vlan.base_port.name": base, "vlan.tag": 7})


def test_a_vlan_has_the_mtu_of_its_port_or_less(network: Array) -> None:
    network.patch(place(network, "e0a"), {"mtu": 9000})
    network.make(PORTS, VLAN)
    vlan = place(network, "e0a-100")
    network.refuse("PATCH", vlan, "262197", {"mtu": 9001})
    network.patch(vlan, {"mtu": 4000})
    network.refuse("PATCH", place(network, "e0a"), "8", {"mtu": 3999})
    network.patch(vlan, {"mtu": 9000})
    network.patch(place(network, "e0a"), {"mtu": 3999})


def test_lifs_live_on_a_vlan_and_hold_it(network: Array) -> None:
    network.make(PORTS, VLAN)
    body = {"svm.name": "svm1", "name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    lif = network.make(LIFS, body | {"location.home_port.name": "e0a-100"})
    network.refuse("DELETE", place(network, "e0a-100"), "1966189")
    network.delete(f"{LIFS}/{lif['uuid']}")
    network.delete(place(network, "e0a-100"))
    assert network.records(f"{PORTS}?type=vlan") == []


def test_a_vlan_that_was_not_seen_yet_is_shown_down(network: Array) -> None:
    created = network.make(PORTS, VLAN)
    assert (created["state"], created["enabled"]) == ("down", True)
    assert "mtu" not in created
