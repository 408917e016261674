"""A LIF leaves a port that is dead, and goes home when that has had a link for some time."""

from __future__ import annotations

from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

LIFS, EVENTS = "network/ip/interfaces", "support/ems/events"
ADDRESS, DOMAIN = "10.10.1.7", {"location.failover": "broadcast_domain_only"}


class Network:
    """An array with an SVM, and the time that passes on it."""

    def __init__(self, array: Simulator, clock: Clock) -> None:
        self.array, self.clock = array, clock

    def add(self, name: str, address: str, port: str, **more: Any) -> str:
        """Add a LIF of the SVM, and return its path."""
        body = {"svm.name": "svm1", "name": name, "ip": {"address": address, "netmask": "24"}}
        place = {"location.home_port.name": port, "service_policy": "default-data-iscsi"}
        return f"{LIFS}/{self.array.make(LIFS, body | place | more)['uuid']}"

    def plug(self, port: str, *, connected: bool) -> None:
        """Plug in or pull the cable of a port."""
        self.array.kernel.network.plug(port, connected=connected)

    def wait(self, seconds: int) -> None:
        """Let time pass, with the looks of the reconciler in it."""
        for _ in range(seconds // 5):
            self.array.settle()
            self.clock.now += 5
        self.array.settle()

    def links(self, address: str = ADDRESS) -> list[str]:
        """Return the ports that have an address."""
        addresses = self.array.kernel.network.addresses()
        return [each.link for each in addresses if each.address == address]

    def away(self) -> list[str]:
        """Return the messages of active events about LIFs away from home."""
        path = f"{EVENTS}?message.name=lif.away&active=true&fields=log_message"
        return [event["log_message"] for event in self.array.get(path)["records"]]


@pytest.fixture
def network(array: Simulator, clock: Clock) -> Network:
    """An array with an SVM; its ports have had links for a while."""
    array.do("POST", "svm/svms", {"name": "svm1"})
    lab = Network(array, clock)
    lab.wait(60)
    return lab


def test_a_lif_fails_over_to_another_port_and_comes_home(network: Network) -> None:
    path = network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.plug("e0a", connected=False)
    network.wait(10)
    assert network.links() == ["e0b"]
    record = network.array.get(path)
    place = record["location"]
    assert (place["home_port"]["name"], place["port"]["name"]) == ("e0a", "e0b")
    assert (place["is_home"], record["state"]) == (False, "up")
    [message] = network.away()
    assert message == 'LIF "lif1" is at port e0b, away from its home port e0a, which had no link.'
    assert network.array.kernel.nftables.takes("e0b", ADDRESS, 3260)
    assert not network.array.kernel.nftables.takes("e0a", ADDRESS, 3260)
    network.plug("e0a", connected=True)
    network.wait(20)
    assert network.links() == ["e0b"]
    network.wait(20)
    assert (network.links(), network.away()) == (["e0a"], [])
    assert network.array.get(path)["location"]["is_home"] is True


def test_a_data_lif_stays_unless_its_policy_allows_failover(network: Network) -> None:
    path = network.add("lif1", ADDRESS, "e0a")
    network.plug("e0a", connected=False)
    network.wait(60)
    assert (network.links(), network.away()) == (["e0a"], [])
    assert network.array.get(path)["state"] == "down"
    network.array.do("PATCH", path, DOMAIN)
    network.wait(5)
    assert network.links() == ["e0b"]


def test_a_management_lif_fails_over(network: Network) -> None:
    body = {"name": "mgmt", "scope": "cluster", "location.home_port.name": "e0M"}
    network.array.make(LIFS, body | {"ip": {"address": "192.0.2.10", "netmask": "24"}})
    network.plug("e0M", connected=False)
    network.wait(10)
    assert network.links("192.0.2.10") == ["e0a"]
    assert network.array.kernel.nftables.takes("e0a", "192.0.2.10", 443)


def test_a_port_on_its_network_is_the_first_choice_and_e0m_none(network: Network) -> None:
    network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.add("lif2", "10.10.1.8", "e0d")
    network.plug("e0a", connected=False)
    network.wait(10)
    assert network.links() == ["e0d"]
    for port in ("e0b", "e0c", "e0d"):
        network.plug(port, connected=False)
    network.wait(60)
    assert network.links() == ["e0d"]


def test_a_short_loss_moves_nothing_and_a_flapping_home_gets_it_back_late(
    network: Network,
) -> None:
    network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.plug("e0a", connected=False)
    network.array.settle()
    network.plug("e0a", connected=True)
    network.wait(30)
    assert network.links() == ["e0a"]
    network.plug("e0a", connected=False)
    network.wait(10)
    for _ in range(4):
        network.plug("e0a", connected=True)
        network.wait(20)
        network.plug("e0a", connected=False)
        network.array.settle()
        assert network.links() == ["e0b"]
    network.plug("e0a", connected=True)
    network.wait(40)
    assert network.links() == ["e0a"]


def test_without_a_port_it_waits_where_it_is(network: Network) -> None:
    network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    ports = ("e0a", "e0b", "e0c", "e0d")
    for port in ports:
        network.plug(port, connected=False)
    network.wait(60)
    assert network.links() == ["e0a"]
    network.plug("e0c", connected=True)
    network.wait(40)
    assert network.links() == ["e0c"]


def test_a_manually_moved_lif_stays_until_its_port_fails(network: Network) -> None:
    path = network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.array.do("PATCH", path, {"location.port.name": "e0b"})
    network.wait(60)
    assert network.links() == ["e0b"]
    assert network.away() == [
        'LIF "lif1" is at port e0b, away from its home port e0a: somebody moved it.'
    ]
    network.plug("e0b", connected=False)
    network.wait(10)
    assert (network.links(), network.away()) == (["e0a"], [])


def test_without_auto_revert_it_waits_for_somebody(network: Network) -> None:
    path = network.add("lif1", ADDRESS, "e0a", **DOMAIN, **{"location.auto_revert": False})
    network.plug("e0a", connected=False)
    network.wait(10)
    network.plug("e0a", connected=True)
    network.wait(60)
    assert network.links() == ["e0b"]
    network.array.do("PATCH", path, {"location.is_home": True})
    assert (network.links(), network.away()) == (["e0a"], [])


def test_a_port_that_is_pulled_out_is_dead(network: Network) -> None:
    network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.array.kernel.network.remove_link("e0a")
    network.wait(10)
    assert network.links() == ["e0b"]


def test_a_power_cut_leaves_it_where_it_was(network: Network) -> None:
    path = network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.plug("e0a", connected=False)
    network.wait(10)
    network.array.reboot()
    network.plug("e0a", connected=False)
    network.array.settle()
    assert network.links() == ["e0b"]
    network.plug("e0a", connected=True)
    network.wait(60)
    assert network.links() == ["e0a"]
    assert network.array.get(path)["location"]["is_home"] is True


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("step", range(1, 9))
def test_a_kill_at_any_step_of_the_move_converges(
    network: Network, step: int, *, done: bool
) -> None:
    network.add("lif1", ADDRESS, "e0a", **DOMAIN)
    network.plug("e0a", connected=False)
    network.array.settle()
    network.clock.now += 10
    with network.array.killed(step, done=done):
        network.array.settle()
    network.array.recover()
    network.wait(60)
    assert network.links() == ["e0b"]
    network.plug("e0a", connected=True)
    network.wait(40)
    assert network.links() == ["e0a"]
