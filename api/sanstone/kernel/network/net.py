"""Network: ports, the addresses of LIFs, and the routes of their packets.

A packet leaves through the port that its source address is on, whatever other ports reach the same
network: two paths of a host stay two paths. Linux does not do that by default, so every pair of SVM
and port has a routing table of its own, with the networks of the LIFs there and those of the SVM's
routes whose gateway is in one of them; a source rule for each LIF's address selects it.

    table number = 10000 * (1 + SVM's number) + link's index

Packets that the array sends itself (to NTP, DNS and syslog servers) have no source address at
first, so that no source rule selects a table: the routes of the array itself, which is number 0
among the SVMs, are in the main table too. The kernel adds the networks of its LIFs there.

Our objects carry our mark (`MARK`, as rtnetlink's protocol of address, route and rule), and nothing
without it is ever removed: addresses of DHCP or of an administrator stay. Bonds and VLANs are
created before, in `links`.

`plan` is pure: it compares a `State` with a `Desired`. A missing port blocks its own addresses and
no others; `waiting` reports that, and also a route whose gateway no LIF reaches.

Traps:

* An address that is not ours but is already on the desired port stays, and is sufficient.
* IPv6 routes without a metric get 1024 from the kernel, so each has one.
* A table holds one route for each destination and metric. Of the array's own routes that share
  both, the main table gets the first.
* There they come after those of DHCP to the same destination: a client connected to the address of
  DHCP gets answers by the main table, and would be cut off by another gateway.
* Linux answers ARP for any of its addresses on any port, and drops the other addresses of a network
  when the first one is removed. `net.ipv4.conf.all.arp_ignore=1`, `arp_announce=2` and
  `promote_secondaries=1` (Documentation/networking/ip-sysctl.rst) are set by the system image.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_interface, ip_network

from sanstone.kernel.host import Address, Host, HostError, Link, RequestError, Route, Rule
from sanstone.kernel.plan import Step

MARK = 173
"""Our number among routing protocols: 5 to 255 are free to use, this one is in no rt_protos."""

ARRAY = 0
"""The array's own number among those of SVMs."""
MAIN = 254
"""The table of packets that no rule of ours selects (RT_TABLE_MAIN, rtnetlink(7))."""
DHCP_METRIC = 1024
"""Of networkd's routes in it (RouteMetric=, systemd.network(5)); ours are that much higher."""
HIGHEST_METRIC = 2**32 - 1

_GONE = (errno.EADDRNOTAVAIL, errno.ESRCH, errno.ENOENT, errno.ENODEV)
"""The kernel's errors for removing an address, a route or a rule that is gone already."""

ON_LINK_METRIC = 1
"""Metric of a port's own network: better than any route through a gateway."""


@dataclass(frozen=True)
class DesiredPort:
    """An Ethernet port that is ours. `mtu` in bytes; a VLAN has a `base`, listed before it.

    One without an `owner` is not waited for.
    """

    name: str
    up: bool
    mtu: int
    owner: str
    base: str = ""


@dataclass(frozen=True)
class DesiredAddress:
    """A LIF's address on a port. `svm` is the SVM's number, or ARRAY."""

    link: str
    address: str
    prefix_length: int
    svm: int
    owner: str


@dataclass(frozen=True)
class DesiredRoute:
    """A route of one SVM; `destination` in CIDR form, 0.0.0.0/0 or ::/0 for the default."""

    svm: int
    destination: str
    gateway: str
    metric: int
    owner: str


@dataclass(frozen=True)
class Desired:
    """The desired state of all ports."""

    ports: tuple[DesiredPort, ...] = ()
    addresses: tuple[DesiredAddress, ...] = ()
    routes: tuple[DesiredRoute, ...] = ()


@dataclass(frozen=True)
class State:
    """The kernel's state."""

    links: tuple[Link, ...]
    addresses: tuple[Address, ...]
    routes: tuple[Route, ...]
    rules: tuple[Rule, ...]


def read(host: Host) -> State:
    """Read the state: four netlink dumps."""
    return State(
        tuple(host.network.links()),
        tuple(host.network.addresses()),
        tuple(host.network.routes()),
        tuple(host.network.rules()),
    )


def table(svm: int, link_index: int) -> int:
    """Return the number of the routing table for an SVM's packets out of a link."""
    return 10000 * (1 + svm) + link_index


def waiting(state: State, desired: Desired) -> dict[str, HostError]:
    """Return, by owner, why a desired object is left out of the plan."""
    links = {link.name for link in state.links}
    placed = [(port.name, port.owner) for port in desired.ports]
    placed += [(address.link, address.owner) for address in desired.addresses]
    missing = [(name, owner) for name, owner in placed if owner and name not in links]
    reasons = {owner: HostError("port {} is not there", name) for name, owner in missing}
    for route in desired.routes:
        if not any(_reaches(address, route) for address in _placed(state, desired)):
            text = "no LIF is in the network of gateway {}"
            reasons[route.owner] = HostError(text, route.gateway)
    return reasons


