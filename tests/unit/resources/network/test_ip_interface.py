"""LIFs as clients make, change and see them."""

from __future__ import annotations

from typing import Any

import pytest
from beginnings import prepared_once
from in_process import NODE_UUID, Array

from sanstone.core.database.store import writing
from sanstone.model.network import IpInterface

LIFS = "network/ip/interfaces"
PORTS = "network/ethernet/ports"


@pytest.fixture
@prepared_once
def network(api: Array) -> Array:
    """An array with an SVM and the ports e0M, e0a and e0b."""
    api.svm()
    for name in ("e0M", "e0a", "e0b"):
        api.observe(PORTS, name, mac_address="", mtu=1500, up=True, carrier=True, kind="")
    return api


def lif(name: str = "lif1", **more: Any) -> dict[str, Any]:
    """Return the body that makes a LIF on e0a."""
    body = {"name": name, "svm.name": "svm1", "ip.address": "10.10.1.7", "ip.netmask": "24"}
    return body | {"location.home_port.name": "e0a"} | more


def test_a_lif_is_shown_as_created(network: Array) -> None:
    body = {
        "name": "lif1",
        "svm": {"name": "svm1"},
        "ip": {"address": "10.10.1.7", "netmask": "255.255.255.0"},
        "location": {
            "home_node": {"name": "array1-01"},
            "home_port": {"name": "e0a", "node": {"name": "array1-01"}},
            "auto_revert": False,
            "failover": "default",
        },
        "service_policy": "default-data-iscsi",
    }
    created = network.make(LIFS, body)
    network.observe(LIFS, created["uuid"], state="up")
    record = network.get(f"{LIFS}/{created['uuid']}")
    assert record["ip"] == {"address": "10.10.1.7", "netmask": "24", "family": "ipv4"}
    assert (record["svm"]["name"], record["scope"], record["enabled"]) == ("svm1", "svm", True)
    assert record["state"] == "up"
    assert record["service_policy"]["name"] == "default-data-iscsi"
    assert record["services"] == ["data_core", "data_iscsi"]
    place = record["location"]
    assert place["home_node"] == place["node"] == {"name": "array1-01", "uuid": NODE_UUID}
    assert place["home_port"] == place["port"]
    assert (place["home_port"]["name"], place["is_home"]) == ("e0a", True)
    assert (place["auto_revert"], place["failover"]) == (False, "home_port_only")
    [port] = network.records(f"{PORTS}?name=e0a")
    assert place["home_port"]["uuid"] == port["uuid"]


def test_defaults(network: Array) -> None:
    created = network.make(LIFS, lif())
    assert created["service_policy"]["name"] == "default-data-blocks"
    assert created["state"] == "down", "nothing has been observed yet"
    [policy] = network.records("network/ip/service-policies?svm.name=svm1&name=default-data-blocks")
    assert policy["uuid"] == created["service_policy"]["uuid"]


def test_lifs_are_found_by_their_services(network: Array) -> None:
    network.make(LIFS, lif("i", **{"service_policy.name": "default-data-iscsi"}))
    network.make(LIFS, lif("b", **{"ip.address": "10.10.1.8"}))
    network.make(
        LIFS, lif("n", **{"ip.address": "10.10.1.9", "service_policy": "default-data-nvme-tcp"})
    )
    records = network.records(f"{LIFS}?services=data_iscsi&fields=ip.address,state")
    assert {record["name"] for record in records} == {"i", "b"}


def test_ipv6(network: Array) -> None:
    created = network.make(LIFS, lif(**{"ip.address": "FD00:0::7", "ip.netmask": "64"}))
    assert created["ip"] == {"address": "fd00::7", "netmask": "64", "family": "ipv6"}


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("1966269", {"ip.netmask": "33"}),
        ("1966269", {"ip.netmask": "0"}),
        ("1966269", {"ip.netmask": "255.0.255.0"}),
        ("262197", {"ip.address": "10.10.1.0"}),
        ("262197", {"ip.address": "10.10.1.255"}),
        ("262197", {"ip.address": "127.0.0.1"}),
        ("262197", {"ip.address": "169.254.1.1"}),
        ("262197", {"ip.address": "240.0.0.1"}),
        ("262197", {"ip.address": "::ffff:10.10.1.7", "ip.netmask": "120"}),
        ("262197", {"ip.address": "fe80::1", "ip.netmask": "64"}),
        ("262197", {"ip.address": "fd00::", "ip.netmask": "64"}),
        ("1967130", {"location.home_port.name": "e9z"}),
        ("53281065", {"service_policy": "no-such-policy"}),
        ("4", {"location.home_node.name": "other-01"}),
        ("4", {"location": {"home_port": {"node": {"name": "other-01"}}}}),
        ("2621462", {"svm.name": "svm2"}),
    ],
)
def test_invalid_lifs_are_refused(network: Array, code: str, change: dict[str, Any]) -> None:
    body = {key: value for key, value in lif().items() if not key.startswith(tuple(change))}
    network.refuse("POST", LIFS, code, body | change)


