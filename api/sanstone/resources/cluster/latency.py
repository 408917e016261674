"""Percentiles of latency, and its histogram, in the records of `/metrics`.

device-mapper counts operations by latency in 13 buckets (`core.history.metrics.BUCKETS_US`), reads
and writes together. A percentile is interpolated in its bucket as in Prometheus'
`histogram_quantile`: it is right about which bucket it lies in, and evenly spread within. Beyond
the last bound there is nothing to interpolate: it is that bound, one second, or more. Without
operations there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sanstone.core.declaration.resource import Field, Getter, Items, Node, Reader
from sanstone.core.declaration.types import Integer
from sanstone.core.history.metrics import BUCKETS_US
from sanstone.resources.cluster.statistics import Metric

PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99_9": 0.999}


def percentile(histogram: Sequence[int], share: float) -> int | None:
    """Return within how many microseconds a share of the operations was done, None without any."""
    if not any(histogram):
        return None
    rank, below, bound = share * sum(histogram), 0, 0
    for count, upper in zip(histogram, BUCKETS_US, strict=False):
        if count and below + count >= rank:
            return round(bound + (upper - bound) * (rank - below) / count)
        below, bound = below + count, upper
    return BUCKETS_US[-1]


def latency_fields() -> tuple[Node, ...]:
    """Return the fields of a record of `/metrics`."""

    def get(share: float) -> Getter:
        return lambda row, _reader: percentile(row.latencies, share)

    percentiles = [
        Field(
            f"latency.percentile.{name}",
            Integer(),
            f"Microseconds within which {100 * share:g} % of the operations were done, reads and "
            "writes together; absent without any.",
            get=get(share),
        )
        for name, share in PERCENTILES.items()
    ]
    buckets = Items(
        "latency.histogram",
        (
            Field("over", Integer(), "Microseconds that they took more than.", get=_item("over")),
            Field(
                "up_to",
                Integer(),
                "Microseconds that they took at most; absent in the last bucket.",
                get=_item("up_to"),
            ),
            Field("count", Integer(), "Operations, reads and writes together.", get=_item("count")),
        ),
        "Operations by how long they took, without the empty buckets.",
        get=_buckets,
        costly=True,
    )
    return (*percentiles, buckets)


def _buckets(row: Metric, _reader: Reader) -> Iterator[dict[str, int]]:
    for place, count in enumerate(row.latencies):
        if count:
            bounds = {"over": BUCKETS_US[place - 1] if place else 0}
            if place < len(BUCKETS_US):
                bounds["up_to"] = BUCKETS_US[place]
            yield bounds | {"count": count}


def _item(name: str) -> Getter:
    def get(item: dict[str, Any], _reader: Reader) -> Any:
        return item.get(name)

    return get
