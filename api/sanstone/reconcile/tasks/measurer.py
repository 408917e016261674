"""`sanstone-measurer`: how many bytes snapshots hold, measured pool by pool.

It is a service of its own, as the sampler is, and no long job: it has no end that anybody waits
for, and what it did not come to it does the next time. No turn of the reconciler takes part in it.
Counting takes from a tenth of a second to minutes, and much memory, so that a program does it that
gives that back (`kernel.snapshot_blocks`). A pool is measured

* as soon as other snapshots, LUNs or namespaces are in its volumes than were counted last,
* a minute after the last time, where the pool's use has changed since,
* an hour after the last time in any case: hosts may discard as much as they write,

but never before ten times what the last time took is over. What is found is kept with the time from
which it is. A volume on which the time ran out waits until all others had their turn.
"""

from __future__ import annotations

import json
import logging
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session, selectinload

from sanstone.core import observed, store
from sanstone.core.jobs import Job
from sanstone.core.store import reading, writing
from sanstone.kernel import names
from sanstone.kernel.host import CommandError, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import dm, held_metadata
from sanstone.kernel.storage.snapshot_blocks import PROGRAM
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.volumes import Snapshot, Volume
from sanstone.reconcile.identity import own_node
from sanstone.resources.storage.snapshot_space import KIND, TAKEN

LONGEST = 600
"""Seconds that counting may take; as long are a pool's metadata held."""
PAUSE = 10
"""Times as long as counting took is nothing counted in that pool afterwards."""
CHANGED, UNCHANGED = 60.0, 3600.0
"""Seconds after which a pool is measured again whose use has changed, or has not."""
PERIOD = 5.0
"""Seconds between two looks at what is due."""
log = logging.getLogger("sanstone.measurer")


@dataclass(frozen=True)
class Counted:
    """What is counted of a volume: ids of its own thin devices, and of each taken snapshot's.

    Snapshots come by UUID, the newest first.
    """

    volume: str
    live: tuple[int, ...]
    snapshots: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class _Last:
    """The last time that a pool was measured."""

    ended: float
    took: float
    counted: frozenset[Counted]
    used: int


@dataclass(frozen=True)
class _Count:
    """A count; `moment` is the time from which its figures are."""

    aggregate: str
    counted: Sequence[Counted]
    used: int
    moment: float
    began: float
    sizes: Sequence[Sequence[int]]
    error: HostError | None


