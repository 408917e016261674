"""The way that the array's answers to a caller take: the LIF, its port, and the next hop.

A change after which this way is another may cut off its author. Two ways are compared, before and
after, so that it does not matter which objects a change touches or how: a VLAN below, a route
that leads past the one in use, a LIF that is renamed and nothing else.

What leaves from a LIF is led by the networks and routes of its SVM at its port (see
`kernel/network/net.py`). An address that is no LIF's is the operating system's, which DHCP may have
given to the management port: the array's LIFs and routes can lead its answers elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_interface, ip_network
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.model.network import IpInterface, IpRoute
from sanstone.rules.network.addresses import on_link
from sanstone.rules.network.ports import Port, enabled, mtu, ports
from sanstone.rules.network.service_policies import services

Ip = IPv4Address | IPv6Address


class Hop(NamedTuple):
    """An entry of a routing table that fits; the least is taken. `gateway` is '' for none."""

    unfit_bits: int
    metric: int
    port: str
    gateway: str


class Way(NamedTuple):
    """A way: the LIF as far as it counts, the ports that it is on, topmost first, and the hop."""

    lif: tuple[object, ...] = ()
    below: tuple[tuple[object, ...], ...] = ()
    hop: Hop | None = None


def way(session: Session, reached: str, caller: str) -> Way | None:
    """Return the way from the address that the `caller` has reached to the caller's own.

    None for a caller on this machine, of whom no addresses are known.
    """
    try:
        here, there = _plain(reached), _plain(caller)
    except ValueError:
        return None
    lifs = session.scalars(select(IpInterface)).all()
    lif = next((each for each in lifs if ip_address(each.address) == here), None)
    neighbours = [
        each
        for each in lifs
        if each.enabled
        and each.svm_uuid == (lif.svm_uuid if lif else None)
        and (lif is None or each.port == lif.port)
    ]
    hop = min(_hops(session, neighbours, there), default=None)
    if lif is None:
        return Way(hop=hop)
    known = (lif.address, lif.prefix_length, lif.enabled, *sorted(services(lif)))
    return Way(known, tuple(_below(ports(session), lif.port)), hop)


def _plain(text: str) -> Ip:
    """Return an address without the zone of a link. Raises ValueError."""
    return ip_address(text.partition("%")[0])


def _hops(session: Session, lifs: list[IpInterface], there: Ip) -> Iterator[Hop]:
    """Yield the hops to an address from some LIFs of one SVM."""
    for lif in lifs:
        network = ip_interface(f"{lif.address}/{lif.prefix_length}").network
        if there in network:
            yield Hop(-network.prefixlen, 0, lif.port, "")
    svm_uuids = {lif.svm_uuid for lif in lifs}
    for route in session.scalars(select(IpRoute).order_by(IpRoute.uuid)):
        network = ip_network(f"{route.address}/{route.prefix_length}")
        via = [lif for lif in lifs if on_link(lif, route.svm_uuid, route.gateway)]
        if route.svm_uuid in svm_uuids and there in network:
            for lif in via:
                yield Hop(-network.prefixlen, route.metric, lif.port, route.gateway)


def _below(ports_by_name: Mapping[str, Port], name: str) -> Iterator[tuple[object, ...]]:
    """Yield the desired settings of a port and of those below it."""
    row = ports_by_name.get(name, Port(name)).desired
    settings = (name, enabled(ports_by_name, name), mtu(ports_by_name, name))
    if row is None:
        yield settings
        return
    yield (*settings, row.type, row.lag_mode, row.lag_policy, row.base_port, row.tag)
    for below in (row.base_port, *sorted(row.member_names)):
        if below:
            yield from _below(ports_by_name, below)
