"""Endpoints that the kernel's targets serve, and LIO's fabrics for the array's transports."""

from __future__ import annotations

from dataclasses import dataclass

from sanstone import protocols
from sanstone.kernel.target.addresses import Address
from sanstone.kernel.target.fabrics import Fabric, PortalFabric, PortFabric
from sanstone.protocols import Protocol


@dataclass(frozen=True)
class ServedEndpoint:
    """An endpoint at which an SVM serves a transport.

    `is_present` is whether its address is live, so that the target can listen there. `has_rdma` is
    whether it serves another transport too, which goes over RDMA, and can listen for that.
    """

    node_uuid: str
    id: int
    protocol: Protocol
    address: Address
    svm_uuid: str
    interface_uuid: str
    owner: str
    is_present: bool
    has_rdma: bool = False


def fabric(protocol: Protocol) -> Fabric:
    """Return the fabric of LIO that serves a SCSI transport."""
    if protocol.addressing == "ip":
        return PortalFabric(protocol.kernel_name)
    base = protocols.named(protocol.virtual_of)
    return PortFabric(
        protocol.kernel_name,
        target_name=protocol.target_name,
        initiator_name=protocol.initiator_name,
        has_enable=protocol.has_enable,
        fabric_attributes=protocol.fabric_attributes,
        group_attributes=protocol.group_attributes,
        virtual_of=base.kernel_name if base else "",
    )


def fabrics() -> tuple[Fabric, ...]:
    """Return the fabrics of all SCSI transports."""
    scsi = (protocol for protocol in protocols.PROTOCOLS if protocol.family == "scsi")
    return tuple(dict.fromkeys(fabric(protocol) for protocol in scsi))
