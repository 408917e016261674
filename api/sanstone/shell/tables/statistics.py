"""What hosts and the array do, over time."""

from __future__ import annotations

from sanstone.shell.place import Place

OF = {
    "cluster/metrics": "cluster",
    "storage/aggregates/{aggregate.uuid}/metrics": "aggregate",
    "storage/volumes/{volume.uuid}/metrics": "volume",
    "storage/luns/{lun.uuid}/metrics": "lun",
    "storage/namespaces/{namespace.uuid}/metrics": "namespace",
    "network/ethernet/ports/{uuid}/metrics": "port",
}
"""By resource: whose figures it has."""
PLACES = tuple(Place(path, f"statistics metrics {what}", "figure") for path, what in OF.items())
