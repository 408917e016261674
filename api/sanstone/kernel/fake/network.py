"""Route netlink of the fake machine: ports e0M and e0a … e0d, addresses, routes and rules.

Rules of the kernel that matter to us: a route out of a link needs that link up (ENETDOWN) and its
gateway in a network of that link (ENETUNREACH; net/ipv4/fib_semantics.c, fib_check_nh); a link that
goes down loses its routes and its IPv6 addresses; a link that loses its last IPv4 address loses
its IPv4 routes (net/ipv4/fib_frontend.c, fib_inetaddr_event). As in the system image, an address
does not take others of its network along when it goes (promote_secondaries).
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from dataclasses import replace
from ipaddress import ip_address, ip_interface, ip_network

from sanstone.kernel.fake.interrupt import Interrupt
from sanstone.kernel.host import Address, Link, RequestError, Route, Rule

PORTS = ("e0M", "e0a", "e0b", "e0c", "e0d")


class FakeNetwork:
    """`host.Network` in memory."""

    def __init__(self, interrupt: Interrupt, ports: Iterable[str] = PORTS) -> None:
        self._interrupt = interrupt
        self._next_index = 1
        self._links: dict[str, Link] = {}
        self._addresses: list[Address] = []
        self._routes: list[Route] = []
        self._rules: list[Rule] = []
        for name in ports:
            self.add_link(name)
        self._start_management()

    def links(self) -> list[Link]:
        """See `host.Network`."""
        return sorted(self._links.values(), key=lambda link: link.index)

    def set_link(self, name: str, *, up: bool | None = None, mtu: int | None = None) -> None:
        """See `host.Network`."""
        with self._interrupt.step(f"set link {name} up={up} mtu={mtu}"):
            link = self._link("set link", name)
            self._links[name] = replace(
                link, up=link.up if up is None else up, mtu=link.mtu if mtu is None else mtu
            )
            if up is False:
                self._routes = [route for route in self._routes if route.link != name]
                self._addresses = [a for a in self._addresses if a.link != name or _v4(a.address)]

    def addresses(self) -> list[Address]:
        """See `host.Network`."""
        return list(self._addresses)

    def add_address(self, link: str, address: str, prefix_length: int) -> None:
        """See `host.Network`."""
        what = f"add address {address}/{prefix_length} on {link}"
        with self._interrupt.step(what):
            self._link(what, link)
            if self._find(link, address, prefix_length):
                raise RequestError(what, errno.EEXIST)
            self._addresses.append(Address(link, address, prefix_length, ours=True))

    def remove_address(self, link: str, address: str, prefix_length: int) -> None:
        """See `host.Network`."""
        what = f"remove address {address}/{prefix_length} on {link}"
        with self._interrupt.step(what):
            self._link(what, link)
            found = self._find(link, address, prefix_length)
            if not found:
                raise RequestError(what, errno.EADDRNOTAVAIL)
            self._addresses.remove(found)
            if not any(a.link == link and _v4(a.address) for a in self._addresses):
                self._routes = [r for r in self._routes if r.link != link or not _v4(r.destination)]

    def routes(self) -> list[Route]:
        """See `host.Network`."""
        return list(self._routes)

    def add_route(self, route: Route) -> None:
        """See `host.Network`."""
        what = f"add {route}"
        with self._interrupt.step(what):
            up = self._link(what, route.link).up
            if route.gateway and not (up and self._on_link(route.link, route.gateway)):
                raise RequestError(what, errno.ENETUNREACH)
            if not up:
                raise RequestError(what, errno.ENETDOWN)
            if route in self._routes:
                raise RequestError(what, errno.EEXIST)
            self._routes.append(route)

    def remove_route(self, route: Route) -> None:
        """See `host.Network`."""
        what = f"remove {route}"
        with self._interrupt.step(what):
            if route not in self._routes:
                raise RequestError(what, errno.ESRCH)
            self._routes.remove(route)

    def rules(self) -> list[Rule]:
        """See `host.Network`."""
        return list(self._rules)

    def add_rule(self, rule: Rule) -> None:
        """See `host.Network`."""
        what = f"add {rule}"
        with self._interrupt.step(what):
            if rule in self._rules:
                raise RequestError(what, errno.EEXIST)
            self._rules.append(rule)

    def remove_rule(self, rule: Rule) -> None:
        """See `host.Network`."""
        what = f"remove {rule}"
        with self._interrupt.step(what):
            if rule not in self._rules:
                raise RequestError(what, errno.ENOENT)
            self._rules.remove(rule)

    def has_address(self, address: str) -> bool:
        """Return whether a socket can be bound to this address."""
        wanted = ip_address(address)
        return wanted.is_unspecified or any(
            ip_address(present.address) == wanted for present in self._addresses
        )

    def add_link(self, name: str) -> None:
        """Plug a port in: it comes down, without addresses, under a new index."""
        number = self._next_index
        self._next_index += 1
        mac_address = f"52:54:00:00:00:{number:02x}"
        self._links[name] = Link(number, name, mac_address, 1500, up=False, carrier=True)

    def remove_link(self, name: str) -> None:
        """Pull a port out, with its addresses and routes."""
        del self._links[name]
        self._addresses = [address for address in self._addresses if address.link != name]
        self._routes = [route for route in self._routes if route.link != name]

    def reboot(self) -> None:
        """Keep the ports that are plugged in, as they come up."""
        names = list(self._links)
        self._next_index = 1
        self._addresses, self._routes, self._rules = [], [], []
        for name in names:
            self.add_link(name)
        self._start_management()

    def dump(self) -> str:
        """Return the state as text."""
        addresses = sorted(self._addresses, key=lambda a: (a.link, a.address))
        routes = sorted(self._routes, key=lambda r: (r.table, r.destination, r.metric))
        rules = sorted(self._rules, key=lambda r: (r.source, r.table))
        return "\n".join(map(str, [*self.links(), *addresses, *routes, *rules]))

    def _start_management(self) -> None:
        """Do what the operating system does by itself: e0M gets an address by DHCP."""
        if "e0M" in self._links:
            self._links["e0M"] = replace(self._links["e0M"], up=True)
            self._addresses.append(Address("e0M", "10.0.2.15", 24, ours=False))

    def _link(self, what: str, name: str) -> Link:
        if name not in self._links:
            raise RequestError(what, errno.ENODEV)
        return self._links[name]

    def _find(self, link: str, address: str, prefix_length: int) -> Address | None:
        key = (link, ip_address(address), prefix_length)
        return next(
            (a for a in self._addresses if (a.link, ip_address(a.address), a.prefix_length) == key),
            None,
        )

    def _on_link(self, link: str, gateway: str) -> bool:
        return any(
            ip_address(gateway) in ip_interface(f"{a.address}/{a.prefix_length}").network
            for a in self._addresses
            if a.link == link
        )


def _v4(address: str) -> bool:
    return ip_network(address.partition("/")[0]).version == 4
