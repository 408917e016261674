"""The firewall: connections are taken at LIFs, each at the ports of what its service policy names.

In two steps. `close`, before the network, refuses what goes before its address does, and lets
management in. `open_to_hosts`, after the targets, lets hosts in where all that they may ask for is
served. A host that came earlier, as in the middle of a boot, would be told that its subsystem or
its LUN is not there, and would give the path up for good: nvmet refuses what it does not know with
"do not retry" (drivers/nvme/target/core.c, nvmet_alloc_ctrl), and hosts obey
(drivers/nvme/host/fabrics.c, nvmf_should_reconnect). Refused by the firewall, it comes again.

A LIF that shares the address which the management port has by itself takes nothing from it:
management stays there.
"""

from __future__ import annotations

from ipaddress import ip_address

from sanstone import protocols
from sanstone.kernel.network import firewall
from sanstone.kernel.network.firewall import Opening, Table
from sanstone.model.network import IpInterface
from sanstone.reconcile.stages import network
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.port import MANAGEMENT_PORT
from sanstone.resources.network.service_policies import services

OWNER = "network/firewall:"
"""Of the firewall as a whole: all LIFs depend on it."""
MANAGEMENT = {"management_https": 443, "management_ssh": 22}
"""TCP ports of nginx and sshd by the LIF service that offers them. The table's file has them, too,
for the management port."""
_MANAGEMENT_PORTS = frozenset(MANAGEMENT.values())


def close(turn: Turn) -> None:
    """Refuse what is no longer desired, and let in who manages."""
    desired = _desired(turn)
    if turn.memory.firewall != desired:
        with turn.attempt(OWNER):
            live = firewall.read(turn.host)
            before = live.openings if live else frozenset()
            now = {each for each in desired.openings if each.port in _MANAGEMENT_PORTS}
            _apply(turn, live, Table(desired.openings & before | now, desired.lifs))
    _hand_on(turn)


def open_to_hosts(turn: Turn) -> None:
    """Let hosts in at the LIFs."""
    desired = _desired(turn)
    with turn.attempt(OWNER):
        if turn.memory.firewall != desired:
            turn.memory.firewall = None
            if _apply(turn, firewall.read(turn.host), desired):
                turn.memory.firewall = desired
    _hand_on(turn)


def _hand_on(turn: Turn) -> None:
    """Have every LIF wait for a firewall that cannot be set."""
    for lif in network.interfaces(turn):
        turn.block(lif.owner, OWNER)


def _desired(turn: Turn) -> Table:
    """Return the table for the LIFs as they are configured."""
    lifs = network.interfaces(turn)
    openings = set[Opening]()
    for lif in lifs:
        if network.wants_address(lif):
            with turn.attempt(lif.owner):
                openings |= _openings(lif)
    addresses = frozenset(str(ip_address(lif.address)) for lif in lifs)
    return Table(frozenset(openings), addresses - _own(turn))


def _apply(turn: Turn, live: Table | None, desired: Table) -> bool:
    """Make the live table the desired one. Return whether it is."""
    return not turn.apply(firewall.plan(live, desired, OWNER))


def _openings(lif: IpInterface) -> set[Opening]:
    address = str(ip_address(lif.address))
    offered = services(lif)
    ports = {MANAGEMENT[service] for service in offered if service in MANAGEMENT}
    ports |= {protocol.port for protocol in protocols.offered(offered) if protocol.port}
    return {Opening(lif.port, address, port) for port in ports}


def _own(turn: Turn) -> set[str]:
    """Return the addresses that the management port has from elsewhere, as by DHCP."""
    found = turn.host.network.addresses()
    return {each.address for each in found if each.link == MANAGEMENT_PORT and not each.ours}
