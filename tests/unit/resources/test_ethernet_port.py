"""Ethernet ports as clients see them."""

from __future__ import annotations

from typing import Any

from in_process import NODE_UUID, Array

PORTS = "network/ethernet/ports"
PORT: dict[str, Any] = {
    "mac_address": "52:54:00:00:00:01",
    "mtu": 1500,
    "up": True,
    "carrier": True,
}


def test_a_port_is_shown_as_it_was_seen(api: Array) -> None:
    api.observe(PORTS, "e0a", **PORT, speed=10000, kind="")
    listed = api.records(f"{PORTS}?name=e0a")[0]
    shown = api.get(f"{PORTS}/{listed['uuid']}")
    del shown["_links"]
    assert shown == {
        "uuid": listed["uuid"],
        "name": "e0a",
        "node": {"name": "array1-01", "uuid": NODE_UUID},
        "type": "physical",
        "state": "up",
        "enabled": True,
        "mtu": 1500,
        "mac_address": "52:54:00:00:00:01",
        "speed": 10000,
        "broadcast_domain": {"name": "Default", "ipspace": {"name": "Default"}},
    }


def test_a_port_without_a_link_is_down_and_stays_enabled(api: Array) -> None:
    api.observe(PORTS, "e0a", **PORT | {"carrier": False}, speed=0, kind="")
    [shown] = api.records(f"{PORTS}?fields=*")
    assert (shown["state"], shown["enabled"]) == ("down", True)
    assert "speed" not in shown


def test_kinds_of_ports(api: Array) -> None:
    for name, kind in (("e0a", ""), ("a0a", "bond"), ("e0a-7", "vlan")):
        api.observe(PORTS, name, **PORT, kind=kind)
    types = {port["name"]: port["type"] for port in api.records(f"{PORTS}?fields=type")}
    assert types == {"e0a": "physical", "a0a": "lag", "e0a-7": "vlan"}


def test_the_identity_of_a_port_is_its_own_and_lasts(api: Array) -> None:
    for name in ("e0a", "e0b"):
        api.observe(PORTS, name, **PORT, kind="")
    before = {port["name"]: port["uuid"] for port in api.records(PORTS)}
    api.observe(PORTS, "e0a", mtu=9000)
    assert {port["name"]: port["uuid"] for port in api.records(PORTS)} == before
    assert len(set(before.values())) == 2


def test_ports_cannot_be_made(api: Array) -> None:
    assert api.call("POST", PORTS, {"name": "e0z"}).status_code == 405
