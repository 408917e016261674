"""The fabrics of the ports are shown, with the answers of their services."""

from __future__ import annotations

from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

from fakes.fabric_services import Fabric, Switch, SwitchPort, member
from sanstone.reconcile.tasks import fabric_asker

FABRICS = "network/fc/fabrics"
FIRST, SECOND = "10:00:00:05:1e:00:00:01", "10:00:00:05:1e:00:00:02"

PORT, HOST = "21:00:00:24:ff:00:00:01", "20:00:00:50:56:00:00:01"
SWITCH_PORT = "20:00:00:05:1e:00:00:01"


def fabrics(array: Simulator) -> dict[str, list[str]]:
    """Return the names of the ports in each fabric."""
    return {
        record["name"]: [each["cluster_port"]["name"] for each in record["connections"]]
        for record in array.get(f"{FABRICS}?fields=*")["records"]
    }


def test_ports_of_a_fabric_are_its_connections(array: Simulator) -> None:
    array.settle()
    assert fabrics(array) == {}
    array.kernel.fibre_channel.plug()
    array.kernel.fibre_channel.plug("lpfc", fabric_name="0x100000051e000002")
    array.kernel.fibre_channel.plug()
    array.settle()
    assert fabrics(array) == {
        FIRST: ["0000:03:00.0", "0000:03:00.2"],
        SECOND: ["0000:03:00.1"],
    }
    record: dict[str, Any] = array.get(f"{FABRICS}/{SECOND}")
    (port,) = array.get("network/fc/ports?name=0000:03:00.1&fields=uuid")["records"]
    (connection,) = record["connections"]
    assert connection["cluster_port"] == {
        "name": "0000:03:00.1",
        "uuid": port["uuid"],
        "wwpn": "21:00:00:24:ff:00:00:02",
        "node": {"name": "array-01"},
    }


@pytest.mark.parametrize("fabric", ["0x0", "0xffffffffffffffff"])
def test_a_port_without_a_fabric_is_in_none(array: Simulator, fabric: str) -> None:
    array.kernel.fibre_channel.plug(fabric_name=fabric)
    array.settle()
    assert fabrics(array) == {}


def test_a_fabric_goes_with_the_last_link_to_it(array: Simulator) -> None:
    array.kernel.fibre_channel.plug()
    array.settle()
    array.kernel.fibre_channel.unplug()
    array.settle()
    assert fabrics(array) == {}
    assert array.call("GET", f"{FABRICS}/{FIRST}").status_code == 404


