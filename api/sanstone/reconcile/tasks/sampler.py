"""Counting what hosts do: every 15 seconds, beside the passes.

What was done with a LUN or namespace is done with its volume, its aggregate and the array too, by
its SVM's iSCSI or NVMe service; their totals grow by it and do not shrink when it is deleted.
Ethernet ports, the addresses of LIFs and the node's processors count by themselves; Fibre Channel,
through which nothing is served, stays at zero. What cannot be read is
left out until the next time: no figure is worth a fault.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple

from sqlalchemy import Engine, select

from sanstone.core import metrics
from sanstone.core.metrics import BUCKETS_US, CLUSTER, Counters, Done, Key
from sanstone.core.observed import load
from sanstone.core.store import reading
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.network import address_counters
from sanstone.kernel.storage import dm, dm_stats
from sanstone.model.aggregates import Aggregate
from sanstone.model.cluster import Cluster
from sanstone.model.network import IpInterface
from sanstone.model.nvme import Namespace, NvmeService
from sanstone.model.san import FcpService, IscsiService, Lun
from sanstone.model.volumes import Volume
from sanstone.resources.cluster.node import Node, the_node
from sanstone.resources.network import fc_port

SERVED_BY = {Lun.kind: IscsiService.kind, Namespace.kind: NvmeService.kind}
PERIOD = 15.0
PRUNED_EVERY = 20
PORTS = "network/ethernet/ports"
NET, STAT = "/sys/class/net", "/proc/stat"
LARGEST_STEP = 2**50
"""Bytes beyond which what was done within one period is taken for a counter that began anew."""
log = logging.getLogger("sanstone.reconciler")


def begin_to_count(host: Host, uuid: str) -> None:
    """Count what hosts do with a new device from now on; if that fails, from the next sample on."""
    try:
        dm_stats.ensure_region(host, uuid, BUCKETS_US)
    except HostError as error:
        log.warning("not counted: %s", error)


class Sampler:
    """Reads the kernel's counters and adds them up."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._regions: dict[str, int] = {}
        self._before: dict[Key, Counters] = {}
        self._next = 0.0
        self._count = 0

    def run(self) -> None:
        """Take a sample when one is due."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PERIOD
            self.sample(time.time())

    def sample(self, now: float) -> None:
        """Take a sample."""
        done: dict[Key, Done] = defaultdict(Done)
        kept = self._containers() | {CLUSTER}
        live = dm.devices(self._host)
        for kind, uuid, volume, aggregate, svm in self._exports():
            above = [(Volume.kind, volume), (Aggregate.kind, aggregate), CLUSTER]
            above.append((SERVED_BY[kind], svm))
            kept.add((kind, uuid))
            taken = self._device(uuid) if uuid in live else None
            if taken:
                for key in ((kind, uuid), *above):
                    done[key] = done[key] + taken
        for gone in self._regions.keys() - live:
            del self._regions[gone]
        for key, each in self._grown():
            kept.add(key)
            done[key] = each
        self._count += 1
        try:
            metrics.record(now, done, kept)
            if self._count % PRUNED_EVERY == 0:
                metrics.prune(now)
        except sqlite3.OperationalError as error:
            # No room, or no turn: what was counted is lost, and the next time may go better.
            log.warning("not counted: %s", error)
        except sqlite3.DatabaseError as error:
            log.warning("figures are begun anew, since they are damaged: %s", error)
            metrics.discard()

    def _containers(self) -> set[Key]:
        """Return the keys of what has totals whether or not anything is done with it now."""
        columns = {
            Volume.kind: Volume.uuid,
            Aggregate.kind: Aggregate.uuid,
            IscsiService.kind: IscsiService.svm_uuid,
            NvmeService.kind: NvmeService.svm_uuid,
            FcpService.kind: FcpService.svm_uuid,
            IpInterface.kind: IpInterface.uuid,
            Node.kind: Cluster.node_uuid,
        }
        with reading(self._database) as session:
            fibre_channel = {(fc_port.KIND, wwpn) for wwpn in load(session, fc_port.KIND)}
            return fibre_channel | {
                (kind, uuid)
                for kind, column in columns.items()
                for uuid in session.scalars(select(column))
            }

    def _exports(self) -> list[tuple[str, str, str, str, str]]:
        """Return kind, UUID, volume, aggregate and SVM of every LUN and namespace."""
        found: list[tuple[str, str, str, str, str]] = []
        with reading(self._database) as session:
            for kind in (Lun, Namespace):
                query = select(kind.uuid, Volume.uuid, Volume.aggregate_uuid, Volume.svm_uuid)
                rows = session.execute(query.join(Volume, Volume.uuid == kind.volume_uuid))
                found += [(kind.kind, *row) for row in rows.tuples()]
        return found

    def _device(self, uuid: str) -> Done | None:
        try:
            if uuid not in self._regions:
                self._regions[uuid] = dm_stats.ensure_region(self._host, uuid, BUCKETS_US)
            taken = dm_stats.take(self._host, uuid, self._regions[uuid])
        except HostError as error:
            self._regions.pop(uuid, None)
            log.warning("not counted: %s", error)
            return None
        counters = Counters(
            reads=taken.reads,
            writes=taken.writes,
            read_bytes=taken.read_bytes,
            written_bytes=taken.written_bytes,
            read_us=taken.read_ns // 1000,
            write_us=taken.write_ns // 1000,
        )
        return Done(counters, taken.histogram)

    def _grown(self) -> Iterator[tuple[Key, Done]]:
        """Return by how much the counters that only grow have grown since the last time."""
        sources = (self._port_counters(), self._address_counters(), self._processor_counters())
        for source in sources:
            try:
                for key, now in source:
                    done = now.since(self._before.get(key, now))
                    self._before[key] = now
                    yield key, Done(done if max(astuple(done)) < LARGEST_STEP else Counters())
            except HostError as error:
                log.warning("not counted: %s", error)

    def _port_counters(self) -> Iterator[tuple[Key, Counters]]:
        """Return what came and went through each port; packets count as operations."""
        for link in self._host.network.links():
            try:
                yield (PORTS, link.name), self._port(link.name)
            except HostError as error:
                log.warning("not counted: %s", error)

    def _port(self, name: str) -> Counters:
        return Counters(
            reads=self._port_counter(name, "rx_packets"),
            writes=self._port_counter(name, "tx_packets"),
            read_bytes=self._port_counter(name, "rx_bytes"),
            written_bytes=self._port_counter(name, "tx_bytes"),
        )

    def _port_counter(self, name: str, counter: str) -> int:
        file = f"{NET}/{name}/statistics/{counter}"
        return int(self._host.files.read(file)) if self._host.files.exists(file) else 0

    def _address_counters(self) -> Iterator[tuple[Key, Counters]]:
        """Return what came to and went from each LIF; packets count as operations."""
        with reading(self._database) as session:
            rows = session.execute(select(IpInterface.address, IpInterface.uuid)).tuples()
            lifs = dict(rows.all())
        for address, counted in address_counters.count(self._host, lifs.keys()).items():
            counters = Counters(
                reads=counted.received,
                writes=counted.sent,
                read_bytes=counted.received_bytes,
                written_bytes=counted.sent_bytes,
            )
            yield (IpInterface.kind, lifs[address]), counters

    def _processor_counters(self) -> Iterator[tuple[Key, Counters]]:
        """Return how long the node's processors worked.

        The line `cpu` (Documentation/filesystems/proc.rst, 1.7) has hundredths of a second in user,
        nice, system, idle, iowait, irq, softirq and steal; guests, which follow, are in user.
        """
        with reading(self._database) as session:
            key = Node.kind, the_node(session).key
        times = [int(word) for word in self._host.files.read(STAT).split()[1:9]]
        yield key, Counters(busy=sum(times) - times[3] - times[4], passed=sum(times))
