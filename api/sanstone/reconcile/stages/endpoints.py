"""The endpoints that the targets serve: where hosts reach each transport of an SVM."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sanstone.kernel.host import HostError
from sanstone.kernel.target.addresses import Address, InternetAddress, RdmaPortName
from sanstone.model.network import AnyEndpoint, FcInterface, Interface, IpInterface
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.stages import fibre_channel, network, rdma
from sanstone.reconcile.turn import Turn
from sanstone.rules.network import endpoints
from sanstone.rules.network.endpoints import EndpointKey, transports_at


def by_key(turn: Turn) -> Mapping[EndpointKey, AnyEndpoint]:
    """Return every node's endpoints by what the kernels' targets know them by, served or not."""
    return turn.once(_by_key)


def _by_key(turn: Turn) -> Mapping[EndpointKey, AnyEndpoint]:
    return endpoints.by_key(turn.session)


def of_family(turn: Turn, family: str) -> list[ServedEndpoint]:
    """Return the endpoints of a family (`nvme`, `scsi`) in running SVMs that allow the protocol."""
    interfaces: list[Interface] = [*_lifs(turn), *_fc_interfaces(turn)]
    endpoints = [
        served
        for interface in interfaces
        if interface.svm is not None
        for row in interface.endpoints
        if row.family == family
        and (served := _served(turn, interface, row))
        and interface.svm.allows(served.protocol.allowed_by)
    ]
    return list(_alone_at_rdma_ports(turn, endpoints))


def _alone_at_rdma_ports(turn: Turn, served: Sequence[ServedEndpoint]) -> Iterator[ServedEndpoint]:
    """Yield endpoints, of those that are one RDMA port the oldest alone.

    The API lets nobody ask for two, but it knows of the ports what was seen last.
    """
    oldest: dict[Address, ServedEndpoint] = {}
    for each in sorted(served, key=lambda each: each.id):
        if isinstance(each.address, RdmaPortName) and each.is_present:
            oldest.setdefault(each.address, each)
    for each in served:
        other = oldest.get(each.address, each)
        if other == each:
            yield each
        else:
            turn.fail(each.owner, HostError("another interface serves SRP at its port"))


def _lifs(turn: Turn) -> Iterator[IpInterface]:
    return (lif for lif in network.interfaces(turn) if network.address_is_desired(lif))


def _fc_interfaces(turn: Turn) -> Iterator[FcInterface]:
    return (row for row in fibre_channel.interfaces(turn) if fibre_channel.is_desired(row))


def _served(turn: Turn, interface: Interface, row: AnyEndpoint) -> ServedEndpoint | None:
    """Return an endpoint of an interface, None if it does not serve its transport now."""
    offered = transports_at(row, interface)
    protocol = next((each for each in offered if each.name == row.protocol), None)
    if protocol is None:
        return None
    address: Address
    has_rdma = False
    if isinstance(interface, IpInterface):
        if not protocol.port:
            return None
        address = InternetAddress(interface.address, protocol.port)
        has_rdma = rdma.is_live(turn, interface)
        is_present = network.address_is_live(turn, interface) and (has_rdma or not protocol.rdma)
        if protocol.addressing == "gid":
            address = RdmaPortName(rdma.gid(turn, interface))
    else:
        port = fibre_channel.port_for(turn, interface, protocol)
        if port is None:
            return None
        address = fibre_channel.address(turn, interface, port)
        is_present = fibre_channel.is_live(turn, interface)
    return ServedEndpoint(
        node_uuid=row.node_uuid,
        id=row.id,
        protocol=protocol,
        address=address,
        svm_uuid=interface.svm_uuid or "",
        interface_uuid=interface.uuid,
        owner=row.owner,
        is_present=is_present,
        has_rdma=has_rdma and any(each.beside for each in offered),
    )
