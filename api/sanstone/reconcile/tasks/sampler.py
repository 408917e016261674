"""`sanstone-sampler`: counts what hosts do, every 15 seconds, in a process of its own.

What a sample costs follows what hosts did and not how much there is. Of all devices only those
that did I/O since the sample before are asked for their counters
(`kernel.storage.device_activity`), only their rows are written, and what there is in the database
is read again when a job has changed it. An idle array costs a read of /proc/diskstats and one
transaction.

What was done with a LUN or namespace is done with its volume, its aggregate and the array too, by
its SVM's iSCSI or NVMe service; their totals grow by it and do not shrink when it is deleted.
Ethernet ports, the addresses of LIFs and the node's processors count by themselves; Fibre Channel,
through which nothing is served, stays at zero. What cannot be read is
left out until the next time: no figure is worth a fault.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from sanstone.core import jobs, metrics, store
from sanstone.core.metrics import BUCKETS_US, CLUSTER, Counters, Done, Key
from sanstone.core.observed import load
from sanstone.core.store import reading
from sanstone.kernel.host import Files, Host, HostError, RequestError
from sanstone.kernel.network import address_counters
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import dm_stats
from sanstone.kernel.storage.device_activity import DeviceActivity
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
log = logging.getLogger("sanstone.sampler")


@dataclass(frozen=True)
class Objects:
    """What is counted, as of a state of the configuration (`_configuration_state`).

    `containers` have totals whether or not anything is done with them; `exports` are the LUNs and
    namespaces by UUID, each with its own key first and then those of what it is in.
    """

    state: tuple[int, int]
    containers: frozenset[Key]
    exports: dict[str, tuple[Key, ...]]

    @property
    def keys(self) -> set[Key]:
        """The keys of all of them."""
        return {CLUSTER} | self.containers | {keys[0] for keys in self.exports.values()}


def begin_to_count(host: Host, uuid: str) -> None:
    """Count what hosts do with a new device from now on; if that fails, from the next sample on."""
    try:
        dm_stats.ensure_region(host, uuid, BUCKETS_US)
    except HostError as error:
        log.warning("not counted: %s", error)


def discard(files: Files) -> None:
    """Drop figures that are damaged."""
    for file in (metrics.path(), metrics.journal()):
        if files.exists(str(file)):
            files.unlink(str(file))


class Sampler:
    """Reads the kernel's counters and adds them up."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._activity = DeviceActivity()
        self._regions: dict[str, int] = {}
        self._unread: set[str] = set()
        """Devices that could not be read and are asked again, whether or not they do anything."""
        self._before: dict[Key, Counters] = {}
        self._objects = Objects((-1, -1), frozenset(), {})
        self._kept: set[Key] = set()
        self._count = 0

    def run(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Take samples for ever."""
        due = time.monotonic()
        while True:
            self.sample(time.time())
            # A machine that was asleep or too busy has missed samples, which nobody makes up for.
            due = max(due + PERIOD, time.monotonic())
            sleep(due - time.monotonic())

    def sample(self, now: float) -> None:
        """Take a sample."""
        done: dict[Key, Done] = defaultdict(Done)
        active = self._activity.since_last(self._host) | self._unread
        self._unread = set()
        kept = self._look()
        for uuid in active & self._objects.exports.keys():
            if taken := self._device(uuid):
                for key in self._objects.exports[uuid]:
                    done[key] = done[key] + taken
        for key, each in self._grown():
            kept.add(key)
            done[key] = each
        self._record(now, done, kept)

    def _record(self, now: float, done: dict[Key, Done], kept: set[Key]) -> None:
        self._count += 1
        try:
            self._ensure_readable()
            metrics.record(now, done, None if kept == self._kept else kept)
            self._kept = kept
            if self._count % PRUNED_EVERY == 0:
                metrics.prune(now)
        except sqlite3.OperationalError as error:
            # No room, or no turn: what was counted is lost, and the next time may go better.
            log.warning("not counted: %s", error)
        except sqlite3.DatabaseError as error:
            log.warning("figures are begun anew, since they are damaged: %s", error)
            discard(self._host.files)
            self._kept = set()
        except HostError as error:
            log.warning("not counted: %s", error)

    def _ensure_readable(self) -> None:
        """Have a file that the group of its folder, which is the API's, can read."""
        file = metrics.path()
        if not self._host.files.exists(str(file)):
            self._host.files.store(str(file), b"", 0o640, file.parent.stat().st_gid)

    def _look(self) -> set[Key]:
        """Return the keys of all that has totals; where a job changed what there is, read it."""
        with reading(self._database) as session:
            state = _configuration_state(session)
            if state != self._objects.state or self._count % PRUNED_EVERY == 0:
                self._objects = Objects(state, _containers(session), _exports(session))
                for gone in self._regions.keys() - self._objects.exports.keys():
                    del self._regions[gone]
            # Adapters are observed and come without a job.
            fibre_channel = {(fc_port.KIND, wwpn) for wwpn in load(session, fc_port.KIND)}
        return self._objects.keys | fibre_channel

    def _device(self, uuid: str) -> Done | None:
        """Return what was done with a device, None where that cannot be told now."""
        try:
            if uuid not in self._regions:
                self._regions[uuid] = dm_stats.ensure_region(self._host, uuid, BUCKETS_US)
            taken = dm_stats.take(self._host, uuid, self._regions[uuid])
        except HostError as error:
            self._regions.pop(uuid, None)
            if isinstance(error, RequestError) and error.errno == errno.ENXIO:
                return None  # It went just now; one that comes in its place is told of as new.
            self._unread.add(uuid)
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


def _configuration_state(session: Session) -> tuple[int, int]:
    """Return what differs whenever objects were made, changed or taken back: all by jobs."""
    newest = session.scalar(select(func.max(jobs.Job.id))) or 0
    waiting = jobs.Job.state.in_((jobs.QUEUED, jobs.RUNNING))
    return newest, session.scalar(select(func.count()).where(waiting)) or 0


def _containers(session: Session) -> frozenset[Key]:
    columns = {
        Volume.kind: Volume.uuid,
        Aggregate.kind: Aggregate.uuid,
        IscsiService.kind: IscsiService.svm_uuid,
        NvmeService.kind: NvmeService.svm_uuid,
        FcpService.kind: FcpService.svm_uuid,
        IpInterface.kind: IpInterface.uuid,
        Node.kind: Cluster.node_uuid,
    }
    return frozenset(
        (kind, uuid) for kind, column in columns.items() for uuid in session.scalars(select(column))
    )


def _exports(session: Session) -> dict[str, tuple[Key, ...]]:
    exports: dict[str, tuple[Key, ...]] = {}
    for kind in (Lun, Namespace):
        query = select(kind.uuid, Volume.uuid, Volume.aggregate_uuid, Volume.svm_uuid)
        rows = session.execute(query.join(Volume, Volume.uuid == kind.volume_uuid))
        for uuid, volume, aggregate, svm in rows.tuples():
            own, service = (kind.kind, uuid), (SERVED_BY[kind.kind], svm)
            exports[uuid] = (
                own,
                (Volume.kind, volume),
                (Aggregate.kind, aggregate),
                CLUSTER,
                service,
            )
    return exports


def main() -> None:
    """Count until told to stop."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    Sampler(real_host(), store.distrusted(store.engine(store.path()))).run()
