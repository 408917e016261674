"""RDMA at LIFs: which they are reached by, and that of software where a port's adapter does none.

What serves SRP is loaded with the first LIF that offers it.

There are two stages. `reconcile`, after the network, makes devices and finds out at which LIFs the
targets can listen. `remove_stale`, after the targets, removes the devices that no LIF needs any
more, and those at which nobody connects any more, which the next turn creates anew: the targets end
the hosts' sessions before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sanstone.core import names
from sanstone.core.database.statements import every
from sanstone.kernel.host import HostError, Link
from sanstone.kernel.network import rdma
from sanstone.kernel.network.rdma import Place, RdmaPort
from sanstone.kernel.target import srp
from sanstone.model.cluster import the_cluster
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.model.san import SrpService
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import NetworkUp, NvmeServed, RdmaUp, ScsiServed, StaleRdmaRemoved
from sanstone.reconcile.stages import network
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.service_policies import transports


class RdmaPlace(NamedTuple):
    """Where targets can listen: a device, the index of its network interface, which no other ever
    has, and the first address (GID) of its port."""

    device: str
    interface: int
    gid: str


@dataclass
class RdmaMemory(StageMemory):
    """Where targets can listen for RDMA."""

    places: dict[str, RdmaPlace] = field(default_factory=dict)
    """By LIF: where they can."""
    mute: frozenset[str] = frozenset()
    """RDMA devices of ours at which nobody connects until they are created anew."""


def reconcile(turn: Turn, _network: NetworkUp) -> RdmaUp:
    """Do RDMA at the ports of all LIFs that ask for it."""
    links = {link.name: link for link in network.state(turn).links}
    lifs = _lifs(turn)
    existing = rdma.ports(turn.host)
    _observe_ports(turn, links, existing)
    soft = _soft(lifs, links, existing)
    steps = rdma.additions(existing, {place: lif.owner for place, lif in soft.items()})
    if steps:
        turn.apply(steps)
        existing = rdma.ports(turn.host)
    for lif in lifs:
        place = rdma.place(links, lif.port, lif.rdma)
        if place in soft:
            turn.block(lif.owner, soft[place].owner)
        elif rdma.base(links, lif.port) in _others(links, existing, but=lif.rdma):
            turn.fail(lif.owner, HostError("the adapter of port {} does another RDMA", lif.port))
    _find_mute(turn, links, existing)
    _observe_lifs(turn, lifs, links, existing)
    _load_srp(turn, lifs)
    return RdmaUp(turn.outcomes)


def remove_stale(
    turn: Turn, _rdma: RdmaUp, _nvme: NvmeServed, _scsi: ScsiServed
) -> StaleRdmaRemoved:
    """Remove the devices of ours that no LIF needs."""
    links = {link.name: link for link in network.state(turn).links}
    existing, mute = rdma.ports(turn.host), turn.memory.of(RdmaMemory).mute
    needed = _soft(_lifs(turn), links, existing).keys()
    mute_places = {port.place for port in existing if port.device in mute}
    turn.apply(rdma.removals(existing, needed - mute_places))
    turn.memory.of(RdmaMemory).mute = frozenset()
    return StaleRdmaRemoved(turn.outcomes)


def is_live(turn: Turn, lif: IpInterface) -> bool:
    """Return whether targets can listen for RDMA at a LIF."""
    return lif.uuid in turn.memory.of(RdmaMemory).places


def gid(turn: Turn, lif: IpInterface) -> str:
    """Return the first address of the port of the RDMA device at a LIF, '' where there is none."""
    place = turn.memory.of(RdmaMemory).places.get(lif.uuid)
    return place.gid if place else ""


def _load_srp(turn: Turn, lifs: Sequence[IpInterface]) -> None:
    """Load what serves SRP if a LIF offers that, and observe the identifier that hosts ask for."""
    identifier = names.srp_identifier(the_cluster(turn.session).serial_number)
    for lif in lifs:
        if _is_srp(lif):
            with turn.attempt(lif.owner):
                srp.load(turn.host, identifier)
    with turn.attempt(""):
        shown = {"identifier": srp.identifier(turn.host)}
        services = turn.rows(every(SrpService))
        turn.seen[SrpService.kind] = {service.svm_uuid: shown for service in services}


def _find_mute(turn: Turn, links: Mapping[str, Link], existing: Sequence[RdmaPort]) -> None:
    """Find the devices at which nobody connects any more although their link is there."""
    if turn.looks:
        here = [port for port in existing if port.link in links and links[port.link].carrier]
        mute = set()
        with turn.attempt(""):
            mute = {port.device for port in here if rdma.is_mute(turn.host, port)}
        turn.memory.of(RdmaMemory).mute = frozenset(mute)


def _lifs(turn: Turn) -> list[IpInterface]:
    """Return the LIFs that ask for RDMA."""
    return [lif for lif in network.interfaces(turn) if lif.rdma and network.address_is_desired(lif)]


def _soft(
    lifs: Sequence[IpInterface], links: Mapping[str, Link], existing: Sequence[RdmaPort]
) -> dict[Place, IpInterface]:
    """Return where software is to do RDMA, each place with a LIF there."""
    others = _others(links, existing)
    places = {rdma.place(links, lif.port, lif.rdma): lif for lif in lifs}
    return {
        place: lif
        for place, lif in places.items()
        if place.link in links and rdma.base(links, place.link) not in others
    }


def _others(
    links: Mapping[str, Link], existing: Sequence[RdmaPort], but: str = ""
) -> frozenset[str]:
    """Return the ports with RDMA of devices that are not ours, `but` for RDMA of that kind."""
    others = [port for port in existing if not port.is_ours]
    right = {port.link for port in others if port.kind == but}
    return frozenset(rdma.base(links, port.link) for port in others if port.link not in right)


def _observe_ports(turn: Turn, links: Mapping[str, Link], existing: Sequence[RdmaPort]) -> None:
    """Observe at which ports adapters do RDMA."""
    adapters = {port.place for port in existing if not port.is_soft}
    for name, seen in turn.seen[EthernetPort.kind].items():
        for kind in rdma.PREFIXES:
            seen[kind] = rdma.place(links, name, kind) in adapters


def _can_close(lif: IpInterface, links: Mapping[str, Link]) -> bool:
    """Return whether single initiators can lose access at a LIF.

    SRP's is withdrawn as a whole while there is no link: to end the session of one initiator a
    kernel without our patch waits until the device has notified the host, which rxe may never do
    (srpt_disconnect_ch_sync() in ib_srpt.c); that of a whole port it ends at once.
    """
    return links[lif.port].carrier or not _is_srp(lif)


def _is_srp(lif: IpInterface) -> bool:
    return any(each.addressing == "gid" for each in transports(lif))


def _observe_lifs(
    turn: Turn,
    lifs: Sequence[IpInterface],
    links: Mapping[str, Link],
    existing: Sequence[RdmaPort],
) -> None:
    """Find the LIFs at which targets can listen, and add those that changed to the scope.

    The targets' listeners end with their device. So where another device has come in its place, or
    its port is called otherwise, a LIF is left out for one turn, in which the targets withdraw. So
    it is where a device is to be created anew.
    """
    mute = turn.memory.of(RdmaMemory).mute
    devices = {port.place: port for port in existing if port.device not in mute}
    live: dict[str, RdmaPlace] = {}
    for lif in lifs:
        device = devices.get(rdma.place(links, lif.port, lif.rdma))
        if device and network.address_is_live(turn, lif) and _can_close(lif, links):
            patiently = turn.whole or lif.owner in turn.scope.owners
            with turn.attempt(lif.owner):
                place = lif.port, lif.address
                if rdma.carries(turn.host, device, *place, patiently=patiently):
                    first = rdma.gid(turn.host, device)
                    live[lif.uuid] = RdmaPlace(device.device, links[device.link].index, first)
    former = turn.memory.of(RdmaMemory).places
    turn.memory.of(RdmaMemory).places = {
        uuid: place for uuid, place in live.items() if former.get(uuid, place) == place
    }
    changed = former.items() ^ turn.memory.of(RdmaMemory).places.items()
    turn.scope.add(f"{IpInterface.kind}:{uuid}" for uuid, _ in changed)
