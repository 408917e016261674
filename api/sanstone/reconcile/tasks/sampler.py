"""`sanstone-sampler`: counts what hosts do, every 15 seconds, in a process of its own.

Every 5 minutes it also records how much of volumes and aggregates is in use, as the reconciler and
the measurer last observed it (`space_in_use`).

The cost of a sample depends on what hosts did, not on the size of the array. Only of devices that
did I/O since the last sample are the counters read (`kernel.storage.device_activity`), only their
rows are written, and the objects in the database are read again only when a job has changed them.
An idle array costs a read of /proc/diskstats and one transaction.

I/O of a LUN or namespace also counts for its volume, its aggregate and the array, and for the iSCSI
or NVMe service of its SVM. Their totals grow by it and do not shrink when it is deleted. Ports, the
addresses of LIFs, what hosts do at Fibre Channel interfaces (`fc_traffic`) and the node's
processors are counted separately. What cannot be read is left out until the next sample: no
statistic is worth a fault.
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
from functools import partial

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from sanstone.core import jobs, tasks
from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.core.history import metrics, metrics_file, space_history
from sanstone.core.history.metrics import BUCKETS_US, CLUSTER, Counters, Done
from sanstone.core.history.metrics_file import Key
from sanstone.core.history.space_history import SAMPLED
from sanstone.kernel.host import Files, Host, HostError, RequestError
from sanstone.kernel.network import address_counters
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import dm_stats
from sanstone.kernel.storage.device_activity import DeviceActivity
from sanstone.model.aggregates import Aggregate
from sanstone.model.network import EthernetPort, IpInterface
from sanstone.model.nodes import Node, this_node
from sanstone.model.nvme import Namespace, NvmeService
from sanstone.model.san import FcpService, IscsiService, Lun
from sanstone.model.volumes import Volume
from sanstone.reconcile.tasks import fc_traffic, space_in_use
from sanstone.reconcile.tasks.fc_traffic import FibreChannelTraffic
from sanstone.reconcile.tasks.recorder import Recorder

SERVED_BY = {Lun.kind: IscsiService.kind, Namespace.kind: NvmeService.kind}
PERIOD = tasks.SAMPLES.period
PRUNED_EVERY = 20
NET, STAT = "/sys/class/net", "/proc/stat"
LARGEST_STEP = 2**50
"""Bytes in one period from which on a counter is taken to have been reset."""
log = logging.getLogger("sanstone.sampler")


@dataclass(frozen=True)
class Objects:
    """The objects that are counted, as of a state of the configuration (`_configuration_state`).

    `containers` always have totals, even without any I/O. `exports` are the LUNs and namespaces by
    UUID, each with its own key first and then the keys of the objects that contain it.
    """

    state: tuple[int, int]
    containers: frozenset[Key]
    exports: dict[str, tuple[Key, ...]]

    @property
    def keys(self) -> set[Key]:
        """The keys of all objects."""
        return {CLUSTER} | self.containers | {keys[0] for keys in self.exports.values()}


def begin_to_count(host: Host, uuid: str) -> None:
    """Start counting the I/O of a new device; if that fails, the next sample starts it."""
    try:
        dm_stats.ensure_region(host, uuid, BUCKETS_US)
    except HostError as error:
        log.warning("not counted: %s", error)


def discard(files: Files) -> None:
    """Delete damaged statistics."""
    for file in (metrics_file.path(), metrics_file.journal()):
        if files.exists(str(file)):
            files.unlink(str(file))


class Sampler:
    """Reads the kernel's counters and adds them up."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._activity = DeviceActivity()
        self._fibre_channel = FibreChannelTraffic(host, database)
        self._regions: dict[str, int] = {}
        self._unread: set[str] = set()
        """Devices that could not be read and are read again, whether or not they do I/O."""
        self._last_counters: dict[Key, Counters] = {}
        self._objects = Objects((-1, -1), frozenset(), {})
        self._recorded_keys: set[Key] = set()
        self._count = 0
        self._space_sampled = 0
        """Beginning of the interval of the last sample of space."""
        self._recorder = Recorder(host.files)
        self._errors: list[str] = []
        """Of the sample that is taken."""

    def run(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Take samples until the process ends."""
        due = time.monotonic()
        while True:
            self._recorder.run(tasks.SAMPLES, partial(self.sample, time.time()))
            # Samples that were missed, because the machine was suspended or busy, are skipped.
            now = time.monotonic()
            due = max(due + PERIOD, now)
            sleep(due - now)

    def sample(self, now: float) -> str:
        """Take a sample. Return why some of it is missing, '' if nothing is."""
        self._errors = []
        increments: dict[Key, Done] = defaultdict(Done)
        active = self._activity.since_last(self._host) | self._unread
        self._unread = set()
        keys = self._read_keys()
        for uuid in active & self._objects.exports.keys():
            if statistics := self._device(uuid):
                for key in self._objects.exports[uuid]:
                    increments[key] = increments[key] + statistics
        for key, increment in self._increments():
            keys.add(key)
            increments[key] = increment
        for key, growth in self._at_interfaces(active):
            increments[key] = increments[key] + Done(growth)
        self._record(now, increments, keys)
        return "; ".join(self._errors)

    def _report(self, text: str) -> None:
        log.warning("%s", text)
        self._errors.append(text)

    def _record(self, now: float, increments: dict[Key, Done], keys: set[Key]) -> None:
        """Add the operations to the totals; `keys` are those that have totals."""
        self._count += 1
        try:
            self._ensure_readable()
            metrics.record(now, increments, None if keys == self._recorded_keys else keys)
            self._recorded_keys = keys
            self._record_space(now)
            if self._count % PRUNED_EVERY == 0:
                metrics.prune(now)
        except sqlite3.OperationalError as error:
            # The disk is full, or the database stayed locked: this sample is lost.
            self._report(f"not counted: {error}")
        except sqlite3.DatabaseError as error:
            self._report(f"figures start anew, since the file is damaged: {error}")
            discard(self._host.files)
            self._recorded_keys = set()
        except HostError as error:
            self._report(f"not counted: {error}")

    def _record_space(self, now: float) -> None:
        """Add a sample of the space of volumes and aggregates, once in each interval of those."""
        interval = SAMPLED[0].begin(now)
        if interval != self._space_sampled:
            with reading(self._database) as session:
                spaces = space_in_use.of_all(session)
            space_history.record(now, spaces)
            self._space_sampled = interval

    def _ensure_readable(self) -> None:
        """Create the file such that the group of its directory, which is the API's, can read it."""
        file = metrics_file.path()
        if not self._host.files.exists(str(file)):
            self._host.files.store(str(file), b"", 0o640, file.parent.stat().st_gid)

    def _read_keys(self) -> set[Key]:
        """Return the keys of all objects that have totals.

        Read the objects from the database again if a job has changed them.
        """
        with reading(self._database) as session:
            state = _configuration_state(session)
            if state != self._objects.state or self._count % PRUNED_EVERY == 0:
                self._objects = Objects(state, _containers(session), _exports(session))
                for removed in self._regions.keys() - self._objects.exports.keys():
                    del self._regions[removed]
        return self._objects.keys

    def _device(self, uuid: str) -> Done | None:
        """Return the counters of hosts' I/O to a device, None if they cannot be read now."""
        try:
            if uuid not in self._regions:
                self._regions[uuid] = dm_stats.ensure_region(self._host, uuid, BUCKETS_US)
            statistics = dm_stats.take(self._host, uuid, self._regions[uuid])
        except HostError as error:
            self._regions.pop(uuid, None)
            if isinstance(error, RequestError) and error.errno == errno.ENXIO:
                # The device was removed just now. A new one in its place counts as active.
                return None
            self._unread.add(uuid)
            self._report(f"not counted: {error}")
            return None
        counters = Counters(
            reads=statistics.reads,
            writes=statistics.writes,
            read_bytes=statistics.read_bytes,
            written_bytes=statistics.written_bytes,
            read_us=statistics.read_ns // 1000,
            write_us=statistics.write_ns // 1000,
        )
        return Done(counters, statistics.histogram)

    def _at_interfaces(self, active: set[str]) -> Iterator[tuple[Key, Counters]]:
        """Yield hosts' I/O to the active LUNs at Fibre Channel interfaces."""
        try:
            yield from self._fibre_channel.of_interfaces(
                active & self._objects.exports.keys()
            ).items()
        except HostError as error:
            self._report(f"not counted: {error}")

    def _increments(self) -> Iterator[tuple[Key, Done]]:
        """Yield by how much the cumulative counters have grown since the last sample."""
        sources = (
            *(self._port_counters(), self._fibre_channel.of_ports()),
            *(self._address_counters(), self._processor_counters()),
        )
        for source in sources:
            try:
                for key, now in source:
                    growth = now.since(self._last_counters.get(key, now))
                    self._last_counters[key] = now
                    yield key, Done(growth if max(astuple(growth)) < LARGEST_STEP else Counters())
            except HostError as error:
                self._report(f"not counted: {error}")

    def _port_counters(self) -> Iterator[tuple[Key, Counters]]:
        """Yield the counters of each port; packets count as operations."""
        for link in self._host.network.links():
            try:
                yield (EthernetPort.kind, link.name), self._port(link.name)
            except HostError as error:
                self._report(f"not counted: {error}")

    def _port(self, name: str) -> Counters:
        """Return the counters of a port."""
        return Counters(
            reads=self._port_counter(name, "rx_packets"),
            writes=self._port_counter(name, "tx_packets"),
            read_bytes=self._port_counter(name, "rx_bytes"),
            written_bytes=self._port_counter(name, "tx_bytes"),
        )

    def _port_counter(self, name: str, counter: str) -> int:
        """Return one counter of a port, 0 if it is absent."""
        file = f"{NET}/{name}/statistics/{counter}"
        return int(self._host.files.read(file)) if self._host.files.exists(file) else 0

    def _address_counters(self) -> Iterator[tuple[Key, Counters]]:
        """Yield the counters of each LIF's address; packets count as operations."""
        with reading(self._database) as session:
            rows = session.execute(select(IpInterface.address, IpInterface.uuid)).tuples()
            lifs = dict(rows.all())
        for address, traffic in address_counters.count(self._host, lifs.keys()).items():
            counters = Counters(
                reads=traffic.received,
                writes=traffic.sent,
                read_bytes=traffic.received_bytes,
                written_bytes=traffic.sent_bytes,
            )
            yield (IpInterface.kind, lifs[address]), counters

    def _processor_counters(self) -> Iterator[tuple[Key, Counters]]:
        """Yield the busy time of the node's processors.

        The line `cpu` (Documentation/filesystems/proc.rst, 1.7) has hundredths of a second in user,
        nice, system, idle, iowait, irq, softirq and steal; guests, which follow, are included in
        user.
        """
        with reading(self._database) as session:
            key = Node.kind, this_node(session).key
        times = [int(word) for word in self._host.files.read(STAT).split()[1:9]]
        yield key, Counters(busy=sum(times) - times[3] - times[4], passed=sum(times))


def _configuration_state(session: Session) -> tuple[int, int]:
    """Return a value that differs whenever objects were added, changed or reverted: all by jobs."""
    newest = session.scalar(select(func.max(jobs.Job.id))) or 0
    waiting = jobs.Job.state.in_((jobs.QUEUED, jobs.RUNNING, jobs.PAUSED))
    return newest, session.scalar(select(func.count()).where(waiting)) or 0


def _containers(session: Session) -> frozenset[Key]:
    """Return the keys of the objects that always have totals."""
    columns = {
        Volume.kind: Volume.uuid,
        Aggregate.kind: Aggregate.uuid,
        IscsiService.kind: IscsiService.svm_uuid,
        NvmeService.kind: NvmeService.svm_uuid,
        FcpService.kind: FcpService.svm_uuid,
        IpInterface.kind: IpInterface.uuid,
        Node.kind: Node.uuid,
    }
    keys = (
        (kind, uuid) for kind, column in columns.items() for uuid in session.scalars(select(column))
    )
    return frozenset((*keys, *fc_traffic.keys(session)))


def _exports(session: Session) -> dict[str, tuple[Key, ...]]:
    """Return by UUID of each LUN and namespace its key and those of the objects that contain it."""
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
    """Count until a signal stops the process."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    Sampler(real_host(), store.distrusted(store.engine(store.path()))).run()
