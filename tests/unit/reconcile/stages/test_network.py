"""Routes come into force with the LIFs that they lead through."""

from __future__ import annotations

from pathlib import Path

from scenarios import svm
from simulator import Simulator, simulated

LIFS, ROUTES = "network/ip/interfaces", "network/ip/routes"


def gateways(array: Simulator) -> set[str]:
    """Return the gateways that the kernel knows."""
    return {route.gateway for route in array.kernel.network.routes() if route.gateway}


def test_the_management_ports_dhcp_address_is_shown(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        svm(array)
        place = {"location.home_port.name": "e0a", "service_policy.name": "default-data-iscsi"}
        address = {"ip": {"address": "10.10.1.1", "netmask": "24"}}
        array.make(LIFS, {"svm.name": "svm1", "name": "lif1", **address, **place})
        interfaces = array.get("cluster?fields=management_interfaces")["management_interfaces"]
        assert {"name": "e0M", "ip": {"address": "10.0.2.15"}} in interfaces
        assert "10.10.1.1" not in [each["ip"]["address"] for each in interfaces]


def test_a_route_waits_for_a_lif_that_is_switched_off(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        svm(array)
        place = {"location.home_port.name": "e0a", "service_policy.name": "default-data-iscsi"}
        address = {"ip": {"address": "10.10.1.1", "netmask": "24"}, "enabled": False}
        owner = {"svm.name": "svm1"}
        lif = array.make(LIFS, {**owner, "name": "lif1", **address, **place})
        array.do("POST", ROUTES, {**owner, "gateway": "10.10.1.254"})
        assert gateways(array) == set()
        array.do("PATCH", f"{LIFS}/{lif['uuid']}", {"enabled": True})
        assert gateways(array) == {"10.10.1.254"}
        array.do("PATCH", f"{LIFS}/{lif['uuid']}", {"enabled": False})
        assert gateways(array) == set()
        assert not array.get("support/ems/events?message.name=*fault")["records"]
