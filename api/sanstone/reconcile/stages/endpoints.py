"""The endpoints that the targets serve: where hosts reach each transport of an SVM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sanstone import protocols
from sanstone.kernel.target.addresses import Address, InternetAddress
from sanstone.model.network import IpInterface
from sanstone.protocols import Protocol
from sanstone.reconcile.stages import network
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.service_policies import services


@dataclass(frozen=True)
class ServedEndpoint:
    """An endpoint of an SVM that serves its transport.

    `is_present` is whether its address is there, so that it can be listened at.
    """

    id: int
    protocol: Protocol
    address: Address
    svm_uuid: str
    interface_uuid: str
    owner: str
    is_present: bool


def of_family(turn: Turn, family: str) -> list[ServedEndpoint]:
    """Return the endpoints of a family (`nvme`, `scsi`) of running SVMs that allow it."""
    return [
        endpoint
        for lif in network.interfaces(turn)
        if lif.svm is not None and network.wants_address(lif)
        for endpoint in _of_interface(turn, lif)
        if endpoint.protocol.family == family and lif.svm.allows(endpoint.protocol.allowed_by)
    ]


def _of_interface(turn: Turn, lif: IpInterface) -> Iterator[ServedEndpoint]:
    """Yield the endpoints whose transport a LIF's service policy offers."""
    offered = services(lif)
    for row in lif.endpoints:
        protocol = protocols.named(row.protocol)
        if protocol and protocol.service in offered and protocol.port:
            yield ServedEndpoint(
                id=row.id,
                protocol=protocol,
                address=InternetAddress(lif.address, protocol.port),
                svm_uuid=lif.svm_uuid or "",
                interface_uuid=lif.uuid,
                owner=row.owner,
                is_present=network.serving(turn, lif),
            )
