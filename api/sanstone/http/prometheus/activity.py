"""Hosts' I/O in `/metrics`: the totals of `core.history.metrics`, which only grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core.history import metrics
from sanstone.core.history.metrics import BUCKETS_US, CLUSTER, Total
from sanstone.core.history.metrics_file import Key
from sanstone.http.prometheus.text import COUNTER, HISTOGRAM, head, labelled, line
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.model.nodes import Node, this_node
from sanstone.model.nvme import Namespace, NvmeService
from sanstone.model.san import IscsiService, Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume

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
DIRECTIONS = ("read", "write")
_BOUNDS = (*(repr(bound / 1e6) for bound in BUCKETS_US), "+Inf")
Counted = Sequence[tuple[str, Total]]
"""Totals with the labels of their objects."""


def text(session: Session) -> Iterator[str]:
    """Yield the lines."""
    totals = metrics.totals()
    labels = _labels(session)
    labels |= {key: labelled(port=key[1]) for key in totals if key[0] == EthernetPort.kind}
    counted: dict[str, list[tuple[str, Total]]] = {kind: [] for kind in (*KINDS, *NETWORK)}
    for key, shown in labels.items():
        if key in totals:
            counted[key[0]].append((shown, totals[key]))
    for kind, name in KINDS.items():
        prefix, mine = f"sanstone_{name}", counted[kind]
        yield from _family(f"{prefix}_operations_total", "Operations.", mine, _operations)
        yield from _family(f"{prefix}_bytes_total", "Bytes moved.", mine, _bytes)
        yield from _family(f"{prefix}_seconds_total", "Time of operations.", mine, _seconds)
        if kind in (Lun.kind, Namespace.kind):
            yield from _histogram(f"{prefix}_latency_seconds", mine)
    for kind, name in NETWORK.items():
        mine = counted[kind]
        yield from _family(f"sanstone_{name}_packets_total", "Packets.", mine, _operations)
        yield from _family(f"sanstone_{name}_bytes_total", "Bytes.", mine, _bytes)
    yield from _processors(session, totals)


def _labels(session: Session) -> dict[Key, str]:
    """Return the labels of everything that has totals."""
    labels: dict[Key, str] = {CLUSTER: ""}
    for kind in (Lun, Namespace):
        named = select(kind.uuid, kind.name, Volume.name, Svm.name)
        joined = named.join(Volume, Volume.uuid == kind.volume_uuid)
        rows = session.execute(joined.join(Svm, Svm.uuid == Volume.svm_uuid)).tuples()
        for uuid, name, volume, svm in rows:
            own = {KINDS[kind.kind]: name}
            labels[kind.kind, uuid] = labelled(svm=svm, volume=volume, **own)
    volumes = select(Volume.uuid, Volume.name, Svm.name).join(Svm, Svm.uuid == Volume.svm_uuid)
    for uuid, name, svm in session.execute(volumes).tuples():
        labels[Volume.kind, uuid] = labelled(svm=svm, volume=name)
    for uuid, name in session.execute(select(Aggregate.uuid, Aggregate.name)).tuples():
        labels[Aggregate.kind, uuid] = labelled(aggregate=name)
    for service in (IscsiService, NvmeService):
        served = select(Svm.uuid, Svm.name).join(service, service.svm_uuid == Svm.uuid)
        for uuid, svm in session.execute(served).tuples():
            labels[service.kind, uuid] = labelled(svm=svm)
    lifs = select(IpInterface.uuid, IpInterface.name, Svm.name)
    for uuid, name, lifs_svm in session.execute(lifs.outerjoin(Svm)).tuples():
        labels[IpInterface.kind, uuid] = labelled(svm=lifs_svm or "", interface=name)
    return labels


def _operations(total: Total) -> tuple[float, float]:
    return total.done.counters.reads, total.done.counters.writes


def _bytes(total: Total) -> tuple[float, float]:
    return total.done.counters.read_bytes, total.done.counters.written_bytes


def _seconds(total: Total) -> tuple[float, float]:
    return total.done.counters.read_us / 1e6, total.done.counters.write_us / 1e6


def _family(
    name: str, text: str, mine: Counted, get: Callable[[Total], tuple[float, float]]
) -> Iterator[str]:
    yield head(name, text, COUNTER)
    for labels, total in mine:
        for direction, value in zip(DIRECTIONS, get(total), strict=True):
            yield line(name, f'{labels}{"," * bool(labels)}direction="{direction}"', value)


def _histogram(name: str, mine: Counted) -> Iterator[str]:
    yield head(name, "Latency of operations, as the kernel saw it.", HISTOGRAM)
    for labels, total in mine:
        done = 0
        # Buckets above the slowest operation are not stored.
        for bound, count in zip_longest(_BOUNDS, total.done.histogram, fillvalue=0):
            done += count
            yield line(f"{name}_bucket", f'{labels},le="{bound}"', done)
        yield line(f"{name}_sum", labels, sum(_seconds(total)))
        yield line(f"{name}_count", labels, done)


def _processors(session: Session, totals: dict[Key, Total]) -> Iterator[str]:
    name, node = "sanstone_node_processor_seconds_total", this_node(session)
    yield head(name, "Time of processors, by what they did.", COUNTER)
    total = totals.get((Node.kind, node.key))
    if total:
        counted = total.done.counters
        for state, time in (("busy", counted.busy), ("idle", counted.passed - counted.busy)):
            yield line(name, labelled(node=node.name, state=state), time / 100)