class Measurer:
    """Measures one pool after the other."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._last: dict[str, _Last] = {}
        self._tried: dict[str, float] = {}
        """By volume: when it was counted last, or was to be."""
        self._released: set[str] = set()
        """Pools in which nobody before us left anything held."""
        self._wanted: dict[str, list[Counted]] = {}
        self._looked: tuple[int, float] = (-1, 0.0)
        """Of which job, and when, what is wanted was read last."""

    @cached_property
    def _node_uuid(self) -> str:
        return own_node(self._database)

    def run(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Measure what is due, for ever."""
        while True:
            self.measure()
            sleep(PERIOD)

    def measure(self) -> None:
        """Measure each active pool that is due."""
        with reading(self._database) as session:
            pools = session.scalars(select(Aggregate.uuid)).all()
        active = {each for each in pools if self._is_active(each)}
        self._released &= active
        self._released |= {each for each in active - self._released if _release(self._host, each)}
        self._look()
        due = active & self._wanted.keys()
        for aggregate in sorted(due, key=lambda each: (self._ended(each), each)):
            try:
                self._measure(aggregate)
            except HostError as error:
                log.warning("snapshots are not measured: %s", error)

    def _is_active(self, aggregate: str) -> bool:
        try:
            return dm.pool_status(self._host, names.pool_device(aggregate)) is not None
        except HostError:
            return False  # It is being made.

    def _look(self) -> None:
        """Read what is wanted, unless nobody has changed it since the last time."""
        now = time.monotonic()
        with reading(self._database) as session:
            newest = session.scalar(select(func.max(Job.id))) or 0
            if self._looked[0] == newest and now < self._looked[1] + CHANGED:
                return
            self._looked = newest, now
            self._wanted = _wanted(session)
            known = observed.load(session, KIND, node_uuid=self._node_uuid)
        if known.keys() - self._volumes():
            self._record({})

    def _measure(self, aggregate: str) -> None:
        """Measure a pool if it is due. Raises HostError."""
        pool = names.pool_device(aggregate)
        status = dm.pool_status(self._host, pool)
        if status is None or not self._due(aggregate, status.used):
            return
        in_turn = sorted(self._wanted[aggregate], key=lambda each: self._tried.get(each.volume, 0))
        moment, began = time.time(), time.monotonic()
        sizes: list[list[int]] = []
        error: HostError | None = None
        root = held_metadata.hold(self._host, pool)
        if root is None:
            return
        try:
            question = _question(aggregate, root, in_turn)
            sizes = json.loads(self._host.commands.run([PROGRAM], stdin=question))
        except CommandError as refusal:
            error = refusal
        finally:
            if not _release(self._host, aggregate):
                self._released.discard(aggregate)
        self._take_in(_Count(aggregate, in_turn, status.used, moment, began, sizes, error))

    def _ended(self, aggregate: str) -> float:
        last = self._last.get(aggregate)
        return last.ended if last else 0.0

    def _due(self, aggregate: str, used: int) -> bool:
        last = self._last.get(aggregate)
        if last is None:
            return True
        over = time.monotonic() - last.ended
        if over < PAUSE * last.took:
            return False
        if frozenset(self._wanted[aggregate]) != last.counted:
            return True
        return over >= (UNCHANGED if used == last.used else CHANGED)

    def _take_in(self, count: _Count) -> None:
        """Keep what a count found, and remember what it took."""
        if count.error:
            log.warning("snapshots are not measured: %s", count.error)
        now, sizes = time.monotonic(), count.sizes
        # The one after those that were counted is the one on which the time ran out.
        self._tried |= {each.volume: now for each in count.counted[: len(sizes) + 1]}
        counted = count.counted if count.error else count.counted[: len(sizes)]
        self._last[count.aggregate] = _Last(now, now - count.began, frozenset(counted), count.used)
        self._record(
            {
                each.volume: {
                    "measured": count.moment,
                    "sizes": [
                        [uuid, size] for (uuid, _), size in zip(each.snapshots, found, strict=True)
                    ],
                }
                for each, found in zip(count.counted, sizes, strict=False)
            }
        )

    def _record(self, found: dict[str, dict[str, Any]]) -> None:
        """Keep what was found, and what was known before of other volumes that have snapshots."""
        volumes = self._volumes()
        self._tried = {uuid: at for uuid, at in self._tried.items() if uuid in volumes}
        with writing(self._database) as session:
            rows = observed.load(session, KIND, node_uuid=self._node_uuid)
            known = {key: row.data for key, row in rows.items()}
            kept = {key: data for key, data in (known | found).items() if key in volumes}
            observed.record(session, self._node_uuid, {KIND: kept})

    def _volumes(self) -> set[str]:
        return {each.volume for counted in self._wanted.values() for each in counted}


def _question(aggregate: str, root: int, volumes: Sequence[Counted]) -> str:
    """Return what the program that counts is asked."""
    question = {
        "path": f"/dev/mapper/{names.metadata_device(aggregate)}",
        "root": root,
        "seconds": LONGEST,
        "volumes": [
            {"live": each.live, "snapshots": [ids for _, ids in each.snapshots]} for each in volumes
        ],
    }
    return json.dumps(question)


def _release(host: Host, aggregate: str) -> bool:
    """Return whether a pool holds nothing any more."""
    try:
        return held_metadata.release(host, names.pool_device(aggregate))
    except HostError as error:
        log.warning("a pool's metadata stay held: %s", error)
        return False


def _wanted(session: Session) -> dict[str, list[Counted]]:
    """Return by aggregate the volumes that have snapshots."""
    taken = observed.load(session, TAKEN)
    made: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    query = select(Snapshot).options(selectinload(Snapshot.members))
    for row in session.scalars(query.order_by(Snapshot.create_time.desc(), Snapshot.uuid.desc())):
        if row.uuid in taken:
            ids = tuple(member.thin_id for member in row.members)
            made.setdefault(row.volume_uuid, []).append((row.uuid, ids))
    live: dict[str, list[int]] = {volume: [] for volume in made}
    for kind in (Lun, Namespace):
        rows = select(kind.volume_uuid, kind.thin_id).where(kind.volume_uuid.in_(live))
        for volume, thin_id in session.execute(rows.order_by(kind.thin_id)):
            live[volume].append(thin_id)
    found: dict[str, list[Counted]] = {}
    for volume, aggregate in session.execute(select(Volume.uuid, Volume.aggregate_uuid)):
        if volume in made:
            counted = Counted(volume, tuple(live[volume]), tuple(made[volume]))
            found.setdefault(aggregate, []).append(counted)
    return found


def main() -> None:
    """Measure until told to stop; what is held is released then."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit())
    Measurer(real_host(), store.distrusted(store.engine(store.path()))).run()
