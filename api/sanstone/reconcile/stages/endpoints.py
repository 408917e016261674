"""The endpoints that the targets serve: where hosts reach each transport of an SVM."""

from __future__ import annotations

from collections.abc import Iterator

from sanstone.kernel.target.addresses import InternetAddress
from sanstone.model.network import IpInterface
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.stages import network, rdma
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.endpoints import transports_at


def of_family(turn: Turn, family: str) -> list[ServedEndpoint]:
    """Return the endpoints of a family (`nvme`, `scsi`) in running SVMs that allow the protocol."""
    return [
        endpoint
        for lif in network.interfaces(turn)
        if lif.svm is not None and network.address_is_desired(lif)
        for endpoint in _of_interface(turn, lif)
        if endpoint.protocol.family == family and lif.svm.allows(endpoint.protocol.allowed_by)
    ]


def _of_interface(turn: Turn, lif: IpInterface) -> Iterator[ServedEndpoint]:
    """Yield the endpoints of a LIF that it offers now."""
    is_live, has_rdma = network.address_is_live(turn, lif), rdma.is_live(turn, lif)
    for row in lif.endpoints:
        offered = transports_at(row, lif)
        protocol = next((each for each in offered if each.name == row.protocol), None)
        if protocol and protocol.port:
            yield ServedEndpoint(
                node_uuid=row.node_uuid,
                id=row.id,
                protocol=protocol,
                address=InternetAddress(lif.address, protocol.port),
                svm_uuid=lif.svm_uuid or "",
                interface_uuid=lif.uuid,
                owner=row.owner,
                is_present=is_live and (has_rdma or not protocol.rdma),
                has_rdma=has_rdma and any(each.beside for each in offered),
            )
