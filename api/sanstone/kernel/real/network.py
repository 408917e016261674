"""Network of this machine, by route netlink (pyroute2) and one packet per new address.

What we make carries `net.MARK` as the group of the link and as the protocol of the address
(IFA_PROTO, Linux 5.18), route and rule. Only what carries it is listed or removed, links and
addresses aside, which are listed all.

Linux does not tell neighbours about an address that is added to a port that is up (the sysctl
`arp_notify` covers a port that comes up, no more), so a LIF that moved would be sought at its old
port until caches expire: a gratuitous ARP (RFC 5227, section 3) or an unsolicited neighbour
advertisement (RFC 4861, section 7.2.6) is sent here. IPv6 addresses skip duplicate address
detection (IFA_F_NODAD): for its second a portal could not be bound to them.
"""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from sanstone.kernel.host import Address, Bond, Link, RequestError, Route, Rule, Vlan
from sanstone.kernel.network import link_messages
from sanstone.kernel.network.net import MARK
from sanstone.kernel.real import echo

if TYPE_CHECKING:
    from pyroute2 import IPRoute

RULE_PRIORITY = 1000
"""Our rules come before those for the main and default tables (32766, 32767)."""

_GROUPS = (1, 5, 7, 8, 9, 11, 19)
"""RTNLGRP_LINK, and those of addresses, routes and rules of IPv4 and IPv6
(include/uapi/linux/rtnetlink.h, enum rtnetlink_groups)."""
_IFA_F_NODAD = 0x02
_SCOPE_LINK = 253
_FAMILIES = (socket.AF_INET, socket.AF_INET6)


