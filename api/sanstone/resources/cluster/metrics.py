"""`/metrics` of LUNs, namespaces, volumes, aggregates, services, node and array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sanstone.core import errors
from sanstone.core.declaration.resource import Field, Node, Reader, Reference
from sanstone.core.declaration.types import Integer
from sanstone.core.history.metrics import CLUSTER
from sanstone.core.history.metrics_file import Key
from sanstone.model.aggregates import Aggregate
from sanstone.model.nodes import this_node
from sanstone.model.nvme import Namespace, NvmeService
from sanstone.model.san import FcpService, IscsiService, Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.latency import latency_fields
from sanstone.resources.cluster.space_samples import aggregate_space, volume_space
from sanstone.resources.cluster.statistics import (
    FIGURES,
    MetricsResource,
    metric_fields,
    utilization,
)
from sanstone.rules.cluster.node import node_fields


class ObjectMetrics(MetricsResource):
    """Base of the metrics below an object of the class `above`, named `called`.

    `figures` are the figures that it has, `more` its fields besides.
    """

    above: ClassVar[Any]
    called: ClassVar[str]
    figures: ClassVar[Sequence[str]] = tuple(FIGURES)
    more: ClassVar[Sequence[Node]] = ()

    def __init_subclass__(cls, **more: Any) -> None:
        """Derive the declaration from the object."""
        super().__init_subclass__(**more)
        cls.path = f"{cls.above.kind}/{{{cls.called}.uuid}}/metrics"
        cls.keys = (f"{cls.called}.uuid", "timestamp")
        cls.fields = (cls.reference(), *metric_fields(cls.figures), *cls.more)

    @classmethod
    def reference(cls) -> Reference:
        """Return the declaration of the object in the path."""
        return Reference(cls.called, cls.above, "What hosts worked with.", attribute="object")

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the object in the path."""
        row = reader.session.get(self.above, reader.keys.get(f"{self.called}.uuid", ""))
        return [(row, (row.kind, row.key))] if row else []


class LunMetrics(ObjectMetrics):
    """Performance of a LUN."""

    above, called = Lun, "lun"
    more = latency_fields()
    doc = "What hosts did with a LUN, interval by interval."


class NamespaceMetrics(ObjectMetrics):
    """Performance of a namespace."""

    above, called = Namespace, "namespace"
    more = latency_fields()
    doc = "What hosts did with a namespace, interval by interval."


class VolumeMetrics(ObjectMetrics):
    """Performance of a volume's LUNs and namespaces together."""

    above, called = Volume, "volume"
    more = (*latency_fields(), *volume_space())
    doc = "I/O of hosts to the LUNs and namespaces of a volume, and its space, by interval."


class AggregateMetrics(ObjectMetrics):
    """Performance of an aggregate's LUNs and namespaces together."""

    above, called = Aggregate, "aggregate"
    more = (*latency_fields(), *aggregate_space())
    doc = "I/O of hosts to the LUNs and namespaces of an aggregate, and its space, by interval."
    shared = True


class _OfService:
    """Base of the metrics of protocol services: a service is identified by its SVM."""

    called = "svm"

    @classmethod
    def reference(cls) -> Reference:
        """Return the declaration of the SVM."""
        return Reference("svm", Svm, "The SVM.", get=lambda row, _reader: row.object.svm)


class IscsiServiceMetrics(_OfService, ObjectMetrics):
    """Performance of an SVM's LUNs over iSCSI."""

    above = IscsiService
    more = latency_fields()
    doc = "What hosts did with the LUNs of an SVM's iSCSI service, interval by interval."


class NvmeServiceMetrics(_OfService, ObjectMetrics):
    """Performance of an SVM's namespaces over NVMe."""

    above = NvmeService
    more = latency_fields()
    doc = "What hosts did with the namespaces of an SVM's NVMe service, interval by interval."


class FcpServiceMetrics(_OfService, ObjectMetrics):
    """Performance of an SVM's LUNs over Fibre Channel."""

    above = FcpService
    doc = (
        "What hosts did with the LUNs of an SVM at its Fibre Channel interfaces, interval by "
        "interval. Commands are counted as one, which are `other`, without their latency."
    )


class NodeMetrics(MetricsResource):
    """Performance of the node."""

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
        """Return the node in the path. Raises ApiError for another node."""
        node, uuid = this_node(reader.session), reader.keys.get("node.uuid", "")
        if node.uuid != uuid:
            raise errors.unknown(f'node "{uuid}"')
        return [(node, (node.kind, node.key))]


class ClusterMetrics(MetricsResource):
    """Performance of the array."""

    path = "cluster/metrics"
    doc = "What hosts did with the array, interval by interval."
    keys = ("timestamp",)
    fields = (*metric_fields(), *latency_fields())

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the array."""
        return [(None, CLUSTER)]
