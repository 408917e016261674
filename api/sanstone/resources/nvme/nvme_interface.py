"""`protocols/nvme/interfaces`: the interfaces that serve NVMe, of both kinds, for NVMe clients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Getter, Reader, Reference, Resource
from sanstone.core.declaration.types import Boolean, Choice, IpAddress, Strings, Text, Uuid
from sanstone.model.network import FC_NVME, FcInterface, Interface, IpInterface
from sanstone.model.observations import FC_PORTS
from sanstone.model.svm import Svm
from sanstone.protocols import Protocol, offered
from sanstone.rules.cluster.node import node_fields, on_its_node
from sanstone.rules.network.ports import port_uuid
from sanstone.rules.network.service_policies import services, transports


def _of_nvme(transports_there: list[Protocol]) -> list[str]:
    """Return the names of those transports that are NVMe's."""
    return [each.name for each in transports_there if each.family == "nvme"]


def _of_lif(attribute: str) -> Getter:
    """Return a getter of a LIF's attribute; other interfaces have none."""
    return lambda row, _: getattr(row, attribute) if isinstance(row, IpInterface) else None


def _of_port(fact: str) -> Getter:
    """Return a getter of an observed fact of a Fibre Channel interface's port."""

    def get(row: Interface, reader: Reader) -> Any:
        if isinstance(row, IpInterface):
            return None
        return reader.seen(FC_PORTS, row.port).get(fact)

    return get


def _address(row: Interface, reader: Reader) -> str | None:
    if isinstance(row, IpInterface):
        return row.address
    node = reader.seen(FC_PORTS, row.port).get("wwnn")
    names = (name.replace(":", "") for name in (node or "", row.wwpn))
    return "nn-0x{}:pn-0x{}".format(*names) if node else None


class NvmeInterfaceResource(Resource[Interface]):
    """NVMe interfaces, which are changed as what they are."""

    path = "protocols/nvme/interfaces"
    doc = (
        "NVMe interfaces are the network interfaces, and the Fibre Channel interfaces, at which "
        "subsystems are reached."
    )
    model = IpInterface
    methods = frozenset({"GET"})
    fields = (
        Field("uuid", Uuid(), "Identity of the interface."),
        Field("name", Text(), "Name of the interface."),
        Reference("svm", Svm, "The SVM."),
        Field("enabled", Boolean(), "Whether it is switched on."),
        Field(
            "interface_type",
            Choice("ip_interface", "fc_interface"),
            "Kind of interface.",
            get=lambda row, _: "ip_interface" if isinstance(row, IpInterface) else "fc_interface",
        ),
        Field("transport_address", Text(), "Where hosts connect.", get=_address),
        Field(
            "transport_protocols",
            Strings(),
            "How hosts connect.",
            get=lambda row, _: _of_nvme(transports(row)),
        ),
        Field("ip_interface.ip.address", IpAddress(), "Its address.", get=_of_lif("address")),
        Field("ip_interface.location.port.name", Text(), "Its port.", get=_of_lif("port")),
        Field(
            "ip_interface.location.port.uuid",
            Uuid(),
            "Identity of its port.",
            get=lambda row, reader: (
                port_uuid(row.node_uuid, row.port) if isinstance(row, IpInterface) else None
            ),
        ),
        *node_fields("ip_interface.location.port.node", of=on_its_node),
        Field("fc_interface.wwnn", Wwpn(), "Its node's name.", get=_of_port("wwnn")),
        Field(
            "fc_interface.wwpn",
            Wwpn(),
            "Its name.",
            get=lambda row, _: None if isinstance(row, IpInterface) else row.wwpn,
        ),
        Field("fc_interface.port.name", Text(), "Its port.", get=_of_port("name")),
        Field(
            "fc_interface.port.uuid",
            Uuid(),
            "Identity of its port.",
            get=lambda row, reader: (
                None if isinstance(row, IpInterface) else port_uuid(row.node_uuid, row.port)
            ),
        ),
        *node_fields(of=on_its_node),
    )

    def rows(self, reader: Reader) -> Sequence[Interface]:
        """Return the interfaces of SVMs that offer a transport of NVMe."""
        session = reader.session
        lifs = select(IpInterface).options(joinedload(IpInterface.svm))
        of_svms = session.scalars(lifs.where(IpInterface.svm_uuid.is_not(None)))
        ports = select(FcInterface).options(joinedload(FcInterface.svm))
        return [
            *(lif for lif in of_svms if _of_nvme(offered(services(lif), rdma=""))),
            *session.scalars(ports.filter_by(data_protocol=FC_NVME)),
        ]
