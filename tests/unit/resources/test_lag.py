"""LAGs as clients see them: created, changed and deleted."""

from __future__ import annotations

from typing import Any

import pytest
from in_process import NODE_UUID, Array

PORTS, LIFS = "network/ethernet/ports", "network/ip/interfaces"
LAG: dict[str, Any] = {"type": "lag", "lag.mode": "multimode", "lag.distribution_policy": "port"}


@pytest.fixture
def network(api: Array) -> Array:
    """An array with its ports and an SVM."""
    for name in ("e0M", "e0a", "e0b", "e0c", "e0d"):
        api.observe(PORTS, name, mtu=1500, up=True, carrier=True, kind="", master="")
    api.svm("svm1")
    return api


def add_lif(network: Array, port: str, name: str = "lif1", address: str = "10.10.1.1") -> None:
    body = {"svm.name": "svm1", "name": name, "ip": {"address": address, "netmask": "24"}}
    network.make(LIFS, body | {"location.home_port.name": port})


def place(network: Array, name: str) -> str:
    [record] = network.records(f"{PORTS}?name={name}")
    return f"{PORTS}/{record['uuid']}"


def members(network: Array, name: str = "a0a") -> list[str]:
    ports = network.get(place(network, name))["lag"].get("member_ports", [])
    return [member["name"] for member in ports]


def test_a_lag_gets_the_next_free_name(network: Array) -> None:
    assert [network.make(PORTS, LAG)["name"] for _ in range(2)] == ["a0a", "a0b"]
    network.delete(place(network, "a0a"))
    assert network.make(PORTS, LAG)["name"] == "a0a"


def test_a_lag_takes_a_name_and_needs_no_type(network: Array) -> None:
    body = {name: value for name, value in LAG.items() if name != "type"}
    assert network.make(PORTS, body | {"name": "a1c"})["type"] == "lag"


def test_members_are_shown_with_their_identity(network: Array) -> None:
    created = network.make(PORTS, LAG | {"lag.member_ports": ["e0d", "e0c"]})
    uuids = {port["name"]: port["uuid"] for port in network.records(PORTS)}
    node = {"name": "array1-01", "uuid": NODE_UUID}
    assert created["lag"]["member_ports"] == [
        {"name": name, "uuid": uuids[name], "node": node} for name in ("e0c", "e0d")
    ]


def test_a_member_may_be_given_by_its_identity(network: Array) -> None:
    identity = place(network, "e0c").rpartition("/")[2]
    network.make(PORTS, LAG | {"lag.member_ports": [{"uuid": identity}]})
    assert members(network) == ["e0c"]
    other = {"uuid": identity, "name": "e0d"}
    network.refuse("POST", PORTS, "1967095", LAG | {"lag.member_ports": [other]})


@pytest.mark.parametrize(
    ("up", "active", "state"),
    [
        (True, ("e0c", "e0d"), "up"),
        (True, ("e0d",), "degraded"),
        (True, (), "down"),
        (False, ("e0c", "e0d"), "down"),
    ],
)
def test_the_state_follows_from_the_members(
    network: Array, up: bool, active: tuple[str, ...], state: str
) -> None:
    network.make(PORTS, LAG | {"lag.member_ports": ["e0c", "e0d"]})
    network.observe(PORTS, "a0a", kind="bond", up=up, carrier=up and bool(active), mtu=1500)
    for name in ("e0c", "e0d"):
        network.observe(PORTS, name, master="a0a", carrier=name in active)
    record = network.get(place(network, "a0a"))
    assert record["state"] == state
    assert [port["name"] for port in record["lag"].get("active_ports", [])] == list(active)


def test_members_are_changed_as_a_whole(network: Array) -> None:
    network.make(PORTS, LAG | {"lag.member_ports": ["e0b", "e0c"]})
    lag = place(network, "a0a")
    network.patch(lag, {"lag": {"member_ports": [{"name": "e0c"}, {"name": "e0d"}]}})
    assert members(network) == ["e0c", "e0d"]
    network.patch(lag, {"lag.member_ports": []})
    assert members(network) == []


def test_a_failed_change_is_taken_back(network: Array) -> None:
    network.make(PORTS, LAG | {"lag.member_ports": ["e0b"]})
    network.failures[f"{PORTS}:a0a"] = ("1", "no")
    change = {"lag.member_ports": ["e0c"], "mtu": 9000, "enabled": False}
    assert network.call("PATCH", place(network, "a0a"), change).status_code >= 400
    assert members(network) == ["e0b"]
    assert network.get(place(network, "a0a"))["enabled"] is True


