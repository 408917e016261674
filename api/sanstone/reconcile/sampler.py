"""Counting what hosts do: every 15 seconds, beside the passes.

What was done with a LUN or namespace is done with its volume, its aggregate and the array too;
their totals grow by it and do not shrink when it is deleted. Ports count by themselves. A device
that cannot be read is left out until the next time: no figure is worth a fault.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections import defaultdict

from sqlalchemy import Engine, select

from sanstone.core import metrics
from sanstone.core.metrics import BUCKETS_US, CLUSTER, Counters, Done, Key
from sanstone.core.store import reading
from sanstone.kernel import dm, dm_stats
from sanstone.kernel.host import Host, HostError
from sanstone.resources.aggregate import Aggregate
from sanstone.resources.lun import Lun
from sanstone.resources.namespace import Namespace
from sanstone.resources.volume import Volume

PERIOD = 15.0
PRUNED_EVERY = 20
PORTS = "network/ethernet/ports"
NET = "/sys/class/net"
LARGEST_STEP = 2**50
"""Bytes beyond which what a port did within one period is taken for a counter that began anew."""
log = logging.getLogger("sanstone.reconciler")


class Sampler:
    """Reads the kernel's counters and adds them up."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._regions: dict[str, int] = {}
        self._ports: dict[str, tuple[int, int, int, int]] = {}
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
        for kind, uuid, volume, aggregate in self._exports():
            above = ((Volume.kind, volume), (Aggregate.kind, aggregate), CLUSTER)
            kept.add((kind, uuid))
            taken = self._device(uuid) if uuid in live else None
            if taken:
                for key in ((kind, uuid), *above):
                    done[key] = done[key] + taken
        for gone in self._regions.keys() - live:
            del self._regions[gone]
        for name, each in self._ports_done():
            kept.add((PORTS, name))
            done[PORTS, name] = each
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
        """Return the keys of all volumes and aggregates, whatever is in them."""
        with reading(self._database) as session:
            return {
                (model.kind, uuid)
                for model in (Volume, Aggregate)
                for uuid in session.scalars(select(model.uuid))
            }

    def _exports(self) -> list[tuple[str, str, str, str]]:
        """Return kind, UUID, volume and aggregate of every LUN and namespace."""
        found: list[tuple[str, str, str, str]] = []
        with reading(self._database) as session:
            for kind in (Lun, Namespace):
                query = select(kind.uuid, Volume.uuid, Volume.aggregate_uuid)
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

    def _ports_done(self) -> list[tuple[str, Done]]:
        """Return what came and went through each port; packets count as operations."""
        found = []
        for link in self._host.network.links():
            try:
                now = self._port(link.name)
            except HostError as error:
                log.warning("not counted: %s", error)
                continue
            before = self._ports.get(link.name, now)
            self._ports[link.name] = now
            steps = [a - b if a >= b else a for a, b in zip(now, before, strict=True)]
            if max(steps) < LARGEST_STEP:
                reads, writes, read_bytes, written_bytes = steps
                counters = Counters(
                    reads=reads, writes=writes, read_bytes=read_bytes, written_bytes=written_bytes
                )
                found.append((link.name, Done(counters)))
        return found

    def _port(self, name: str) -> tuple[int, int, int, int]:
        """Return packets and bytes, received and sent."""
        values = []
        for counter in ("rx_packets", "tx_packets", "rx_bytes", "tx_bytes"):
            file = f"{NET}/{name}/statistics/{counter}"
            text = self._host.files.read(file) if self._host.files.exists(file) else "0"
            values.append(int(text))
        received, sent, received_bytes, sent_bytes = values
        return received, sent, received_bytes, sent_bytes