def plan(state: State, desired: Desired) -> list[Step]:
    """Return the steps that turn `state` into `desired`: removals first, then additions."""
    addresses = {
        (a.link, str(ip_address(a.address)), a.prefix_length): a.owner
        for a in _placed(state, desired)
    }
    routes = dict(_routes(state, desired))
    rules = dict(_rules(state, desired))
    present = {(a.link, a.address, a.prefix_length) for a in state.addresses}
    ours = {(a.link, a.address, a.prefix_length) for a in state.addresses if a.ours}
    return [
        *(_rule_step("remove", rule, "") for rule in state.rules if rule not in rules),
        *(_route_step("remove", route, "") for route in state.routes if route not in routes),
        *(_address_step("remove", *key, "") for key in sorted(ours - addresses.keys())),
        *_port_steps(state, desired.ports),
        *(_address_step("add", *k, owner) for k, owner in addresses.items() if k not in present),
        *(_route_step("add", r, owner) for r, owner in routes.items() if r not in state.routes),
        *(_rule_step("add", r, owner) for r, owner in rules.items() if r not in state.rules),
    ]


def _placed(state: State, desired: Desired) -> Iterator[DesiredAddress]:
    """Return the desired addresses whose port exists."""
    links = {link.name for link in state.links}
    return (address for address in desired.addresses if address.link in links)


def _reaches(address: DesiredAddress, route: DesiredRoute) -> bool:
    """Return whether the gateway of a route is in the network of an address."""
    return address.svm == route.svm and ip_address(route.gateway) in _network(address)


def _network(address: DesiredAddress) -> IPv4Network | IPv6Network:
    return ip_interface(f"{address.address}/{address.prefix_length}").network


def _routes(state: State, desired: Desired) -> Iterator[tuple[Route, str]]:
    """Return the desired routes of each table, with their owners.

    The kernel keeps no routes out of a port that is down; they return with it.
    """
    index = {link.name: link.index for link in state.links}
    up = {link.name: link.up for link in state.links}
    up |= {port.name: port.up for port in desired.ports}
    open_at = [address for address in _placed(state, desired) if up[address.link]]
    for address in open_at:
        number, link = table(address.svm, index[address.link]), address.link
        yield Route(number, str(_network(address)), "", link, ON_LINK_METRIC), address.owner
    in_main: set[tuple[str, int]] = set()
    for route in desired.routes:
        for address in open_at:
            if _reaches(address, route):
                number, link = table(route.svm, index[address.link]), address.link
                destination = str(ip_network(route.destination))
                gateway = str(ip_address(route.gateway))
                metric = max(route.metric, ON_LINK_METRIC + 1)
                yield Route(number, destination, gateway, link, metric), route.owner
                after = min(DHCP_METRIC + metric, HIGHEST_METRIC)
                if route.svm == ARRAY and (destination, after) not in in_main:
                    in_main.add((destination, after))
                    yield Route(MAIN, destination, gateway, link, after), route.owner


def _rules(state: State, desired: Desired) -> Iterator[tuple[Rule, str]]:
    index = {link.name: link.index for link in state.links}
    for address in _placed(state, desired):
        number = table(address.svm, index[address.link])
        yield Rule(str(ip_address(address.address)), number), address.owner


def _port_steps(state: State, ports: Iterable[DesiredPort]) -> Iterator[Step]:
    # A foreign bond or VLAN may have the name of a desired port.
    links = {link.name: link for link in state.links if link.ours or not link.kind}
    for port in ports:
        link = links.get(port.name)
        if link and (link.up, link.mtu) != (port.up, port.mtu):
            yield _port_step(port)


def _port_step(port: DesiredPort) -> Step:
    def run(host: Host) -> None:
        host.network.set_link(port.name, up=port.up, mtu=port.mtu)

    text = f"set port {port.name} {'up' if port.up else 'down'} with MTU {port.mtu}"
    needs = (f"net/{port.base}",) if port.base else ()
    return Step(text, port.owner, run, f"net/{port.name}", needs)


def _address_step(verb: str, link: str, address: str, prefix_length: int, owner: str) -> Step:
    def run(host: Host) -> None:
        if verb == "add":
            host.network.add_address(link, address, prefix_length)
        else:
            _remove(lambda: host.network.remove_address(link, address, prefix_length))

    text = f"{verb} address {address}/{prefix_length} on {link}"
    return Step(text, owner, run, f"net/{link}/{address}/{prefix_length}")


def _route_step(verb: str, route: Route, owner: str) -> Step:
    def run(host: Host) -> None:
        if verb == "add":
            host.network.add_route(route)
        else:
            _remove(lambda: host.network.remove_route(route))

    through = f" through {route.gateway}" if route.gateway else ""
    text = f"{verb} route to {route.destination}{through} on {route.link} in table {route.table}"
    return Step(text, owner, run, f"net/{route.link}/table/{route.table}/{route.destination}")


def _rule_step(verb: str, rule: Rule, owner: str) -> Step:
    def run(host: Host) -> None:
        if verb == "add":
            host.network.add_rule(rule)
        else:
            _remove(lambda: host.network.remove_rule(rule))

    text = f"{verb} rule: packets from {rule.source} by table {rule.table}"
    return Step(text, owner, run, f"net/rule/{rule.source}/{rule.table}")


def _remove(remove: Callable[[], None]) -> None:
    """Remove an object; one that went with another address or with its port is gone already."""
    try:
        remove()
    except RequestError as error:
        if error.errno not in _GONE:
            raise
