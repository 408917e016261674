"""Links in messages of route netlink, and the options for a new bond."""

from __future__ import annotations

from typing import Any

from sanstone.kernel.host import Bond, Link, Vlan
from sanstone.kernel.network.net import MARK

LINK_MILLISECONDS = 100
"""How often a bond checks its ports for a link; its own default is never."""
FAST_LACP = 1
"""LACP messages each second, so that a silent partner is noticed in 3 seconds instead of 90."""
MODES = {"balance-rr": 0, "active-backup": 1, "balance-xor": 2, "802.3ad": 4}
HASH_POLICIES = {"layer2": 0, "layer3+4": 1, "layer2+3": 2}
"""A bond's modes and policies by number (include/uapi/linux/if_bonding.h)."""

_IFF_UP = 1


def of_bond(name: str, bond: Bond, mac_address: str) -> dict[str, Any]:
    """Return the options of a new bond, by pyroute2's names."""
    options: dict[str, Any] = {
        "ifname": name,
        "kind": "bond",
        "group": MARK,
        "address": mac_address,
        "bond_mode": MODES[bond.mode],
        "bond_xmit_hash_policy": HASH_POLICIES[bond.hash_policy],
        "bond_miimon": LINK_MILLISECONDS,
    }
    if bond.mode == "802.3ad":
        options["bond_ad_lacp_rate"] = FAST_LACP
    return options


def read(message: Any, names: dict[int, str]) -> Link:
    """Parse a link's message; `names` are those of all links by index."""
    details = message.get_attr("IFLA_LINKINFO")
    kind = details.get_attr("IFLA_INFO_KIND") or "" if details else ""
    composition = _composition(message, kind, names)
    return Link(
        index=message["index"],
        name=message.get_attr("IFLA_IFNAME"),
        mac_address=message.get_attr("IFLA_ADDRESS") or "",
        mtu=message.get_attr("IFLA_MTU"),
        up=bool(message["flags"] & _IFF_UP),
        carrier=bool(message.get_attr("IFLA_CARRIER")),
        kind=kind,
        ours=composition is not None and message.get_attr("IFLA_GROUP") == MARK,
        master=names.get(message.get_attr("IFLA_MASTER"), ""),
        composition=composition,
    )


def _composition(message: Any, kind: str, names: dict[int, str]) -> Bond | Vlan | None:
    if kind not in ("bond", "vlan"):
        return None
    data = message.get_attr("IFLA_LINKINFO").get_attr("IFLA_INFO_DATA")
    if kind == "vlan":
        base = names.get(message.get_attr("IFLA_LINK"), "")
        return Vlan(base, data.get_attr("IFLA_VLAN_ID"))
    mode, policy = (data.get_attr(f"IFLA_BOND_{n}") for n in ("MODE", "XMIT_HASH_POLICY"))
    return Bond(_word(MODES, mode), _word(HASH_POLICIES, policy))


def _word(words: dict[str, int], number: int) -> str:
    """Return the word for a number, '' for one that is not used here."""
    return next((word for word, value in words.items() if value == number), "")
