"""Figures over time: what hosts do to each thing that counts it."""

from __future__ import annotations

from sanstone.shell.place import Place

_SHOWN = ("timestamp", "iops.read", "iops.write", "iops.total", "throughput.total", "latency.total")


def _of(path: str, words: str, *keys: str) -> Place:
    columns = (*(f"../{key}" for key in keys), *_SHOWN)
    return Place(
        f"{path}/metrics", f"statistics {words}", "sample", ("timestamp",), columns=columns
    )


PLACES = (
    _of("cluster", "cluster"),
    _of("network/ethernet/ports/{uuid}", "port", "name"),
    _of("storage/aggregates/{aggregate.uuid}", "aggregate", "name"),
    _of("storage/luns/{lun.uuid}", "lun", "svm.name", "name"),
    _of("storage/namespaces/{namespace.uuid}", "namespace", "svm.name", "name"),
    _of("storage/volumes/{volume.uuid}", "volume", "svm.name", "name"),
)
