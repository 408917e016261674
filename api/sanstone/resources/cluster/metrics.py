"""`/metrics` of LUNs, namespaces, volumes, aggregates, services, ports, LIFs, node and array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sanstone.core import errors
from sanstone.core.metrics import CLUSTER, Key
from sanstone.core.resource import Field, Reader, Reference
from sanstone.core.types import Integer, Uuid
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.model.nvme import Namespace, NvmeService
from sanstone.model.san import FcpService, IscsiService, Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.node import Node, node_fields, the_node
from sanstone.resources.cluster.statistics import (
    FIGURES,
    MetricsResource,
    metric_fields,
    utilization,
)
from sanstone.resources.network.fc_port import KIND as FC_PORTS
from sanstone.resources.network.ip_interface import FIGURES as OF_INTERFACES
from sanstone.resources.network.port import port_uuid


class _OfObject(MetricsResource):
    """Base of those whose path goes through an object of the class `above`, called `called`.

    `figures` are what is told of it.
    """

    above: ClassVar[Any]
    called: ClassVar[str]
    figures: ClassVar[Sequence[str]] = tuple(FIGURES)

    def __init_subclass__(cls, **more: Any) -> None:
        """Declare what follows from the object."""
        super().__init_subclass__(**more)
        cls.path = f"{cls.above.kind}/{{{cls.called}.uuid}}/metrics"
        cls.keys = (f"{cls.called}.uuid", "timestamp")
        cls.fields = (cls.reference(), *metric_fields(cls.figures))

    @classmethod
    def reference(cls) -> Reference:
        """Return the declaration of what the path names."""
        return Reference(cls.called, cls.above, "What hosts worked with.", attribute="object")

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the object that the path names."""
        row = reader.session.get(self.above, reader.keys.get(f"{self.called}.uuid", ""))
        return [(row, (row.kind, row.key))] if row else []


class LunMetrics(_OfObject):
    """What was done with a LUN."""

    above, called = Lun, "lun"
    doc = "What hosts did with a LUN, interval by interval."


class NamespaceMetrics(_OfObject):
    """What was done with a namespace."""

    above, called = Namespace, "namespace"
    doc = "What hosts did with a namespace, interval by interval."


class VolumeMetrics(_OfObject):
    """What was done with all that is in a volume."""

    above, called = Volume, "volume"
    doc = "What hosts did with what is in a volume, interval by interval."


class AggregateMetrics(_OfObject):
    """What was done with all that is on an aggregate."""

    above, called = Aggregate, "aggregate"
    doc = "What hosts did with what is on an aggregate, interval by interval."
    shared = True


class IpInterfaceMetrics(_OfObject):
    """What went through a LIF."""

    above, called = IpInterface, "interface"
    figures = OF_INTERFACES
    doc = (
        "What came to (read) and went from (write) a network interface, interval by interval: IP "
        "packets with their headers. What RDMA moves passes these counters by."
    )


class _OfService:
    """What those of the protocol services have in common: a service is known by its SVM."""

    called = "svm"

    @classmethod
    def reference(cls) -> Reference:
        """Return the declaration of the SVM."""
        return Reference("svm", Svm, "The SVM.", get=lambda row, _reader: row.object.svm)


class IscsiServiceMetrics(_OfService, _OfObject):
    """What was done by iSCSI with an SVM's LUNs."""

    above = IscsiService
    doc = "What hosts did with the LUNs of an SVM's iSCSI service, interval by interval."


class NvmeServiceMetrics(_OfService, _OfObject):
    """What was done by NVMe with an SVM's namespaces."""

    above = NvmeService
    doc = "What hosts did with the namespaces of an SVM's NVMe service, interval by interval."


class FcpServiceMetrics(_OfService, _OfObject):
    """What was done by Fibre Channel with an SVM's LUNs."""

    above = FcpService
    doc = "What hosts did with the LUNs of an SVM's Fibre Channel service: nothing yet."


class NodeMetrics(MetricsResource):
    """What the node did."""

    path = "cluster/nodes/{node.uuid}/metrics"
    doc = "How busy the processors of the node were, interval by interval."
    keys = ("node.uuid", "timestamp")
    shared = True
    fields = (
        *node_fields(),
        *metric_fields(()),
        Field(
            "processor_utilization",
            Integer(0, 100),
            "How much of their time processors worked, in percent.",
            get=lambda row, _reader: utilization(row.counters),
        ),
    )

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the node if the path names it. Raises ApiError when it names another."""
        node, wanted = the_node(reader.session), reader.keys.get("node.uuid", "")
        if node.uuid != wanted:
            raise errors.unknown(f'node "{wanted}"')
        return [(node, (Node.kind, node.key))]


class _OfPort(MetricsResource):
    """Base of those whose path goes through a port, of which `ports` is the observed kind."""

    ports: ClassVar[str]
    keys = ("uuid", "timestamp")
    fields = (
        Field(
            "uuid",
            Uuid(),
            "Identity of the port.",
            get=lambda row, reader: port_uuid(row.object, reader.session),
        ),
        *metric_fields(),
    )

    def __init_subclass__(cls, **more: Any) -> None:
        """Declare what follows from the kind of port."""
        super().__init_subclass__(**more)
        cls.path = f"{cls.ports}/{{uuid}}/metrics"

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the port that the path names. Raises ApiError when there is none."""
        wanted = reader.keys.get("uuid", "")
        found = [n for n in reader.observed(self.ports) if port_uuid(n, reader.session) == wanted]
        if not found:
            raise errors.unknown(f'port "{wanted}"')
        return [(found[0], (self.ports, found[0]))]


class PortMetrics(_OfPort):
    """What went through a port."""

    ports = EthernetPort.kind
    doc = "What came (read) and went (write) through a port, interval by interval, in packets."


class FcPortMetrics(_OfPort):
    """What was done through a Fibre Channel port."""

    ports = FC_PORTS
    doc = "What hosts did through a Fibre Channel port, interval by interval: nothing yet."


class ClusterMetrics(MetricsResource):
    """What was done with the array."""

    path = "cluster/metrics"
    doc = "What hosts did with the array, interval by interval."
    keys = ("timestamp",)
    fields = metric_fields()

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the array."""
        return [(None, CLUSTER)]
