"""The firewall: connections are taken at LIFs, each at the ports of what its service policy names.

Before the network in a pass: what an address takes is allowed when it appears, and what goes is
refused before it does. A LIF that shares the address which the management port has by itself takes
nothing from it: management stays there.
"""

from __future__ import annotations

from ipaddress import ip_address

from sanstone.kernel.network import firewall
from sanstone.kernel.network.firewall import Opening, Table
from sanstone.model.network import IpInterface
from sanstone.protocols import PROTOCOLS
from sanstone.reconcile.stages import network
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.port import MANAGEMENT_PORT

OWNER = "network/firewall:"
"""Of the firewall as a whole: all LIFs depend on it."""
MANAGEMENT = {"management_https": 443, "management_ssh": 22}
"""TCP ports of nginx and sshd by the LIF service that offers them. The table's file has them, too,
for the management port."""
_PORTS = MANAGEMENT | {protocol.service: protocol.port for protocol in PROTOCOLS}


def reconcile(turn: Turn) -> None:
    """Have the table of the LIFs."""
    lifs = network.interfaces(turn)
    openings = set[Opening]()
    for lif in lifs:
        if network.wants_address(lif):
            with turn.attempt(lif.owner):
                openings |= _openings(lif)
    addresses = frozenset(str(ip_address(lif.address)) for lif in lifs)
    with turn.attempt(OWNER):
        desired = Table(frozenset(openings), addresses - _own(turn))
        if turn.memory.firewall != desired:
            turn.memory.firewall = None
            live = firewall.read(turn.host)
            if not turn.apply(firewall.plan(live, desired, OWNER)):
                turn.memory.firewall = desired
    for lif in lifs:
        turn.block(lif.owner, OWNER)


def _openings(lif: IpInterface) -> set[Opening]:
    address = str(ip_address(lif.address))
    return {Opening(lif.port, address, _PORTS[name]) for name in lif.services if name in _PORTS}


def _own(turn: Turn) -> set[str]:
    """Return the addresses that the management port has from elsewhere, as by DHCP."""
    found = turn.host.network.addresses()
    return {each.address for each in found if each.link == MANAGEMENT_PORT and not each.ours}
