"""A dry run reports whether a change touches the caller's own connection."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

LIFS, PORTS, ROUTES = "network/ip/interfaces", "network/ethernet/ports", "network/ip/routes"
HERE, NEIGHBOUR, FAR = "10.10.1.5", "10.10.1.200", "192.0.2.9"
DHCP = "10.0.2.15"


@pytest.fixture
@prepared_once
def network(api: Array) -> Array:
    """An array with a LIF of the management on e0a, another on e0b, and a way out."""
    api.svm()
    for name in ("e0M", "e0a", "e0b", "e0c", "e0d"):
        api.observe(PORTS, name, mac_address="", mtu=1500, up=True, carrier=True, kind="")
    api.make(LIFS, lif("management"))
    other = {"ip.address": "10.10.2.5", "location.home_port.name": "e0b"}
    api.make(LIFS, lif("other", **other))
    api.make(ROUTES, {"gateway": "10.10.1.254"})
    return api


def lif(name: str, **more: Any) -> dict[str, Any]:
    """Return the body that makes a LIF of the management on e0a."""
    body = {"name": name, "scope": "cluster", "ip.address": HERE, "ip.netmask": "24"}
    return body | {"location.home_port.name": "e0a"} | more


def touches(
    network: Array,
    method: str,
    path: str,
    body: Any = None,
    *,
    reached: str = HERE,
    caller: str = NEIGHBOUR,
) -> bool:
    """Return whether a dry run reports that it touches the caller's own connection."""
    headers = {"X-Forwarded-For": caller, "X-Sanstone-Server-Address": reached}
    through = {"environ_overrides": {"REMOTE_ADDR": ""}, "headers": headers}
    joint = "&" if "?" in path else "?"
    response = network.call(method, f"{path}{joint}dry_run=true", body, **through)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer = response.get_json()
    assert answer["refusals"] == []
    return bool(answer["own_connection"])


def _path(network: Array, name: str) -> str:
    [record] = network.records(f"{LIFS}?name={name}")
    return f"{LIFS}/{record['uuid']}"


@pytest.mark.parametrize(
    "body",
    [
        {"ip.address": "10.10.1.6"},
        {"ip.netmask": "25"},
        {"location.home_port.name": "e0c"},
        {"enabled": False},
    ],
    ids=lambda body: next(iter(body)),
)
def test_the_lif_that_was_reached_does(network: Array, body: dict[str, Any]) -> None:
    assert touches(network, "PATCH", _path(network, "management"), body)
    assert not touches(network, "PATCH", _path(network, "management"), body, reached="10.10.2.5")


def test_a_lif_that_goes_does_and_one_that_is_renamed_does_not(network: Array) -> None:
    path = _path(network, "management")
    assert touches(network, "DELETE", path)
    assert not touches(network, "PATCH", path, {"name": "renamed"})
    assert not touches(network, "DELETE", _path(network, "other"))


def test_a_caller_on_this_machine_cannot_be_cut_off(network: Array) -> None:
    path = _path(network, "management")
    assert not touches(network, "DELETE", path, reached="", caller="")


def test_ports_below_the_lif_do(network: Array) -> None:
    lag = {"type": "lag", "lag.mode": "singlemode", "lag.distribution_policy": "mac"}
    lag["lag.member_ports"] = [{"name": "e0c"}, {"name": "e0d"}]  # type: ignore[assignment]
    network.make(PORTS, lag)
    network.make(PORTS, {"type": "vlan", "vlan.base_port.name": "a0a", "vlan.tag": 5})
    network.patch(_path(network, "management"), {"location.home_port.name": "a0a-5"})
    uuids = {port["name"]: port["uuid"] for port in network.records(PORTS)}
    for name in ("a0a-5", "a0a"):
        assert touches(network, "PATCH", f"{PORTS}/{uuids[name]}", {"enabled": False}), name
    fewer = {"lag.member_ports": [{"name": "e0c"}]}
    assert touches(network, "PATCH", f"{PORTS}/{uuids['a0a']}", fewer)
    assert not touches(network, "PATCH", f"{PORTS}/{uuids['e0b']}", {"enabled": False})


def test_the_route_in_use_does_and_one_to_elsewhere_does_not(network: Array) -> None:
    [route] = network.records(ROUTES)
    assert touches(network, "DELETE", f"{ROUTES}/{route['uuid']}", caller=FAR)
    assert not touches(network, "DELETE", f"{ROUTES}/{route['uuid']}", caller=NEIGHBOUR)


@pytest.mark.parametrize(
    ("destination", "shadows"), [("192.0.2.0/24", True), ("198.51.100.0/24", False)]
)
def test_a_new_route_that_leads_past_the_one_in_use_does(
    network: Array, destination: str, shadows: bool
) -> None:
    body = {"gateway": "10.10.1.253", "destination.address": destination}
    assert touches(network, "POST", ROUTES, body, caller=FAR) is shadows


def test_an_address_of_dhcp_is_cut_off_by_a_network_that_leads_elsewhere(network: Array) -> None:
    here = {"reached": DHCP, "caller": "10.0.2.2"}
    near = {"ip.address": "10.0.2.99", "location.home_port.name": "e0c"}
    assert touches(network, "POST", LIFS, lif("near", **near), **here)
    assert not touches(network, "DELETE", _path(network, "other"), **here)
