"""The fabrics that ports are in are shown, with the ports in each."""

from __future__ import annotations

from typing import Any

import pytest
from simulator import Simulator

FABRICS = "network/fc/fabrics"
FIRST, SECOND = "10:00:00:05:1e:00:00:01", "10:00:00:05:1e:00:00:02"


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
    shown: dict[str, Any] = array.get(f"{FABRICS}/{SECOND}")
    (port,) = array.get("network/fc/ports?name=0000:03:00.1&fields=uuid")["records"]
    (connection,) = shown["connections"]
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
