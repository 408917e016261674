"""What is only looked at: figures, jobs and events."""

from __future__ import annotations

from examples.example import Example

EXAMPLES = (
    Example("security/audit/messages"),
    Example("cluster/metrics"),
    Example("storage/luns/{lun.uuid}/metrics"),
    Example("storage/namespaces/{namespace.uuid}/metrics"),
    Example("storage/volumes/{volume.uuid}/metrics"),
    Example("storage/aggregates/{aggregate.uuid}/metrics"),
    Example("network/ethernet/ports/{uuid}/metrics"),
    Example("network/ip/interfaces/{interface.uuid}/metrics"),
    Example("protocols/san/iscsi/services/{svm.uuid}/metrics"),
    Example("protocols/san/fcp/services/{svm.uuid}/metrics"),
    Example("network/fc/ports/{uuid}/metrics"),
    Example("protocols/nvme/services/{svm.uuid}/metrics"),
    Example("cluster/nodes/{node.uuid}/metrics"),
    Example("cluster/jobs"),
    Example("support/ems/events"),
)
