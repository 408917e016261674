"""Links as route netlink writes them."""

from __future__ import annotations

from typing import Any

import pytest
from pyroute2.netlink.rtnl.ifinfmsg import ifinfmsg

from sanstone.kernel.host import Bond, Link, Vlan
from sanstone.kernel.network import link_messages
from sanstone.kernel.network.net import MARK

NAMES = {3: "e0c", 7: "a0a"}
UP = 1


def message(kind: str, data: list[tuple[str, Any]], **more: Any) -> Any:
    """Return a message as it comes out of the kernel."""
    request = ifinfmsg()
    request["index"], request["flags"] = 9, UP
    attributes = {"IFLA_IFNAME": "x", "IFLA_ADDRESS": "02:00:00:00:00:01", "IFLA_MTU": 9000}
    attributes |= {"IFLA_CARRIER": 1, **more}
    details = [("IFLA_INFO_KIND", kind), ("IFLA_INFO_DATA", {"attrs": data})]
    request["attrs"] = [*attributes.items()]
    if kind:
        request["attrs"].append(("IFLA_LINKINFO", {"attrs": details}))
    request.encode()
    parsed = ifinfmsg(request.data)
    parsed.decode()
    return parsed


def link(**more: Any) -> Link:
    """Return the link that the message is about."""
    return Link(9, "x", "02:00:00:00:00:01", 9000, up=True, carrier=True, **more)


def test_a_port_in_a_bond() -> None:
    read = link_messages.read(message("", [], IFLA_MASTER=7), NAMES)
    assert read == link(master="a0a")


def test_a_port_is_not_ours_whatever_its_group() -> None:
    assert link_messages.read(message("", [], IFLA_GROUP=MARK), NAMES) == link()


@pytest.mark.parametrize("mode", link_messages.MODES)
@pytest.mark.parametrize("policy", link_messages.HASH_POLICIES)
def test_a_bond_is_read_as_configured(mode: str, policy: str) -> None:
    request = link_messages.of_bond("x", Bond(mode, policy), "02:00:00:00:00:01")
    data = [
        ("IFLA_BOND_MODE", request["bond_mode"]),
        ("IFLA_BOND_XMIT_HASH_POLICY", request["bond_xmit_hash_policy"]),
    ]
    read = link_messages.read(message("bond", data, IFLA_GROUP=request["group"]), NAMES)
    assert read == link(kind="bond", ours=True, composition=Bond(mode, policy))


def test_a_bond_looks_after_its_ports() -> None:
    request = link_messages.of_bond("x", Bond("802.3ad", "layer2"), "02:00:00:00:00:01")
    assert (request["bond_miimon"], request["bond_ad_lacp_rate"]) == (100, 1)


def test_a_vlan() -> None:
    data = [("IFLA_VLAN_ID", 1092)]
    read = link_messages.read(message("vlan", data, IFLA_LINK=7, IFLA_GROUP=MARK), NAMES)
    assert read == link(kind="vlan", ours=True, composition=Vlan("a0a", 1092))


def test_foreign_links_are_not_ours() -> None:
    data = [("IFLA_BOND_MODE", 6), ("IFLA_BOND_XMIT_HASH_POLICY", 5)]
    read = link_messages.read(message("bond", data), NAMES)
    assert read == link(kind="bond", composition=Bond("", ""))