class RealNetwork:
    """`host.Network` of this machine. The sockets are opened at the first request."""

    def __init__(self) -> None:
        self._netlink: IPRoute | None = None
        self._changes: socket.socket | None = None

    def has_changed(self) -> bool:
        """See `host.Network`. The kernel sends a message for each change."""
        if self._changes is None:
            self._changes = _socket_of_changes()
            return True
        changed = False
        while True:
            try:
                self._changes.recv(1)
            except BlockingIOError:
                return changed
            except OSError as error:
                # Messages were lost: there was no room for them.
                if error.errno != errno.ENOBUFS:
                    raise RequestError("listen for changes", error.errno or 0) from error
            changed = True

    def links(self) -> list[Link]:
        """See `host.Network`."""
        messages = list(self._dump("link"))
        names = {message["index"]: message.get_attr("IFLA_IFNAME") for message in messages}
        return sorted(
            (link_messages.read(message, names) for message in messages),
            key=lambda link: link.index,
        )

    def set_link(self, name: str, *, up: bool | None = None, mtu: int | None = None) -> None:
        """See `host.Network`."""
        options: dict[str, Any] = {"index": self._index("set link", name)}
        if up is not None:
            options["state"] = "up" if up else "down"
        if mtu is not None:
            options["mtu"] = mtu
        self._request(f"set link {name} {options}", lambda it: it.link("set", **options))

    def make_bond(self, name: str, bond: Bond, mac_address: str) -> None:
        """See `host.Network`."""
        options = link_messages.of_bond(name, bond, mac_address)
        self._request(f"make bond {name}", lambda it: it.link("add", **options))

    def make_vlan(self, name: str, vlan: Vlan) -> None:
        """See `host.Network`."""
        what = f"make VLAN {name}"
        options = {"ifname": name, "kind": "vlan", "group": MARK, "vlan_id": vlan.tag}
        options["link"] = self._index(what, vlan.base)
        self._request(what, lambda it: it.link("add", **options))

    def set_hash_policy(self, bond: str, hash_policy: str) -> None:
        """See `host.Network`."""
        what = f"set hash policy {hash_policy} of {bond}"
        options = {"index": self._index(what, bond), "kind": "bond"}
        options["bond_xmit_hash_policy"] = link_messages.HASH_POLICIES[hash_policy]
        self._request(what, lambda it: it.link("set", **options))

    def set_mac_address(self, bond: str, mac_address: str) -> None:
        """See `host.Network`."""
        what = f"set address {mac_address} of {bond}"
        index = self._index(what, bond)
        self._request(what, lambda it: it.link("set", index=index, address=mac_address))

    def set_master(self, name: str, bond: str) -> None:
        """See `host.Network`."""
        what = f"set master {bond} of {name}"
        master = self._index(what, bond) if bond else 0
        index = self._index(what, name)
        self._request(what, lambda it: it.link("set", index=index, master=master))

    def delete_link(self, name: str) -> None:
        """See `host.Network`."""
        what = f"delete link {name}"
        index = self._index(what, name)
        self._request(what, lambda it: it.link("del", index=index))

    def addresses(self) -> list[Address]:
        """See `host.Network`."""
        names = {link.index: link.name for link in self.links()}
        return [
            Address(
                link=names[message["index"]],
                address=message.get_attr("IFA_LOCAL") or message.get_attr("IFA_ADDRESS"),
                prefix_length=message["prefixlen"],
                ours=message.get_attr("IFA_PROTO") == MARK,
            )
            for message in self._dump("addr")
            if message["index"] in names
        ]

    def add_address(self, link: str, address: str, prefix_length: int) -> None:
        """See `host.Network`."""
        what = f"add address {address}/{prefix_length} on {link}"
        options = self._address(what, link, address, prefix_length) | {"proto": MARK}
        if ip_address(address).version == 6:
            options["flags"] = _IFA_F_NODAD
        self._request(what, lambda it: it.addr("add", **options))
        port = next(it for it in self.links() if it.name == link)
        if not port.up:
            return  # No packet leaves it.
        try:
            _announce(link, bytes.fromhex(port.mac_address.replace(":", "")), address)
        except OSError as error:
            if error.errno != errno.ENETDOWN:  # It has just gone down.
                raise RequestError(f"announce {address} on {link}", error.errno or 0) from error

    def remove_address(self, link: str, address: str, prefix_length: int) -> None:
        """See `host.Network`."""
        what = f"remove address {address}/{prefix_length} on {link}"
        options = self._address(what, link, address, prefix_length)
        self._request(what, lambda it: it.addr("del", **options))

    def routes(self) -> list[Route]:
        """See `host.Network`."""
        names = {link.index: link.name for link in self.links()}
        ours = []
        for family in _FAMILIES:
            anywhere = "0.0.0.0" if family == socket.AF_INET else "::"  # noqa: S104
            for message in self._dump("route", family=family):
                if message["proto"] == MARK:
                    destination = message.get_attr("RTA_DST") or anywhere
                    ours.append(
                        Route(
                            table=message.get_attr("RTA_TABLE") or message["table"],
                            destination=f"{destination}/{message['dst_len']}",
                            gateway=message.get_attr("RTA_GATEWAY") or "",
                            link=names.get(message.get_attr("RTA_OIF"), ""),
                            metric=message.get_attr("RTA_PRIORITY") or 0,
                        )
                    )
        return ours

    def add_route(self, route: Route) -> None:
        """See `host.Network`."""
        what = f"add {route}"
        options = self._route(what, route)
        self._request(what, lambda it: it.route("add", **options))

    def remove_route(self, route: Route) -> None:
        """See `host.Network`."""
        what = f"remove {route}"
        options = self._route(what, route)
        self._request(what, lambda it: it.route("del", **options))

    def rules(self) -> list[Rule]:
        """See `host.Network`."""
        return [
            Rule(message.get_attr("FRA_SRC"), message.get_attr("FRA_TABLE") or message["table"])
            for family in _FAMILIES
            for message in self._dump("rule", family=family)
            if message.get_attr("FRA_PROTOCOL") == MARK
        ]

    def add_rule(self, rule: Rule) -> None:
        """See `host.Network`."""
        self._request(f"add {rule}", lambda it: it.rule("add", **_rule(rule)))

    def remove_rule(self, rule: Rule) -> None:
        """See `host.Network`."""
        self._request(f"remove {rule}", lambda it: it.rule("del", **_rule(rule)))

    def echo(self, source: str, destinations: Sequence[str], size: int) -> list[str]:
        """See `host.Network`."""
        return echo.answering(source, destinations, size)

    def _dump(self, what: str, **options: Any) -> Iterator[Any]:
        return iter(
            self._request(f"list {what}", lambda it: list(getattr(it, what)("dump", **options)))
        )

    def _request(self, what: str, ask: Callable[[IPRoute], Any]) -> Any:
        # Programs that never ask would wait longer for pyroute2 than for all they do.
        from pyroute2 import IPRoute
        from pyroute2.netlink.exceptions import NetlinkError

        if self._netlink is None:
            self._netlink = IPRoute()
        try:
            return ask(self._netlink)
        except NetlinkError as error:
            raise RequestError(what, error.code) from error

    def _index(self, what: str, name: str) -> int:
        for link in self.links():
            if link.name == name:
                return link.index
        raise RequestError(what, errno.ENODEV)

    def _address(self, what: str, link: str, address: str, prefix_length: int) -> dict[str, Any]:
        index = self._index(what, link)
        return {
            "index": index,
            "address": address,
            "prefixlen": prefix_length,
            "family": _family(address),
        }

    def _route(self, what: str, route: Route) -> dict[str, Any]:
        options: dict[str, Any] = {
            "dst": route.destination,
            "oif": self._index(what, route.link),
            "table": route.table,
            "proto": MARK,
            "priority": route.metric,
            "family": _family(route.destination),
        }
        if route.gateway:
            options["gateway"] = route.gateway
        elif options["family"] == socket.AF_INET:
            options["scope"] = _SCOPE_LINK
        return options


def _socket_of_changes() -> socket.socket:
    """Return a socket on which the kernel tells what changes."""
    changes = socket.socket(
        socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, socket.NETLINK_ROUTE
    )
    changes.bind((0, sum(1 << group - 1 for group in _GROUPS)))
    return changes


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ip_network(address, strict=False).version == 6 else socket.AF_INET


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "src": rule.source,
        "src_len": ip_address(rule.source).max_prefixlen,
        "table": rule.table,
        "priority": RULE_PRIORITY,
        "protocol": MARK,
        "family": _family(rule.source),
    }


def _announce(link: str, mac_address: bytes, address: str) -> None:
    """Tell the neighbours on a link which MAC address an IP address has now."""
    packed = ip_address(address).packed
    if len(packed) == 4:
        everyone = b"\xff" * 6
        frame = everyone + mac_address + struct.pack("!HHHBBH", 0x0806, 1, 0x0800, 6, 4, 1)
        frame += mac_address + packed + bytes(6) + packed
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as raw:
            raw.bind((link, 0))
            raw.send(frame)
        return
    # Type 136, flag "override"; option 2 carries the MAC address; the kernel adds the checksum.
    advertisement = struct.pack("!BBHI", 136, 0, 0, 0x20000000) + packed
    advertisement += struct.pack("!BB", 2, 1) + mac_address
    with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as raw:
        index = socket.if_nametoindex(link)
        raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        raw.bind((address, 0, 0, index))
        raw.sendto(advertisement, ("ff02::1", 0, 0, index))
