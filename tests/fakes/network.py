"""Route netlink of the fake machine: links (see `fakes.links`), addresses, routes and rules.

Rules of the kernel that matter to us: a route out of a link needs that link up (ENETDOWN) and its
gateway in a network of that link (ENETUNREACH, for IPv6 EHOSTUNREACH; net/ipv4/fib_semantics.c,
fib_check_nh; net/ipv6/route.c, ip6_validate_gw); a table holds one route for each destination and
metric (EEXIST; net/ipv4/fib_trie.c, net/ipv6/ip6_fib.c); a link that
goes down loses its routes and its IPv6 addresses; a link that loses its last IPv4 address loses
its IPv4 routes (net/ipv4/fib_frontend.c, fib_inetaddr_event). As in the system image, an address
does not take others of its network along when it goes (promote_secondaries).
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from dataclasses import replace
from ipaddress import ip_address, ip_interface, ip_network

from fakes.interrupt import Interrupt
from fakes.links import PORTS, FakeLinks
from sanstone.kernel.host import Address, RequestError, Route, Rule


class FakeNetwork(FakeLinks):
    """`host.Network` in memory."""

    def __init__(self, interrupt: Interrupt, ports: Iterable[str] = PORTS) -> None:
        super().__init__(interrupt, ports)
        self._addresses: list[Address] = []
        self._routes: list[Route] = []
        self._rules: list[Rule] = []
        self.hosts: dict[str, int] = {}
        """By address: the largest packet that passes to and fro. Others answer no echo."""
        self.echoes: list[tuple[str, tuple[str, ...], int]] = []
        """The arguments of calls to `echo`."""
        self._start_management()
        self._last_state: object = None

    def has_changed(self) -> bool:
        """See `host.Network`."""
        before, self._last_state = self._last_state, (self._steps, self.dump())
        return before != self._last_state

    def addresses(self) -> list[Address]:
        """See `host.Network`."""
        return list(self._addresses)

    def add_address(self, link: str, address: str, prefix_length: int) -> None:
        """See `host.Network`."""
        request = f"add address {address}/{prefix_length} on {link}"
        with self._step(request):
            self._link(request, link)
            if self._find(link, address, prefix_length):
                raise RequestError(request, errno.EEXIST)
            self._addresses.append(Address(link, address, prefix_length, ours=True))

    def remove_address(self, link: str, address: str, prefix_length: int) -> None:
        """See `host.Network`."""
        request = f"remove address {address}/{prefix_length} on {link}"
        with self._step(request):
            self._link(request, link)
            existing = self._find(link, address, prefix_length)
            if not existing:
                raise RequestError(request, errno.EADDRNOTAVAIL)
            self._addresses.remove(existing)
            if not any(a.link == link and _v4(a.address) for a in self._addresses):
                self._routes = [r for r in self._routes if r.link != link or not _v4(r.destination)]

    def routes(self) -> list[Route]:
        """See `host.Network`."""
        return list(self._routes)

    def add_route(self, route: Route) -> None:
        """See `host.Network`."""
        request = f"add {route}"
        with self._step(request):
            up = self._link(request, route.link).up
            if route.gateway and not (up and self._on_link(route.link, route.gateway)):
                unreachable = errno.ENETUNREACH if _v4(route.gateway) else errno.EHOSTUNREACH
                raise RequestError(request, unreachable)
            if not up:
                raise RequestError(request, errno.ENETDOWN)
            if any(_place(route) == _place(existing) for existing in self._routes):
                raise RequestError(request, errno.EEXIST)
            self._routes.append(route)

    def remove_route(self, route: Route) -> None:
        """See `host.Network`."""
        request = f"remove {route}"
        with self._step(request):
            if route not in self._routes:
                raise RequestError(request, errno.ESRCH)
            self._routes.remove(route)

    def rules(self) -> list[Rule]:
        """See `host.Network`."""
        return list(self._rules)

    def add_rule(self, rule: Rule) -> None:
        """See `host.Network`."""
        request = f"add {rule}"
        with self._step(request):
            if rule in self._rules:
                raise RequestError(request, errno.EEXIST)
            self._rules.append(rule)

    def remove_rule(self, rule: Rule) -> None:
        """See `host.Network`."""
        request = f"remove {rule}"
        with self._step(request):
            if rule not in self._rules:
                raise RequestError(request, errno.ENOENT)
            self._rules.remove(rule)

    def echo(self, source: str, destinations: Sequence[str], size: int) -> list[str]:
        """See `host.Network`."""
        request = f"echo from {source}"
        own = next((a.link for a in self._addresses if _same(a.address, source)), None)
        if own is None:
            raise RequestError(request, errno.EADDRNOTAVAIL)
        self.echoes.append((source, tuple(destinations), size))
        room = self._links[own].mtu
        return [
            each
            for each in destinations
            if self.has_address(each) or size <= min(room, self.hosts.get(each, 0))
        ]

    def has_address(self, address: str) -> bool:
        """Return whether a socket can be bound to this address."""
        parsed = ip_address(address)
        return parsed.is_unspecified or any(
            ip_address(present.address) == parsed for present in self._addresses
        )

    def reboot(self) -> None:
        """Keep the ports that are plugged in, as they come up."""
        self._addresses, self._routes, self._rules = [], [], []
        self._restart()
        self._start_management()
        self._last_state = None

    def dump(self) -> str:
        """Return the state as text."""
        addresses = sorted(self._addresses, key=lambda a: (a.link, a.address))
        routes = sorted(self._routes, key=lambda r: (r.table, r.destination, r.metric))
        rules = sorted(self._rules, key=lambda r: (r.source, r.table))
        return "\n".join(map(str, [*self.links(), *addresses, *routes, *rules]))

    def _start_management(self) -> None:
        """Start e0M, as the operating system does by itself: it gets an address by DHCP."""
        if "e0M" in self._links:
            self._links["e0M"] = replace(self._links["e0M"], up=True)
            self._addresses.append(Address("e0M", "10.0.2.15", 24, ours=False))

    def _lost(self, name: str, *, removed: bool = True) -> None:
        """See `FakeLinks`."""
        self._routes = [route for route in self._routes if route.link != name]
        stays = not removed
        self._addresses = [
            a for a in self._addresses if a.link != name or (stays and _v4(a.address))
        ]

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


def _place(route: Route) -> tuple[int, str, int]:
    """Return the key of a route: a routing table holds one route for each."""
    return route.table, route.destination, route.metric


def _same(address: str, other: str) -> bool:
    return ip_address(address) == ip_address(other)


def _v4(address: str) -> bool:
    return ip_network(address.partition("/")[0]).version == 4
