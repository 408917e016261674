"""Performance over time: of each object that has counters, and of the node."""

from __future__ import annotations

from sanstone.shell.place import Place

_SHOWN = ("timestamp", "iops.read", "iops.write", "iops.total", "throughput.total", "latency.total")
_TRAFFIC = ("timestamp", "throughput.read", "throughput.write", "throughput.total")
_UNTIMED = ("timestamp", "iops.total", "throughput.read", "throughput.write", "throughput.total")
_PROCESSORS = ("timestamp", "processor_utilization")


def _of(path: str, words: str, *keys: str, shown: tuple[str, ...] = _SHOWN) -> Place:
    columns = (*(f"../{key}" for key in keys), *shown)
    return Place(
        f"{path}/metrics", f"statistics {words}", "sample", ("timestamp",), columns=columns
    )


PLACES = (
    _of("cluster", "cluster"),
    _of("cluster/nodes/{node.uuid}", "node", "name", shown=_PROCESSORS),
    _of("network/ethernet/ports/{uuid}", "port", "name"),
    _of("network/ip/interfaces/{interface.uuid}", "interface", "svm.name", "name", shown=_TRAFFIC),
    _of("protocols/san/iscsi/services/{svm.uuid}", "iscsi", "svm.name"),
    _of("protocols/san/fcp/services/{svm.uuid}", "fcp", "svm.name"),
    _of("network/fc/ports/{uuid}", "fcp-port", "name"),
    _of(
        "network/fc/interfaces/{interface.uuid}",
        *("fcp-interface", "svm.name", "name"),
        shown=_UNTIMED,
    ),
    _of("protocols/nvme/services/{svm.uuid}", "nvme", "svm.name"),
    _of("storage/aggregates/{aggregate.uuid}", "aggregate", "name"),
    _of("storage/luns/{lun.uuid}", "lun", "svm.name", "name"),
    _of("storage/namespaces/{namespace.uuid}", "namespace", "svm.name", "name"),
    _of("storage/volumes/{volume.uuid}", "volume", "svm.name", "name"),
)
