"""The fake machine's network refuses the requests that route netlink refuses."""

from __future__ import annotations

import errno
from collections.abc import Callable

import pytest

from fakes import FakeKernel
from fakes.network import FakeNetwork
from sanstone.kernel.host import RequestError, Route, Rule

ON_LINK = Route(10001, "192.168.1.0/24", "", "e0a", 1)
THROUGH = Route(10001, "0.0.0.0/0", "192.168.1.1", "e0a", 20)
RULE = Rule("192.168.1.10", 10001)


@pytest.fixture
def network() -> FakeNetwork:
    """A network whose port e0a is up and has 192.168.1.10/24."""
    network = FakeKernel(disks=0).network
    network.set_link("e0a", up=True)
    network.add_address("e0a", "192.168.1.10", 24)
    return network


REFUSALS: list[tuple[str, Callable[[FakeNetwork], object], int]] = [
    ("address twice", lambda n: n.add_address("e0a", "192.168.1.10", 24), errno.EEXIST),
    ("unknown link", lambda n: n.add_address("e0z", "192.168.1.10", 24), errno.ENODEV),
    ("no such address", lambda n: n.remove_address("e0a", "1.1.1.1", 24), errno.EADDRNOTAVAIL),
    (
        "gateway elsewhere",
        lambda n: n.add_route(Route(10001, "0.0.0.0/0", "7.7.7.7", "e0a", 20)),
        errno.ENETUNREACH,
    ),
    (
        "link that is down",
        lambda n: n.add_route(Route(10001, "10.0.0.0/8", "", "e0b", 1)),
        errno.ENETDOWN,
    ),
    ("no such route", lambda n: n.remove_route(THROUGH), errno.ESRCH),
    ("no such rule", lambda n: n.remove_rule(RULE), errno.ENOENT),
    ("set unknown link", lambda n: n.set_link("e0z", up=True), errno.ENODEV),
]


@pytest.mark.parametrize(
    ("call", "number"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS]
)
def test_refusals(network: FakeNetwork, call: Callable[[FakeNetwork], object], number: int) -> None:
    with pytest.raises(RequestError) as error:
        call(network)
    assert error.value.errno == number


def test_existing_objects_are_refused(network: FakeNetwork) -> None:
    network.add_route(ON_LINK)
    network.add_rule(RULE)
    with pytest.raises(RequestError) as error:
        network.add_route(ON_LINK)
    assert error.value.errno == errno.EEXIST
    with pytest.raises(RequestError) as error:
        network.add_rule(RULE)
    assert error.value.errno == errno.EEXIST


def test_a_link_that_goes_down_loses_its_routes_and_ipv6_addresses(network: FakeNetwork) -> None:
    network.add_route(ON_LINK)
    network.add_route(THROUGH)
    network.add_address("e0a", "fd00::1", 64)
    network.set_link("e0a", up=False)
    assert network.routes() == []
    assert [a.address for a in network.addresses() if a.link == "e0a"] == ["192.168.1.10"]


def test_the_last_address_of_a_link_takes_its_routes_along(network: FakeNetwork) -> None:
    network.add_route(ON_LINK)
    network.remove_address("e0a", "192.168.1.10", 24)
    assert network.routes() == []


def test_sockets_bind_to_addresses_that_are_there(network: FakeNetwork) -> None:
    assert network.has_address("192.168.1.10")
    assert network.has_address("0.0.0.0")
    assert network.has_address("::")
    assert not network.has_address("192.168.1.11")


def test_a_reboot_keeps_ports_and_nothing_of_ours(network: FakeNetwork) -> None:
    network.add_rule(RULE)
    network.remove_link("e0d")
    network.reboot()
    assert [link.name for link in network.links()] == ["e0M", "e0a", "e0b", "e0c"]
    assert [address.ours for address in network.addresses()] == [False]
    assert network.rules() == []
