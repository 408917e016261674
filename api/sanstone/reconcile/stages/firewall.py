"""The firewall: it admits connections at LIFs, to the ports of the services in the LIF's policy,
and RoCE where the LIF serves RDMA so. iWARP's are connections of TCP.

SNMP is admitted while it is enabled, at LIFs with a policy for it and at the management port's own
addresses; multicast DNS on the links where LIFs are to be announced (`announcements`).

There are two stages. `close`, before the network, withdraws openings before their addresses are
removed, and admits management. `open_to_hosts`, after the targets, admits hosts once everything
that they may ask for is exported. A host that came earlier, as in the middle of a boot, would learn
that its subsystem or LUN does not exist, and would give up the path for good: nvmet refuses an
unknown subsystem with "do not retry" (drivers/nvme/target/core.c, nvmet_alloc_ctrl), and hosts obey
(drivers/nvme/host/fabrics.c, nvmf_should_reconnect). A host that the firewall refuses tries again.

A LIF may share an address that the management port has from elsewhere. Such a LIF leaves the
management services at that address alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address

from sanstone.kernel.network import firewall
from sanstone.kernel.network.firewall import Opening, Table
from sanstone.model.network import IpInterface
from sanstone.protocols import IWARP
from sanstone.reconcile.results import FirewallClosed, HostsAdmitted, NvmeServed, ScsiServed
from sanstone.reconcile.snmp_settings import PORT as SNMP_PORT
from sanstone.reconcile.stages import announcements, network
from sanstone.reconcile.stages.firewall_memory import FirewallMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.cluster.snmp import snmp_configuration
from sanstone.rules.network.ports import MANAGEMENT_PORT
from sanstone.rules.network.service_policies import SNMP_SERVICE, services, transports

OWNER = "network/firewall:"
"""Owner of the firewall as a whole: all LIFs depend on it."""
MANAGEMENT_SERVICE_PORTS = {"management_https": 443, "management_ssh": 22}
"""By LIF service: the TCP port of nginx or sshd, which provides it. The firewall's file
(firewall.nft) also contains these ports, for the management port."""
ROCE_PORT = 4791
"""The UDP port of all RDMA by RoCE v2 (IANA), which has ports of transports within."""
_MANAGEMENT_PORTS = frozenset((*MANAGEMENT_SERVICE_PORTS.values(), SNMP_PORT))


def close(turn: Turn) -> FirewallClosed:
    """Withdraw the openings that are no longer desired, and admit management."""
    desired = _desired(turn)
    if turn.memory.of(FirewallMemory).table != desired:
        with turn.attempt(OWNER):
            live = firewall.read(turn.host)
            existing = live.openings if live else frozenset()
            management = {
                opening for opening in desired.openings if opening.port in _MANAGEMENT_PORTS
            }
            announced = live.announced if live else frozenset()
            openings = desired.openings & existing | management
            announced &= desired.announced
            _apply(turn, live, Table(openings, desired.lifs, announced, desired.own_datagrams))
    _block_lifs(turn)
    return FirewallClosed(turn.outcomes)


def open_to_hosts(turn: Turn, _nvme: NvmeServed, _scsi: ScsiServed) -> HostsAdmitted:
    """Apply all desired openings, those for hosts included."""
    desired = _desired(turn)
    memory = turn.memory.of(FirewallMemory)
    with turn.attempt(OWNER):
        if memory.table != desired:
            memory.table = None
            if _apply(turn, firewall.read(turn.host), desired):
                memory.table = desired
    _block_lifs(turn)
    return HostsAdmitted(turn.outcomes)


def _block_lifs(turn: Turn) -> None:
    """Block every LIF if the firewall could not be set."""
    for lif in network.interfaces(turn):
        turn.block(lif.owner, OWNER)


def _desired(turn: Turn) -> Table:
    """Return the table for the configured LIFs."""
    lifs = network.interfaces(turn)
    datagrams = {SNMP_SERVICE: SNMP_PORT} if snmp_configuration(turn.session).enabled else {}
    openings = set[Opening]()
    for lif in lifs:
        if network.address_is_desired(lif):
            with turn.attempt(lif.owner):
                openings |= _openings(lif, datagrams)
    addresses = frozenset(str(ip_address(lif.address)) for lif in lifs)
    lifs_alone = addresses - _addresses_from_elsewhere(turn)
    announced = announcements.links(turn) & {opening.link for opening in openings}
    return Table(frozenset(openings), lifs_alone, announced, frozenset(datagrams.values()))


def _apply(turn: Turn, live: Table | None, desired: Table) -> bool:
    """Make the live table the desired one. Return whether that succeeded."""
    return not turn.apply(firewall.plan(live, desired, OWNER))


def _openings(lif: IpInterface, datagrams: Mapping[str, int]) -> set[Opening]:
    """Return the openings for the services that a LIF's policy offers.

    `datagrams` are the UDP ports of services of management.
    """
    address = str(ip_address(lif.address))
    ports = {
        MANAGEMENT_SERVICE_PORTS[service]
        for service in services(lif)
        if service in MANAGEMENT_SERVICE_PORTS
    }
    offered = transports(lif)
    is_tcp = lif.rdma == IWARP
    ports |= {each.port for each in offered if each.port and (is_tcp or not each.rdma)}
    openings = {Opening(lif.port, address, port) for port in ports}
    openings |= {
        Opening(lif.port, address, datagrams[service], "udp")
        for service in services(lif)
        if service in datagrams
    }
    if not is_tcp and any(each.rdma for each in offered):
        openings.add(Opening(lif.port, address, ROCE_PORT, "udp"))
    return openings


def _addresses_from_elsewhere(turn: Turn) -> set[str]:
    """Return the addresses of the management port that are not LIFs', such as one from DHCP."""
    return {
        address.address
        for address in network.addresses(turn)
        if address.link == MANAGEMENT_PORT and not address.ours
    }
