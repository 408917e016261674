"""LAGs and VLANs come to be, come back after a boot, and go; nobody else's are touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from machine_state import comparable, difference
from simulator import Simulator, simulated

from fakes.files import Text
from sanstone.kernel.host import Bond, Link, RequestError, Vlan

PORTS, LIFS = "network/ethernet/ports", "network/ip/interfaces"
LAG = {"lag.mode": "multimode_lacp", "lag.distribution_policy": "ip", "mtu": 9000}


def connect(array: Simulator) -> None:
    array.do("POST", PORTS, LAG | {"lag.member_ports": ["e0c", "e0d"]})
    array.do("POST", PORTS, {"name": "a0a-1092"})
    array.do("POST", "svm/svms", {"name": "svm1"})
    body = {"svm.name": "svm1", "name": "lif1", "ip": {"address": "10.10.1.1", "netmask": "24"}}
    array.do("POST", LIFS, body | {"location.home_port.name": "a0a-1092"})


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Simulator]:
    """An array with a LAG of two ports, a VLAN on it, and a LIF on that."""
    with simulated(tmp_path, connect) as array:
        yield array


def links(array: Simulator) -> dict[str, Link]:
    return {link.name: link for link in array.kernel.network.links()}


def port(array: Simulator, name: str) -> dict[str, Any]:
    [record] = array.get(f"{PORTS}?name={name}&fields=**")["records"]
    return dict(record)


def change(array: Simulator, name: str, body: dict[str, Any]) -> None:
    array.do("PATCH", f"{PORTS}/{port(array, name)['uuid']}", body)


def lif_state(array: Simulator) -> str:
    return str(array.get(f"{LIFS}?fields=state")["records"][0]["state"])


def test_configured_ports_are_in_the_kernel(network: Simulator) -> None:
    by_name = links(network)
    assert by_name["a0a"].composition == Bond("802.3ad", "layer2+3")
    assert by_name["a0a-1092"].composition == Vlan("a0a", 1092)
    assert {name for name, link in by_name.items() if link.master == "a0a"} == {"e0c", "e0d"}
    assert {by_name[n].mtu for n in ("a0a", "a0a-1092", "e0c", "e0d")} == {9000}
    assert all(by_name[name].up for name in ("a0a", "a0a-1092", "e0c", "e0d"))
    assert (port(network, "a0a-1092")["state"], lif_state(network)) == ("up", "up")


def test_a_boot_brings_all_of_it_back(network: Simulator) -> None:
    before, address = comparable(network.kernel), links(network)["a0a"].mac_address
    network.reboot()
    network.settle()
    assert difference(comparable(network.kernel), before) == ""
    assert links(network)["a0a"].mac_address == address
    assert lif_state(network) == "up"


@pytest.mark.parametrize(("attribute", "speed"), [("10000\n", 10000), ("-1\n", None)])
def test_a_ports_speed_is_shown_if_known(
    array: Simulator, attribute: str, speed: int | None
) -> None:
    array.kernel.files.place("/sys/class/net/e0a/speed", Text(attribute))
    array.settle()
    assert port(array, "e0a").get("speed") == speed


@pytest.mark.parametrize("name", ["e0e", "e0z", "e0a1", "e0M1", "e0b3"])
def test_a_port_of_any_card_is_switched_on_and_takes_settings(array: Simulator, name: str) -> None:
    array.kernel.add_link(name)
    array.settle()
    assert links(array)[name].up
    change(array, name, {"mtu": 9000})
    array.do("POST", PORTS, {"name": f"{name}-7"})
    array.do("POST", PORTS, LAG | {"lag.member_ports": ["e0d"]})
    assert (links(array)[name].mtu, links(array)[f"{name}-7"].up) == (9000, True)


def test_a_port_with_another_name_is_the_operating_systems(array: Simulator) -> None:
    before = links(array)["e0M"]
    for name in ("enp3s0", "e0e4", "e1a"):
        array.kernel.add_link(name)
    array.settle()
    assert not any(links(array)[name].up for name in ("enp3s0", "e0e4", "e1a"))
    assert links(array)["e0M"] == before


def test_an_address_of_a_lag_is_nobody_elses(network: Simulator) -> None:
    network.do("POST", PORTS, LAG | {"lag.mode": "singlemode"})
    by_name = links(network)
    addresses = [by_name[name].mac_address for name in ("a0a", "a0b", "e0a", "e0b")]
    assert len(set(addresses)) == len(addresses)
    assert all(int(a[:2], 16) & 3 == 2 for a in addresses[:2]), "locally administered, one host"


def test_a_late_member_delays_nothing_but_itself(network: Simulator) -> None:
    network.reboot()
    network.kernel.remove_link("e0d")
    network.settle()
    assert (port(network, "a0a")["state"], lif_state(network)) == ("degraded", "up")
    events = network.get("support/ems/events?fields=log_message")["records"]
    assert any("port e0d is not there" in event["log_message"] for event in events)
    network.kernel.add_link("e0d")
    network.settle()
    assert (port(network, "a0a")["state"], links(network)["e0d"].master) == ("up", "a0a")


def test_settings_go_up_to_what_is_on_top(network: Simulator) -> None:
    change(network, "a0a-1092", {"mtu": 4000})
    change(network, "a0a", {"mtu": 5000})
    assert [port(network, n)["mtu"] for n in ("a0a", "a0a-1092", "e0c")] == [5000, 4000, 5000]
    change(network, "a0a", {"enabled": False})
    assert (port(network, "a0a-1092")["enabled"], lif_state(network)) == (True, "down")
    change(network, "a0a", {"enabled": True})
    assert lif_state(network) == "up"


def test_a_lif_may_move_on_a_port_that_is_off(network: Simulator) -> None:
    [lif] = network.get("network/ip/interfaces")["records"]
    change(network, "a0a", {"enabled": False})
    moved = {"ip": {"address": "10.20.9.9", "netmask": "28"}}
    network.do("PATCH", f"network/ip/interfaces/{lif['uuid']}", moved)
    assert lif_state(network) == "down"
    assert not network.get("support/ems/events?message.name=*fault")["records"]


def test_a_vlan_that_is_off_stays_off_when_its_port_goes_on(network: Simulator) -> None:
    change(network, "a0a-1092", {"enabled": False})
    change(network, "a0a", {"enabled": False})
    change(network, "a0a", {"enabled": True})
    assert (links(network)["a0a"].up, links(network)["a0a-1092"].up) == (True, False)


def test_a_port_that_leaves_serves_by_itself_again(network: Simulator) -> None:
    change(network, "a0a", {"lag.member_ports": ["e0c"]})
    link = links(network)["e0d"]
    assert (link.master, link.up, link.mtu) == ("", True, 1500)


@pytest.mark.parametrize(
    ("mode", "policy", "bond"),
    [
        ("multimode", "port", Bond("balance-xor", "layer3+4")),
        ("multimode", "sequential", Bond("balance-rr", "layer2")),
        ("multimode_lacp", "mac", Bond("802.3ad", "layer2")),
        ("singlemode", "sequential", Bond("active-backup", "layer2")),
    ],
)
def test_modes_and_policies(array: Simulator, mode: str, policy: str, bond: Bond) -> None:
    array.do("POST", PORTS, {"lag.mode": mode, "lag.distribution_policy": policy})
    assert links(array)["a0a"].composition == bond


def test_an_empty_lag_changes_its_mode_below_what_is_on_it(network: Simulator) -> None:
    change(network, "a0a", {"lag.member_ports": []})
    change(network, "a0a", {"lag.mode": "multimode"})
    change(network, "a0a", {"lag.member_ports": ["e0d"]})
    assert links(network)["a0a"].composition == Bond("balance-xor", "layer2+3")
    assert lif_state(network) == "up"


def test_a_deleted_port_leaves_nothing(array: Simulator) -> None:
    before = comparable(array.kernel)
    array.do("POST", PORTS, LAG | {"lag.member_ports": ["e0c", "e0d"]})
    array.do("POST", PORTS, {"name": "a0a-1092"})
    for name in ("a0a-1092", "a0a"):
        array.do("DELETE", f"{PORTS}/{port(array, name)['uuid']}")
    assert difference(comparable(array.kernel), before) == ""


def test_a_kernel_without_bonds_takes_the_request_back(array: Simulator) -> None:
    before = array.dump()
    refusal = RequestError("make bond a0a", 95)
    array.kernel.fail_when(lambda step: step.startswith("make bond"), refusal)
    response = array.call("POST", PORTS, LAG)
    assert "make bond a0a" in response.get_json()["error"]["message"]
    array.settle()
    assert (array.dump(), array.get(f"{PORTS}?type=lag")["records"]) == (before, [])


def test_an_administrators_bond_is_left_alone(array: Simulator) -> None:
    array.kernel.network.add_foreign_bond("a0a", "e0d")
    array.settle()
    before = links(array)
    for body in (LAG | {"name": "a0a"}, {"name": "a0a-7"}, LAG | {"lag.member_ports": ["e0d"]}):
        assert array.call("POST", PORTS, body).status_code >= 400
    array.settle()
    assert links(array) == before


def test_a_foreign_bond_that_came_first_stands_in_the_way(network: Simulator) -> None:
    network.reboot()
    network.kernel.network.add_foreign_bond("a0a")
    foreign = links(network)["a0a"]
    network.settle()
    assert links(network)["a0a"] == foreign
    events = network.get("support/ems/events?fields=log_message")["records"]
    text = "there is a link a0a that the array did not make"
    assert any(text in event["log_message"] for event in events)