@pytest.mark.parametrize("address", ["10.10.1.6", "10.10.1.7"])
def test_both_ends_of_a_point_to_point_network_are_addresses(network: Array, address: str) -> None:
    network.make(LIFS, lif(**{"ip.address": address, "ip.netmask": "31"}))


def test_an_unknown_policy_is_refused_with_those_that_there_are(network: Array) -> None:
    created = network.make(LIFS, lif())
    other = lif("lif2", service_policy="default-data-fcp", **{"ip.address": "10.10.1.8"})
    for error in (
        network.refuse("POST", LIFS, "53281065", other),
        network.refuse(
            "PATCH", f"{LIFS}/{created['uuid']}", "53281065", {"service_policy": "default-data-fcp"}
        ),
    ):
        assert error["target"] == "service_policy.name"
        assert "default-data-blocks, default-data-iscsi" in error["message"]


def test_an_address_is_unique_in_the_array(network: Array) -> None:
    network.make(LIFS, lif())
    network.svm("svm2")
    error = network.refuse("POST", LIFS, "1376963", lif("lif2", **{"svm.name": "svm2"}))
    assert error["target"] == "ip.address"


def test_a_name_is_unique_in_its_svm(network: Array) -> None:
    network.make(LIFS, lif())
    network.refuse("POST", LIFS, "1966140", lif(**{"ip.address": "10.10.1.8"}))
    network.svm("svm2")
    network.make(LIFS, lif(**{"ip.address": "10.10.1.8", "svm.name": "svm2"}))


def test_an_svm_is_needed_unless_it_is_for_management(network: Array) -> None:
    body = {key: value for key, value in lif().items() if key != "svm.name"}
    network.refuse("POST", LIFS, "1967127", body)
    of_data = body | {"scope": "cluster", "service_policy": "default-data-iscsi"}
    error = network.refuse("POST", LIFS, "53281065", of_data)
    assert error["message"].endswith("can have: default-management.")
    created = network.make(LIFS, body | {"ipspace": "Default"})
    assert (created["scope"], created["service_policy"]["name"]) == (
        "cluster",
        "default-management",
    )
    assert "svm" not in created


class TestChoiceOfPort:
    """The port of a LIF that is created without location.home_port."""

    def body(self, **more: Any) -> dict[str, Any]:
        body = lif(**more)
        del body["location.home_port.name"]
        return body

    def test_a_lif_needs_a_location(self, network: Array) -> None:
        error = network.refuse("POST", LIFS, "2", self.body())
        assert error["target"] == "location.home_port.name"

    def test_the_port_that_carries_the_network_wins(self, network: Array) -> None:
        network.make(LIFS, lif(**{"location.home_port.name": "e0b"}))
        more = {"location.broadcast_domain.name": "Default", "ip.address": "10.10.1.8"}
        created = network.make(LIFS, self.body(name="lif2", **more))
        assert created["location"]["home_port"]["name"] == "e0b"

    def test_else_one_with_a_link(self, network: Array) -> None:
        network.observe(PORTS, "e0a", carrier=False)
        created = network.make(LIFS, self.body(**{"location.home_node.name": "array1-01"}))
        assert created["location"]["home_port"]["name"] == "e0b"

    def test_else_the_one_with_the_fewest_lifs(self, network: Array) -> None:
        network.make(LIFS, lif())
        more = {"location.home_node.name": "array1-01", "ip.address": "10.20.1.8"}
        created = network.make(LIFS, self.body(name="lif2", **more))
        assert created["location"]["home_port"]["name"] == "e0b"