@pytest.fixture
def fabric(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> Simulator:
    """An array with a port in a fabric that answers questions about itself."""
    monkeypatch.setattr(fabric_asker, "PERIOD", 0.0)
    array.kernel.fibre_channel.plug()
    port = SwitchPort(attached=(PORT, HOST), addresses={PORT: "010201"})
    switch = Switch(
        domain=7,
        name="san-a",
        information=("Example", "Director", "v9.1"),
        ports={SWITCH_PORT: port, "20:01:00:05:1e:00:00:01": SwitchPort(kind=0, state=2)},
    )
    array.kernel.fabrics.fabrics[FIRST] = Fabric(
        {FIRST: switch},
        "production",
        {"host1": [member(1, PORT), member(1, HOST)], "odd": [member(2, "00010007")]},
    )
    array.ask_fabrics()
    return array


def test_a_fabric_shows_its_zones_and_switches(fabric: Simulator) -> None:
    record = fabric.get(f"{FABRICS}/{FIRST}")
    assert record["zoneset"] == {"name": "production"}
    assert record["cache"]["is_current"]
    assert record["cache"]["age"].startswith("PT")
    (connection,) = record["connections"]
    assert connection["switch"] == {"wwn": FIRST, "port": {"wwpn": SWITCH_PORT}}
    zones = fabric.get(f"{FABRICS}/{FIRST}/zones?fields=*")["records"]
    assert {zone["name"]: zone["members"] for zone in zones} == {
        "host1": [{"type": "port_name", "name": PORT}, {"type": "port_name", "name": HOST}],
        "odd": [{"type": "domain_id_port", "name": "1/7"}],
    }
    (switch,) = fabric.get(f"{FABRICS}/{FIRST}/switches?fields=*")["records"]
    facts = {name: switch[name] for name in ("wwn", "name", "domain_id", "vendor", "release")}
    assert facts == {
        "wwn": FIRST,
        "name": "san-a",
        "domain_id": 7,
        "vendor": "Example",
        "release": "v9.1",
    }
    at_port = {"wwpn": SWITCH_PORT, "slot": "0", "state": "online", "type": "f_port"}
    assert switch["ports"] == [
        at_port | {"attached_device": {"wwpn": PORT, "port_id": "0x010201"}},
        at_port | {"attached_device": {"wwpn": HOST}},
        {"wwpn": "20:01:00:05:1e:00:00:01", "slot": "1", "state": "offline", "type": "none"},
    ]


def test_all_fabrics_are_searched_for_a_device(fabric: Simulator) -> None:
    query = f"{FABRICS}/*/switches?ports.attached_device.wwpn={HOST}"
    (record,) = fabric.get(query)["records"]
    assert (record["wwn"], record["fabric"]["name"]) == (FIRST, FIRST)
    assert fabric.get(f"{FABRICS}/*/zones?name=host1")["num_records"] == 1
    assert fabric.call("GET", f"{FABRICS}/{SECOND}/zones").status_code == 404
    assert fabric.call("GET", f"{FABRICS}/*/zones/host1").status_code == 404


def test_data_are_current_up_to_the_requested_age(fabric: Simulator, clock: Clock) -> None:
    clock.now += 1
    query = f"{FABRICS}/{FIRST}?cache.maximum_age="
    assert not fabric.get(f"{query}PT0S")["cache"]["is_current"]
    assert fabric.get(f"{query}P1DT1H")["cache"]["is_current"]
    assert fabric.call("GET", f"{query}15").status_code == 400


def test_changes_of_a_fabric_are_taken_in(fabric: Simulator) -> None:
    of_it = fabric.kernel.fabrics.fabrics[FIRST]
    of_it.zones = {"host2": [member(1, PORT)]}
    fabric.ask_fabrics()
    zones = fabric.get(f"{FABRICS}/{FIRST}/zones")["records"]
    assert [zone["name"] for zone in zones] == ["host2"]
    of_it.zone_set = ""
    fabric.ask_fabrics()
    assert fabric.get(f"{FABRICS}/{FIRST}/zones")["records"] == []
    assert "zoneset" not in fabric.get(f"{FABRICS}/{FIRST}")


def test_facts_of_a_fabric_outlive_a_start(fabric: Simulator) -> None:
    before = fabric.get(f"{FABRICS}/{FIRST}/zones?fields=members")["records"]
    fabric.start()
    fabric.settle()
    assert fabric.get(f"{FABRICS}/{FIRST}/zones?fields=members")["records"] == before
    assert fabric.get(f"{FABRICS}/{FIRST}")["zoneset"] == {"name": "production"}


def test_records_go_with_the_fabric(fabric: Simulator) -> None:
    fabric.kernel.fibre_channel.change(1, fabric_name="0x100000051e000002")
    fabric.ask_fabrics()
    assert fabric.get(f"{FABRICS}/*/zones")["records"] == []
    assert fabric.get(f"{FABRICS}/*/switches")["records"] == []


def test_a_fabric_without_services_shows_its_name_only(array: Simulator) -> None:
    array.kernel.fibre_channel.plug("lpfc")
    array.ask_fabrics()
    record = array.get(f"{FABRICS}/{FIRST}")
    assert record["cache"] == {"is_current": False}
    assert "zoneset" not in record
    assert list(record["connections"][0]) == ["cluster_port"]
    assert array.get(f"{FABRICS}/{FIRST}/zones")["records"] == []
