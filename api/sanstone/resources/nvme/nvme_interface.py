"""`protocols/nvme/interfaces`: the LIFs that serve NVMe, for NVMe clients."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone.core.resource import Field, Reference, Resource, constant
from sanstone.core.types import Boolean, Choice, IpAddress, Strings, Text, Uuid
from sanstone.model.network import IpInterface
from sanstone.model.svm import Svm
from sanstone.protocols import Protocol
from sanstone.resources.cluster.node import node_fields
from sanstone.resources.network.port import port_uuid
from sanstone.resources.network.service_policies import SERVICE_POLICIES, of_policy, transports


def _of_nvme(offered: list[Protocol]) -> list[str]:
    """Return the names of those transports that are NVMe's."""
    return [each.name for each in offered if each.family == "nvme"]


POLICIES = tuple(name for name in SERVICE_POLICIES if _of_nvme(of_policy(name, rdma=False)))


class NvmeInterfaceResource(Resource[IpInterface]):
    """NVMe interfaces: LIFs, which are changed under `network/ip/interfaces`."""

    path = "protocols/nvme/interfaces"
    doc = "NVMe interfaces are the network interfaces at which subsystems are reached."
    model = IpInterface
    methods = frozenset({"GET"})
    fields = (
        Field("uuid", Uuid(), "Identity of the interface."),
        Field("name", Text(), "Name of the interface."),
        Reference("svm", Svm, "The SVM."),
        Field("enabled", Boolean(), "Whether it is switched on."),
        Field(
            "interface_type",
            Choice("ip_interface"),
            "Kind of interface.",
            get=constant("ip_interface"),
        ),
        Field("transport_address", IpAddress(), "Where hosts connect.", attribute="address"),
        Field(
            "transport_protocols",
            Strings(),
            "How hosts connect.",
            get=lambda row, _: _of_nvme(transports(row)),
        ),
        Field("ip_interface.ip.address", IpAddress(), "Its address.", attribute="address"),
        Field("ip_interface.location.port.name", Text(), "Its port.", attribute="port"),
        Field(
            "ip_interface.location.port.uuid",
            Uuid(),
            "Identity of its port.",
            get=lambda row, reader: port_uuid(row.port, reader.session),
        ),
        *node_fields("ip_interface.location.port.node"),
        *node_fields(),
    )

    def select(self) -> Select[Any]:
        """Return the LIFs of SVMs whose policy has a transport of NVMe."""
        lifs = select(IpInterface).options(joinedload(IpInterface.svm))
        return lifs.where(
            IpInterface.service_policy.in_(POLICIES), IpInterface.svm_uuid.is_not(None)
        )