class TestChange:
    """PATCH of a LIF."""

    @pytest.fixture
    def path(self, network: Array) -> str:
        return f"{LIFS}/{network.make(LIFS, lif())['uuid']}"

    def test_only_what_is_given_changes(self, network: Array, path: str) -> None:
        before = network.get(path)
        network.patch(path, {"ip": {"address": "10.10.1.9"}, "enabled": "false"})
        after = network.get(path)
        assert (after["ip"]["address"], after["enabled"]) == ("10.10.1.9", False)
        assert after["ip"]["netmask"] == before["ip"]["netmask"]
        assert after["location"] == before["location"]

    def test_the_same_again_is_fine(self, network: Array, path: str) -> None:
        network.patch(path, {"name": "lif1", "ip.address": "10.10.1.7", "ip.netmask": "24"})

    def test_move_to_another_port(self, network: Array, path: str) -> None:
        network.patch(path, {"location.home_port": {"name": "e0b"}})
        place = network.get(path)["location"]
        assert place["home_port"]["name"] == place["port"]["name"] == "e0b"

    def test_a_lif_is_moved_and_sent_home(self, network: Array, path: str) -> None:
        network.patch(path, {"location.port.name": "e0b", "location.node.name": "array1-01"})
        place = network.get(path)["location"]
        assert (place["home_port"]["name"], place["port"]["name"]) == ("e0a", "e0b")
        assert place["is_home"] is False
        assert place["home_port"]["uuid"] != place["port"]["uuid"]
        network.patch(path, {"location.is_home": True})
        place = network.get(path)["location"]
        assert (place["port"]["name"], place["is_home"]) == ("e0a", True)

    def test_a_lif_away_from_home_gets_another_home(self, network: Array, path: str) -> None:
        network.patch(path, {"location.port.name": "e0b"})
        network.patch(path, {"location.home_port.name": "e0M"})
        place = network.get(path)["location"]
        assert (place["home_port"]["name"], place["port"]["name"]) == ("e0M", "e0b")
        network.patch(path, {"location": {"home_port": {"name": "e0b"}}})
        assert network.get(path)["location"]["is_home"] is True

    def test_a_place_must_make_sense(self, network: Array, path: str) -> None:
        error = network.refuse("PATCH", path, "1967130", {"location.port.name": "e9z"})
        assert error["target"] == "location.port.name"
        network.refuse("PATCH", path, "262197", {"location.is_home": False})
        both = {"location.is_home": True, "location.port.name": "e0b"}
        assert network.refuse("PATCH", path, "262186", both)["target"] == "location.is_home"

    def test_where_it_may_go_follows_from_what_it_serves(self, network: Array, path: str) -> None:
        assert network.get(path)["location"]["failover"] == "home_port_only"
        network.patch(path, {"location.failover": "broadcast_domain_only"})
        assert network.get(path)["location"]["failover"] == "broadcast_domain_only"
        network.patch(path, {"location.failover": "default"})
        assert network.get(path)["location"]["failover"] == "home_port_only"
        management = lif("mgmt", **{"ip.address": "10.10.1.8", "scope": "cluster"})
        created = network.make(LIFS, {k: v for k, v in management.items() if k != "svm.name"})
        assert created["location"]["failover"] == "broadcast_domain_only"

    def test_a_lif_that_serves_rdma_cannot_move(self, network: Array, path: str) -> None:
        network.patch(path, {"rdma_protocols": ["roce"]})
        network.refuse("PATCH", path, "8", {"location.failover": "home_node_only"})

    def test_a_dry_run_shows_a_move(self, network: Array, path: str) -> None:
        body = {"location.port.name": "e0b"}
        preview = network.patch(f"{path}?dry_run=true", body)
        assert [(each["action"], each["name"]) for each in preview["changes"]] == [
            ("modify", "lif1")
        ]
        assert network.get(path)["location"]["is_home"] is True

    def test_port_and_prefix_are_checked(self, network: Array, path: str) -> None:
        network.refuse("PATCH", path, "1967130", {"location.home_port.name": "e9z"})
        network.refuse("PATCH", path, "1966269", {"ip.netmask": "64"})
        network.refuse("PATCH", path, "262197", {"ip.address": "10.10.1.255"})

    def test_name_and_address_of_another_are_taken(self, network: Array, path: str) -> None:
        network.make(LIFS, lif("lif2", **{"ip.address": "10.10.1.8"}))
        network.refuse("PATCH", path, "1966140", {"name": "lif2"})
        network.refuse("PATCH", path, "1376963", {"ip.address": "10.10.1.8"})

    def test_a_vanished_port_does_not_block_other_changes(self, network: Array, path: str) -> None:
        with writing(network.database) as session:
            session.execute(
                IpInterface.__table__.update().values(port="e0gone", home_port="e0gone")  # type: ignore[attr-defined]
            )
        network.patch(path, {"enabled": False})