def test_a_member_serves_nothing_else(network: Array) -> None:
    network.make(PORTS, LAG | {"lag.member_ports": ["e0b"]})
    lif = {"svm.name": "svm1", "name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    network.refuse("POST", LIFS, "8", lif | {"location.home_port.name": "e0b"})
    network.refuse("POST", PORTS, "8", {"vlan.base_port.name": "e0b", "vlan.tag": 7})
    network.refuse("POST", PORTS, "8", LAG | {"lag.member_ports": ["e0b"]})
    for change in ({"mtu": 9000}, {"enabled": False}):
        network.refuse("PATCH", place(network, "e0b"), "8", change)
    network.patch(place(network, "e0b"), {"mtu": 1500, "enabled": True})


def test_a_port_in_use_cannot_become_a_member(network: Array) -> None:
    add_lif(network, "e0b")
    network.make(PORTS, {"vlan.base_port.name": "e0c", "vlan.tag": 7})
    network.make(PORTS, LAG | {"lag.member_ports": ["e0d"]})
    for port, code in (("e0b", "1966189"), ("e0c", "1966302"), ("e0M", "1967095")):
        network.refuse("POST", PORTS, code, LAG | {"lag.member_ports": [port]})
        members = {"lag.member_ports": ["e0d", port]}
        network.refuse("PATCH", place(network, "a0a"), code, members)


def test_lifs_live_on_a_lag_and_hold_it(network: Array) -> None:
    network.make(PORTS, LAG | {"lag.member_ports": ["e0b"]})
    add_lif(network, "a0a")
    network.refuse("DELETE", place(network, "a0a"), "1966189")


def test_a_vlan_holds_what_it_is_on(network: Array) -> None:
    network.make(PORTS, LAG)
    network.make(PORTS, {"name": "a0a-7"})
    network.refuse("DELETE", place(network, "a0a"), "1966302")


def test_a_lif_without_a_port_gets_none_that_is_a_member(network: Array) -> None:
    network.make(PORTS, LAG | {"lag.member_ports": ["e0a", "e0b", "e0c"]})
    body = {"svm.name": "svm1", "name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    created = network.make(LIFS, body | {"location.broadcast_domain.name": "Default"})
    assert created["location"]["home_port"]["name"] == "e0d"


@pytest.mark.parametrize(
    ("mode", "policy", "change", "allowed"),
    [
        ("multimode", "ip", {"lag.distribution_policy": "mac"}, True),
        ("multimode", "ip", {"lag.distribution_policy": "sequential"}, False),
        ("multimode", "sequential", {"lag.distribution_policy": "ip"}, False),
        ("singlemode", "ip", {"lag.distribution_policy": "sequential"}, True),
        ("multimode_lacp", "ip", {"lag.distribution_policy": "port"}, True),
        ("multimode_lacp", "ip", {"lag.mode": "singlemode"}, False),
        ("multimode_lacp", "ip", {"lag.mode": "multimode_lacp"}, True),
    ],
)
def test_some_changes_need_a_lag_without_members(
    network: Array, mode: str, policy: str, change: dict[str, str], allowed: bool
) -> None:
    kind = {"lag.mode": mode, "lag.distribution_policy": policy}
    network.make(PORTS, LAG | kind | {"lag.member_ports": ["e0b"]})
    lag = place(network, "a0a")
    if not allowed:
        network.refuse("PATCH", lag, "8", change)
        network.patch(lag, {"lag.member_ports": []})
    network.patch(lag, change)
    after = network.get(lag)["lag"]
    assert {f"lag.{name}": after[name] for name in ("mode", "distribution_policy")} == kind | change


def test_a_foreign_bond_is_shown_and_not_touched(network: Array) -> None:
    network.observe(PORTS, "bond0", kind="bond", up=True, carrier=True, mtu=1500)
    network.observe(PORTS, "e0d", master="bond0")
    assert network.get(place(network, "bond0"))["type"] == "lag"
    assert members(network, "bond0") == ["e0d"]
    network.refuse("PATCH", place(network, "bond0"), "8", {"mtu": 9000})
    network.refuse("DELETE", place(network, "bond0"), "8")
    network.refuse("POST", PORTS, "1967095", LAG | {"lag.member_ports": ["bond0"]})
