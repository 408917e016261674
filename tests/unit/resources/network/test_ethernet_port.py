"""Ethernet ports as clients see them."""

from __future__ import annotations

from typing import Any

from in_process import NODE_UUID, Array
from sqlalchemy import delete

from sanstone.core.database.store import writing
from sanstone.core.observed import Observed

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
    record = api.get(f"{PORTS}/{listed['uuid']}")
    del record["_links"]
    assert record == {
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
    [record] = api.records(f"{PORTS}?fields=*")
    assert (record["state"], record["enabled"]) == ("down", True)
    assert "speed" not in record


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


def test_physical_ports_are_discovered_and_not_created(api: Array) -> None:
    api.refuse("POST", PORTS, "1967083", {"name": "e0z"})
    api.refuse("POST", PORTS, "1967083", {"type": "physical", "name": "e0z"})
    api.observe(PORTS, "e0a", **PORT, kind="")
    api.refuse("DELETE", f"{PORTS}?name=e0a", "1967105")


def test_a_port_keeps_its_settings_while_it_is_away(api: Array) -> None:
    api.observe(PORTS, "e0a", **PORT, kind="")
    uuid = api.records(PORTS)[0]["uuid"]
    api.patch(f"{PORTS}/{uuid}", {"mtu": 9000, "enabled": False})
    with writing(api.database) as session:
        session.execute(delete(Observed).filter_by(kind=PORTS))
    record = api.get(f"{PORTS}/{uuid}")
    assert (record["state"], record["enabled"], record["mtu"]) == ("down", False, 9000)


def test_setting_the_present_values_changes_nothing(api: Array) -> None:
    api.observe(PORTS, "e0a", **PORT, kind="")
    before = api.contents()["ethernet_port"]
    api.patch(f"{PORTS}?name=e0a", {"mtu": 1500, "enabled": True})
    assert api.contents()["ethernet_port"] == before


def test_the_operating_systems_ports_are_not_changed(api: Array) -> None:
    api.observe(PORTS, "e0M", **PORT, kind="")
    api.refuse("PATCH", f"{PORTS}?name=e0M", "8", {"enabled": False})


def test_a_fault_alone_is_no_port(api: Array) -> None:
    api.observe(PORTS, "e0a", "port e0a is not there")
    assert api.records(PORTS) == []
