"""Routes as clients make and see them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

ROUTES = "network/ip/routes"


@pytest.fixture
@prepared_once
def network(api: Array) -> Array:
    """An array with an SVM that has the LIFs 10.10.1.7/24 and fd00::7/64."""
    api.svm()
    api.observe("network/ethernet/ports", "e0a", mtu=1500, up=True, carrier=True, kind="")
    for number, (address, netmask) in enumerate((("10.10.1.7", "24"), ("fd00::7", "64"))):
        body = {"name": f"lif{number}", "svm.name": "svm1", "ip.address": address}
        body |= {"ip.netmask": netmask, "location.home_port.name": "e0a"}
        api.make("network/ip/interfaces", body)
    return api


def route(**more: Any) -> dict[str, Any]:
    """Return the body of a route to 10.20.0.0/16."""
    return {
        "svm": {"name": "svm1"},
        "destination": {"address": "10.20.0.0", "netmask": "16"},
        "gateway": "10.10.1.1",
    } | more


def test_a_route_is_shown_as_created(network: Array) -> None:
    uuid = network.make(ROUTES, route(metric=30))["uuid"]
    details = network.get(f"{ROUTES}/{uuid}?fields=**")
    assert details["destination"] == {"address": "10.20.0.0", "netmask": "16", "family": "ipv4"}
    assert (details["gateway"], details["metric"], details["scope"]) == ("10.10.1.1", 30, "svm")
    assert [lif["name"] for lif in details["interfaces"]] == ["lif0"]
    query = "destination.address=10.20.0.0&gateway=10.10.1.1&svm.name=svm1"
    assert [record["uuid"] for record in network.records(f"{ROUTES}?{query}")] == [uuid]


def test_everything_is_the_default_destination(network: Array) -> None:
    created = network.make(ROUTES, {"svm.name": "svm1", "gateway": "10.10.1.1"})
    assert created["destination"] == {"address": "0.0.0.0", "netmask": "0", "family": "ipv4"}
    assert created["metric"] == 20
    created = network.make(ROUTES, {"svm.name": "svm1", "gateway": "fd00::1"})
    assert created["destination"] == {"address": "::", "netmask": "0", "family": "ipv6"}


@pytest.mark.parametrize(
    "destination",
    [
        "10.20.0.0/16",
        {"address": "10.20.0.0/16"},
        {"address": "10.20.0.0", "netmask": "255.255.0.0"},
    ],
)
def test_spellings_of_a_destination(network: Array, destination: Any) -> None:
    created = network.make(ROUTES, route(destination=destination))
    assert created["destination"]["address"] == "10.20.0.0"
    assert created["destination"]["netmask"] == "16"


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("1966265", {"gateway": "fd00::1"}),
        ("1967080", {"destination": {"address": "10.20.0.0"}}),
        ("1967080", {"destination": {"netmask": "16"}}),
        ("262197", {"destination": {"address": "10.20.0.1", "netmask": "16"}}),
        ("262197", {"destination": {"address": "10.20.0.0", "netmask": "64"}}),
        ("262188", {"destination": {"address": "10.20.0.0/16", "netmask": "16"}}),
        ("262197", {"gateway": "10.30.1.1"}),
        ("262197", {"gateway": "10.10.1.7"}),
        ("262197", {"metric": 0}),
        ("2621462", {"svm": {"name": "svm2"}}),
    ],
)
def test_invalid_routes_are_refused(network: Array, code: str, change: dict[str, Any]) -> None:
    network.refuse("POST", ROUTES, code, route(**change))


def test_duplicates(network: Array) -> None:
    network.make(ROUTES, route())
    network.refuse("POST", ROUTES, "1966345", route(metric=30))
    network.refuse("POST", ROUTES, "1966345", route(gateway="10.10.1.2"))
    network.make(ROUTES, route(gateway="10.10.1.2", metric=30))


def test_each_port_can_have_its_own_default_route(network: Array) -> None:
    network.observe("network/ethernet/ports", "e0b", mtu=1500, up=True, carrier=True, kind="")
    body = {"name": "lif3", "svm.name": "svm1", "ip.address": "10.10.2.7", "ip.netmask": "24"}
    network.make("network/ip/interfaces", body | {"location.home_port.name": "e0b"})
    for gateway in ("10.10.1.1", "10.10.2.1"):
        network.make(ROUTES, {"svm.name": "svm1", "gateway": gateway})
    network.refuse("POST", ROUTES, "1966345", {"svm.name": "svm1", "gateway": "10.10.2.2"})


def test_a_gateway_counts_for_its_own_svm_only(network: Array) -> None:
    network.svm("svm2")
    body = {"name": "lif9", "svm.name": "svm2", "ip.address": "10.99.1.7", "ip.netmask": "24"}
    network.make("network/ip/interfaces", body | {"location.home_port.name": "e0a"})
    network.refuse("POST", ROUTES, "262197", route(svm={"name": "svm2"}))


def test_a_route_may_come_before_the_first_interface(network: Array) -> None:
    network.svm("svm2")
    created = network.make(ROUTES, route(svm={"name": "svm2"}))
    assert "interfaces" not in network.get(f"{ROUTES}/{created['uuid']}?fields=**")
    body = {"name": "lif9", "svm.name": "svm2", "ip.address": "10.10.1.77", "ip.netmask": "24"}
    network.make("network/ip/interfaces", body | {"location.home_port.name": "e0a"})
    record = network.get(f"{ROUTES}/{created['uuid']}?fields=**")
    assert [lif["name"] for lif in record["interfaces"]] == ["lif9"]


def test_deletion(network: Array) -> None:
    created = network.make(ROUTES, route())
    network.delete(f"{ROUTES}/{created['uuid']}")
    assert network.records(ROUTES) == []
