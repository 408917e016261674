"""RDMA at LIFs: which they are reached by, and soft-RoCE where a port's adapter does none.

There are two stages. `reconcile`, after the network, makes devices and finds out at which LIFs the
targets can listen. `remove_stale`, after the targets, removes the devices that no LIF needs any
more: hosts are asked to leave before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sanstone.kernel.host import Link
from sanstone.kernel.network import rdma
from sanstone.kernel.network.rdma import RdmaPort
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.reconcile.stages import network
from sanstone.reconcile.turn import Turn

Identity = tuple[str, int]
"""The name of a device, and the index of its network interface, which no other ever has."""


def reconcile(turn: Turn) -> None:
    """Do RoCE at the ports of all LIFs that ask for it."""
    links = {link.name: link for link in network.state(turn).links}
    lifs = _lifs(turn)
    existing = rdma.ports(turn.host)
    _observe_ports(turn, links, existing)
    soft = _soft(lifs, links, existing)
    steps = rdma.additions(existing, {link: lif.owner for link, lif in soft.items()})
    if steps:
        turn.apply(steps)
        existing = rdma.ports(turn.host)
    for lif in lifs:
        served_by = soft.get(rdma.base(links, lif.port))
        if served_by:
            turn.block(lif.owner, served_by.owner)
    _observe_lifs(turn, lifs, links, existing)


def remove_stale(turn: Turn) -> None:
    """Remove the devices of ours that no LIF needs."""
    links = {link.name: link for link in network.state(turn).links}
    existing = rdma.ports(turn.host)
    turn.apply(rdma.removals(existing, _soft(_lifs(turn), links, existing)))


def is_live(turn: Turn, lif: IpInterface) -> bool:
    """Return whether targets can listen for RDMA at a LIF."""
    return lif.uuid in turn.memory.rdma


def _lifs(turn: Turn) -> list[IpInterface]:
    """Return the LIFs that ask for RDMA."""
    return [lif for lif in network.interfaces(turn) if lif.roce and network.address_is_desired(lif)]


def _soft(
    lifs: Sequence[IpInterface], links: Mapping[str, Link], existing: Sequence[RdmaPort]
) -> dict[str, IpInterface]:
    """Return the network interfaces at which software is to do RoCE, each with a LIF there."""
    others = {port.link for port in existing if not port.is_ours}
    bases = {rdma.base(links, lif.port): lif for lif in lifs}
    return {base: lif for base, lif in bases.items() if base in links.keys() - others}


def _observe_ports(turn: Turn, links: Mapping[str, Link], existing: Sequence[RdmaPort]) -> None:
    """Observe at which ports adapters do RoCE."""
    adapters = {port.link for port in existing if not port.is_soft}
    for name, seen in turn.seen[EthernetPort.kind].items():
        seen["roce"] = rdma.base(links, name) in adapters


def _observe_lifs(
    turn: Turn,
    lifs: Sequence[IpInterface],
    links: Mapping[str, Link],
    existing: Sequence[RdmaPort],
) -> None:
    """Find the LIFs at which targets can listen, and add those that changed to the scope.

    The targets' listeners end with their device. So where another device has come in its place, a
    LIF is left out for one turn, in which the targets withdraw from it.
    """
    devices = {port.link: port for port in existing}
    live: dict[str, Identity] = {}
    for lif in lifs:
        device = devices.get(rdma.base(links, lif.port))
        if device and network.address_is_live(turn, lif):
            patiently = turn.whole or lif.owner in turn.scope.owners
            with turn.attempt(lif.owner):
                place = lif.port, lif.address
                if rdma.carries(turn.host, device, *place, patiently=patiently):
                    live[lif.uuid] = device.device, links[device.link].index
    former = turn.memory.rdma
    turn.memory.rdma = {
        uuid: identity for uuid, identity in live.items() if former.get(uuid, identity) == identity
    }
    changed = former.items() ^ turn.memory.rdma.items()
    turn.scope.add(f"{IpInterface.kind}:{uuid}" for uuid, _ in changed)
