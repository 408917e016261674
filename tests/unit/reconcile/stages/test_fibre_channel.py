"""Fibre Channel ports are shown; services that are wanted are told to have no exports."""

from __future__ import annotations

from typing import Any

from scenarios import svm
from simulator import NODE_UUID, Simulator

PORTS, SERVICES = "network/fc/ports", "protocols/san/fcp/services"
INTERFACES = "network/fc/interfaces"


def test_a_port_is_shown_as_it_is(array: Simulator) -> None:
    assert array.get(PORTS)["records"] == []
    array.kernel.fibre_channel.plug()
    array.settle()
    [shown] = array.get(f"{PORTS}?fields=*")["records"]
    del shown["_links"], shown["uuid"]
    shown["node"].pop("_links", None)
    assert shown == {
        "name": "0000:03:00.0",
        "node": {"name": "array-01", "uuid": NODE_UUID},
        "description": "QLE2692 FW:v9.08.02 DVR:v10.02.09",
        "wwnn": "20:00:00:24:ff:00:00:01",
        "wwpn": "21:00:00:24:ff:00:00:01",
        "state": "online",
        "physical_protocol": "fibre_channel",
        "supported_protocols": ["fcp"],
        "speed": {"configured": "auto", "maximum": "16"},
        "fabric": {
            "connected": True,
            "connected_speed": 16,
            "name": "10:00:00:05:1e:00:00:01",
            "port_address": "010201",
        },
    }


def test_a_port_without_a_link_and_one_that_linux_cannot_serve_with(array: Simulator) -> None:
    array.kernel.fibre_channel.plug(port_state="Linkdown", speed="unknown", fabric_name="0x0")
    array.kernel.fibre_channel.plug("fnic", port_state="Blocked", supported_speeds="unknown")
    array.settle()
    first, second = array.get(f"{PORTS}?fields=*")["records"]
    assert (first["state"], first["fabric"]) == ("link_not_connected", {"connected": False})
    assert (second["state"], second["physical_protocol"]) == ("unknown", "ethernet")
    assert (second["supported_protocols"], second["speed"]) == ([], {"configured": "auto"})


def test_an_array_without_an_adapter_refuses_services_and_interfaces(array: Simulator) -> None:
    svm(array)
    body: dict[str, Any] = {"svm.name": "svm1"}
    for path in (SERVICES, INTERFACES):
        response = array.call("POST", path, body)
        assert (response.status_code, response.get_json()["error"]["code"]) == (400, "5374092")
    assert array.get(SERVICES)["records"] == []


def test_interfaces_are_refused_with_an_adapter_too(array: Simulator) -> None:
    array.kernel.fibre_channel.plug()
    array.settle()
    svm(array)
    response = array.call("POST", INTERFACES, {"svm.name": "svm1", "name": "fc1"})
    assert (response.status_code, response.get_json()["error"]["code"]) == (405, "3")
    assert array.get(INTERFACES)["records"] == []


def test_a_service_that_is_enabled_tells_that_it_has_no_exports(array: Simulator) -> None:
    array.kernel.fibre_channel.plug()
    array.settle()
    svm(array)
    uuid = array.make(SERVICES, {"svm.name": "svm1"})["svm"]["uuid"]

    def told() -> int:
        query = "support/ems/events?message.name=fcp.not_served&fields=log_message"
        return len(array.get(query)["records"])

    assert told() == 1
    array.settle()
    assert told() == 1
    assert array.get(f"{SERVICES}/{uuid}")["state"] == "down"
    array.do("PATCH", f"{SERVICES}/{uuid}", {"enabled": False})
    array.do("PATCH", f"{SERVICES}/{uuid}", {"enabled": True})
    assert told() == 2
