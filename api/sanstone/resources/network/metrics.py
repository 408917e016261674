"""`/metrics` of ports and LIFs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sanstone.core import errors
from sanstone.core.declaration.resource import Field, Reader
from sanstone.core.declaration.types import Uuid
from sanstone.core.history.metrics_file import Key
from sanstone.model.network import EthernetPort, FcInterface, IpInterface
from sanstone.model.nodes import this_node
from sanstone.model.observations import FC_PORTS
from sanstone.resources.cluster.metrics import ObjectMetrics
from sanstone.resources.cluster.statistics import MetricsResource, metric_fields
from sanstone.resources.network.fc_interface import FIGURES as OF_FC_INTERFACES
from sanstone.resources.network.ip_interface import FIGURES as OF_INTERFACES
from sanstone.rules.network.ports import port_uuid


class IpInterfaceMetrics(ObjectMetrics):
    """The traffic of a LIF."""

    above, called = IpInterface, "interface"
    figures = OF_INTERFACES
    doc = (
        "What came to (read) and went from (write) a network interface, interval by interval: IP "
        "packets with their headers. What RDMA moves passes these counters by."
    )


class FcInterfaceMetrics(ObjectMetrics):
    """Hosts' I/O at a Fibre Channel interface."""

    above, called = FcInterface, "interface"
    figures = OF_FC_INTERFACES
    doc = (
        "What hosts did at a Fibre Channel interface by FCP, interval by interval. Commands are "
        "counted as one, which are `other`."
    )


class _OfPort(MetricsResource):
    """Base of those with a path through a port; `ports` is the port's observed kind."""

    ports: ClassVar[str]
    keys = ("uuid", "timestamp")
    fields = (
        Field(
            "uuid",
            Uuid(),
            "Identity of the port.",
            get=lambda row, reader: port_uuid(this_node(reader.session).uuid, row.object),
        ),
        *metric_fields(),
    )

    def __init_subclass__(cls, **more: Any) -> None:
        """Declare what follows from the kind of port."""
        super().__init_subclass__(**more)
        cls.path = f"{cls.ports}/{{uuid}}/metrics"

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the port that the path names. Raises ApiError when there is none."""
        uuid = reader.keys.get("uuid", "")
        seen = reader.observed(self.ports)
        names = [name for name, row in seen.items() if port_uuid(row.node_uuid, name) == uuid]
        if not names:
            raise errors.unknown(f'port "{uuid}"')
        return [(names[0], (self.ports, names[0]))]


class PortMetrics(_OfPort):
    """The traffic of a port."""

    ports = EthernetPort.kind
    doc = "What came (read) and went (write) through a port, interval by interval, in packets."


class FcPortMetrics(_OfPort):
    """The traffic of a Fibre Channel port."""

    ports = FC_PORTS
    doc = (
        "What went to hosts (read) and came from them (write) through a Fibre Channel port, "
        "interval by interval, in frames."
    )
