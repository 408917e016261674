"""`/metrics` for Prometheus: the figures of `statistics`, in its text format.

nginx serves it as `/metrics`; it is `/api/metrics` to roles. A scraper logs in like every client,
best with an account of a role that allows nothing but `readonly` of `/api/metrics`; it must be one
of the array, since the figures are about all SVMs. Counters only grow, over restarts of the array
too. The names:

    sanstone_<object>_operations_total{direction}   operations that hosts did
    sanstone_<object>_bytes_total{direction}        bytes that they moved
    sanstone_<object>_seconds_total{direction}      time that operations took, summed
    sanstone_<object>_latency_seconds               histogram of the latency of LUNs and namespaces
    sanstone_port_packets_total, _bytes_total       what came (read) and went (write)
    sanstone_interface_packets_total, _bytes_total  the same of a LIF's address
    sanstone_node_processor_seconds_total{state}    time that processors were busy or idle, summed
    sanstone_aggregate_size_bytes, _used_bytes      capacity
    sanstone_open_conditions{severity}              faults that last

`<object>` is lun, namespace, volume, aggregate, iscsi, nvme or cluster; `direction` is read or
write; labels name the object, its SVM and its volume. These names are part of the interface: they
stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Flask, Response, g
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core import errors, metrics
from sanstone.core.events import Event
from sanstone.core.metrics import BUCKETS_US, CLUSTER, Total
from sanstone.core.metrics_file import Key
from sanstone.core.observed import load
from sanstone.core.store import reading
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.model.nvme import Namespace, NvmeService
from sanstone.model.san import IscsiService, Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.node import Node, the_node

PATH = "/api/metrics"
TYPE = "text/plain; version=0.0.4; charset=utf-8"
KINDS = {
    Lun.kind: "lun",
    Namespace.kind: "namespace",
    Volume.kind: "volume",
    Aggregate.kind: "aggregate",
    IscsiService.kind: "iscsi",
    NvmeService.kind: "nvme",
    CLUSTER[0]: "cluster",
}
NETWORK = {EthernetPort.kind: "port", IpInterface.kind: "interface"}
Labels = dict[str, str]
Line = tuple[str, Labels, float]


def register(app: Flask) -> None:
    """Add the route."""

    @app.get(PATH)
    def _metrics() -> Response:
        if g.actor.owner_uuid:
            text = f"Accounts of an SVM may not GET {PATH}."
            raise errors.ApiError(403, errors.FORBIDDEN, text)
        with reading(app.extensions["sanstone"]) as session:
            text = "".join(_text(session))
        return Response(text, content_type=TYPE)


def _text(session: Session) -> Iterator[str]:
    totals = metrics.totals()
    labels = _labels(session)
    for kind, name in KINDS.items():
        prefix = f"sanstone_{name}"
        mine = [(text, totals[k]) for k, text in labels.items() if k[0] == kind and k in totals]
        yield from _family(f"{prefix}_operations_total", "Operations.", mine, _operations)
        yield from _family(f"{prefix}_bytes_total", "Bytes moved.", mine, _bytes)
        yield from _family(f"{prefix}_seconds_total", "Time of operations.", mine, _seconds)
        if kind in (Lun.kind, Namespace.kind):
            yield from _histogram(f"{prefix}_latency_seconds", mine)
    labels |= {key: {"port": key[1]} for key in totals if key[0] == EthernetPort.kind}
    for kind, name in NETWORK.items():
        mine = [(text, totals[k]) for k, text in labels.items() if k[0] == kind and k in totals]
        yield from _family(f"sanstone_{name}_packets_total", "Packets.", mine, _operations)
        yield from _family(f"sanstone_{name}_bytes_total", "Bytes.", mine, _bytes)
    yield from _processors(session, totals)
    yield from _capacity(session, labels)
    yield from _conditions(session)


def _labels(session: Session) -> dict[Key, Labels]:
    """Return the labels of everything that has totals."""
    labels: dict[Key, Labels] = {CLUSTER: {}}
    for kind in (Lun, Namespace):
        named = select(kind.uuid, kind.name, Volume.name, Svm.name)
        joined = named.join(Volume, Volume.uuid == kind.volume_uuid)
        rows = session.execute(joined.join(Svm, Svm.uuid == Volume.svm_uuid)).tuples()
        for uuid, name, volume, svm in rows:
            labels[kind.kind, uuid] = {"svm": svm, "volume": volume, KINDS[kind.kind]: name}
    volumes = select(Volume.uuid, Volume.name, Svm.name).join(Svm, Svm.uuid == Volume.svm_uuid)
    for uuid, name, svm in session.execute(volumes).tuples():
        labels[Volume.kind, uuid] = {"svm": svm, "volume": name}
    for uuid, name in session.execute(select(Aggregate.uuid, Aggregate.name)).tuples():
        labels[Aggregate.kind, uuid] = {"aggregate": name}
    for service in (IscsiService, NvmeService):
        served = select(Svm.uuid, Svm.name).join(service, service.svm_uuid == Svm.uuid)
        for uuid, svm in session.execute(served).tuples():
            labels[service.kind, uuid] = {"svm": svm}
    lifs = select(IpInterface.uuid, IpInterface.name, Svm.name)
    for uuid, name, lifs_svm in session.execute(lifs.outerjoin(Svm)).tuples():
        labels[IpInterface.kind, uuid] = {"svm": lifs_svm or "", "interface": name}
    return labels


def _operations(total: Total) -> tuple[float, float]:
    return total.done.counters.reads, total.done.counters.writes


def _bytes(total: Total) -> tuple[float, float]:
    return total.done.counters.read_bytes, total.done.counters.written_bytes


def _seconds(total: Total) -> tuple[float, float]:
    return total.done.counters.read_us / 1e6, total.done.counters.write_us / 1e6


def _family(name: str, text: str, mine: list[tuple[Labels, Total]], get: Any) -> Iterator[str]:
    yield _head(name, text, "counter")
    for labels, total in mine:
        for direction, value in zip(("read", "write"), get(total), strict=True):
            yield _line(name, {**labels, "direction": direction}, value)


def _histogram(name: str, mine: list[tuple[Labels, Total]]) -> Iterator[str]:
    yield _head(name, "Latency of operations, as the kernel saw it.", "histogram")
    for labels, total in mine:
        counted = total.done.histogram or (0,) * (len(BUCKETS_US) + 1)
        sums = [sum(counted[: n + 1]) for n in range(len(counted))]
        for bound, count in zip(BUCKETS_US, sums, strict=False):
            yield _line(f"{name}_bucket", {**labels, "le": repr(bound / 1e6)}, count)
        yield _line(f"{name}_bucket", {**labels, "le": "+Inf"}, sums[-1])
        yield _line(f"{name}_sum", labels, sum(_seconds(total)))
        yield _line(f"{name}_count", labels, sums[-1])


def _processors(session: Session, totals: dict[Key, Total]) -> Iterator[str]:
    name, node = "sanstone_node_processor_seconds_total", the_node(session)
    yield _head(name, "Time of processors, by what they did.", "counter")
    total = totals.get((Node.kind, node.key))
    if total:
        counted = total.done.counters
        for state, time in (("busy", counted.busy), ("idle", counted.passed - counted.busy)):
            yield _line(name, {"node": node.name, "state": state}, time / 100)


def _capacity(session: Session, labels: dict[Key, Labels]) -> Iterator[str]:
    seen = load(session, Aggregate.kind)
    for figure in ("size", "used"):
        name = f"sanstone_aggregate_{figure}_bytes"
        yield _head(name, f"Capacity of aggregates, {figure}.", "gauge")
        for key, row in seen.items():
            if figure in row.data and (Aggregate.kind, key) in labels:
                yield _line(name, labels[Aggregate.kind, key], row.data[figure])


def _conditions(session: Session) -> Iterator[str]:
    name = "sanstone_open_conditions"
    yield _head(name, "Faults that last, by severity.", "gauge")
    counted = select(Event.severity, func.count()).filter_by(open=True).group_by(Event.severity)
    for severity, count in session.execute(counted).tuples():
        yield _line(name, {"severity": severity}, count)


def _head(name: str, text: str, kind: str) -> str:
    return f"# HELP {name} {text}\n# TYPE {name} {kind}\n"


def _line(name: str, labels: Labels, value: float) -> str:
    shown = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
    return f"{name}{{{shown}}} {value!r}\n" if shown else f"{name} {value!r}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def describe() -> dict[str, Any]:
    """Return the operation for the OpenAPI description."""
    return {
        "get": {
            "summary": "Figures for Prometheus",
            "description": __doc__,
            "operationId": "get_metrics",
            "tags": ["metrics"],
            "responses": {
                "200": {
                    "description": "The figures.",
                    "content": {"text/plain": {"schema": {"type": "string"}}},
                }
            },
        }
    }
