"""The fake machine's bonds and VLANs keep the kernel's rules."""

from __future__ import annotations

import errno
from collections.abc import Callable

import pytest

from fakes import FakeKernel
from fakes.network import FakeNetwork
from sanstone.kernel.host import Bond, Link, RequestError, Vlan

BOND, MAC = Bond("802.3ad", "layer2+3"), "02:12:34:56:78:9a"


@pytest.fixture
def network() -> FakeNetwork:
    """A network with bond a0a, in it e0c, VLAN a0a-7, and e0a switched on."""
    network = FakeKernel(disks=0).network
    network.make_bond("a0a", BOND, MAC)
    network.set_master("e0c", "a0a")
    network.make_vlan("a0a-7", Vlan("a0a", 7))
    network.set_link("e0a", up=True)
    return network


def of(network: FakeNetwork, name: str) -> Link:
    """Return the link of a name."""
    return {link.name: link for link in network.links()}[name]


REFUSALS: list[tuple[str, Callable[[FakeNetwork], object], int]] = [
    ("bond twice", lambda n: n.make_bond("a0a", BOND, MAC), errno.EEXIST),
    ("VLAN twice", lambda n: n.make_vlan("other", Vlan("a0a", 7)), errno.EEXIST),
    ("VLAN on nothing", lambda n: n.make_vlan("e0z-7", Vlan("e0z", 7)), errno.ENODEV),
    ("a member that is up", lambda n: n.set_master("e0a", "a0a"), errno.EPERM),
    ("no such bond", lambda n: n.set_master("e0d", "a0z"), errno.ENODEV),
    ("a VLAN above a bond that is down", lambda n: n.set_link("a0a-7", up=True), errno.ENETDOWN),
    ("a VLAN larger than its bond", lambda n: n.set_link("a0a-7", mtu=9000), errno.ERANGE),
    ("a port's policy", lambda n: n.set_hash_policy("e0a", "layer2"), errno.EOPNOTSUPP),
    ("a physical port", lambda n: n.delete_link("e0a"), errno.EOPNOTSUPP),
    ("nothing to delete", lambda n: n.delete_link("a0z"), errno.ENODEV),
]


@pytest.mark.parametrize(
    ("call", "number"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS]
)
def test_refusals(network: FakeNetwork, call: Callable[[FakeNetwork], object], number: int) -> None:
    with pytest.raises(RequestError) as error:
        call(network)
    assert error.value.errno == number


def test_a_member_has_the_address_and_the_mtu_of_its_bond_until_it_leaves(
    network: FakeNetwork,
) -> None:
    own = of(network, "e0d").mac_address
    network.set_link("a0a", mtu=9000)
    network.set_master("e0d", "a0a")
    assert [(of(network, n).mac_address, of(network, n).mtu) for n in ("e0c", "e0d")] == [
        (MAC, 9000)
    ] * 2
    network.set_master("e0d", "")
    member = of(network, "e0d")
    assert (member.mac_address, member.mtu, member.up, member.master) == (own, 1500, False, "")


def test_a_vlan_goes_up_and_down_with_what_is_below(network: FakeNetwork) -> None:
    assert not of(network, "a0a-7").carrier
    network.set_link("a0a", up=True)
    assert (of(network, "a0a-7").up, of(network, "a0a-7").carrier) == (True, True)
    network.set_link("a0a", up=False)
    assert not of(network, "a0a-7").up


def test_a_smaller_mtu_goes_up_to_vlans(network: FakeNetwork) -> None:
    network.set_link("a0a", mtu=1400)
    assert (of(network, "a0a-7").mtu, of(network, "e0c").mtu) == (1400, 1400)


def test_a_bond_has_a_link_while_one_member_has(network: FakeNetwork) -> None:
    network.set_link("a0a", up=True)
    assert of(network, "a0a").carrier
    network.set_master("e0c", "")
    assert not of(network, "a0a").carrier


def test_an_empty_bond_takes_the_address_of_the_next_port(network: FakeNetwork) -> None:
    network.set_master("e0c", "")
    assert of(network, "a0a").mac_address != MAC
    network.set_master("e0d", "a0a")
    assert of(network, "a0a").mac_address == of(network, "e0d").mac_address != MAC
    network.set_mac_address("a0a", MAC)
    assert of(network, "e0d").mac_address == MAC


def test_a_deleted_link_takes_along_those_on_top(network: FakeNetwork) -> None:
    network.delete_link("a0a")
    assert {link.name for link in network.links()} == {"e0M", "e0a", "e0b", "e0c", "e0d"}
    assert of(network, "e0c").master == ""


def test_a_reboot_keeps_ports_alone(network: FakeNetwork) -> None:
    network.reboot()
    assert {link.name for link in network.links()} == {"e0M", "e0a", "e0b", "e0c", "e0d"}
    assert of(network, "e0c").mtu == 1500
