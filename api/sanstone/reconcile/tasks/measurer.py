"""`sanstone-measurer`: measures how many bytes snapshots hold, pool by pool.

It is a service of its own, like the sampler, and no long job: it has no end that anything waits
for, and whatever it does not complete it does the next time. No turn of the reconciler is involved.
Counting takes from a tenth of a second to minutes, and much memory. So a separate program does it;
its memory is freed when it ends (`kernel.snapshot_blocks`). A pool is measured

* as soon as its volumes contain other snapshots, LUNs or namespaces than at the last count,
* a minute after the last count if the pool's use has changed since,
* an hour after the last count in any case: hosts may discard as much as they write,

but never before ten times the duration of the last count has passed. Results are stored with the
time to which they apply. If a count reaches its time limit at a volume, that volume is counted
again only after all others.
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

from sanstone.core import observed, own_node, tasks
from sanstone.core.database import store
from sanstone.core.database.store import reading, writing
from sanstone.core.jobs import Job
from sanstone.kernel import names
from sanstone.kernel.host import CommandError, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import held_metadata, thin
from sanstone.kernel.storage.snapshot_blocks import PROGRAM
from sanstone.model.aggregates import Aggregate
from sanstone.model.nvme import Namespace
from sanstone.model.observations import SNAPSHOT_SPACE, SNAPSHOTS_TAKEN
from sanstone.model.san import Lun
from sanstone.model.volumes import Snapshot, Volume
from sanstone.reconcile.tasks.recorder import Recorder

LONGEST = 600
"""Maximum duration of a count in seconds. A pool's metadata snapshot is held during a count."""
PAUSE = 10
"""Multiple of a count's duration for which its pool is not counted again."""
CHANGED, UNCHANGED = 60.0, 3600.0
"""Seconds after which a pool is measured again if its use has changed, and if it has not."""
log = logging.getLogger("sanstone.measurer")


@dataclass(frozen=True)
class VolumeContent:
    """The thin ids to count in a volume: of its LUNs and namespaces, and of its snapshots.

    Snapshots are listed by UUID, the newest first.
    """

    volume: str
    live: tuple[int, ...]
    snapshots: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class _LastCount:
    """The last count of a pool."""

    ended: float
    took: float
    contents: frozenset[VolumeContent]
    used: int


@dataclass(frozen=True)
class _Count:
    """A count; `moment` is the time to which its results apply."""

    aggregate: str
    contents: Sequence[VolumeContent]
    used: int
    moment: float
    began: float
    sizes: Sequence[Sequence[int]]
    error: HostError | None


class Measurer:
    """Measures one pool after the other."""

    def __init__(self, host: Host, database: Engine) -> None:
        self._host, self._database = host, database
        self._last_counts: dict[str, _LastCount] = {}
        self._attempted: dict[str, float] = {}
        """By volume: time of its last count or attempt."""
        self._released: set[str] = set()
        """Pools in which no metadata snapshot was left behind."""
        self._contents: dict[str, list[VolumeContent]] = {}
        """By aggregate: the volumes to be counted."""
        self._read_at: tuple[int, float] = (-1, 0.0)
        """Newest job's id, and time, when the volumes to be counted were last read."""
        self._recorder = Recorder(host.files)
        self._errors: list[str] = []
        """Of the run that goes on."""

    @cached_property
    def _node_uuid(self) -> str:
        return own_node.uuid()

    def run(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Measure pools when they are due, until the process ends."""
        while True:
            self._recorder.run(tasks.MEASURES, self.measure)
            sleep(tasks.MEASURES.period)

    def measure(self) -> str:
        """Measure each active pool that is due. Return why some are not, '' if all are."""
        self._errors = []
        with reading(self._database) as session:
            pools = session.scalars(select(Aggregate.uuid)).all()
        active = {pool for pool in pools if self._is_active(pool)}
        self._released &= active
        self._released |= {pool for pool in active - self._released if _release(self._host, pool)}
        self._read_contents()
        candidates = active & self._contents.keys()
        for aggregate in sorted(candidates, key=lambda pool: (self._ended(pool), pool)):
            try:
                self._measure(aggregate)
            except HostError as error:
                self._report(f"snapshots are not measured: {error}")
        return "; ".join(self._errors)

    def _report(self, text: str) -> None:
        log.warning("%s", text)
        self._errors.append(text)

    def _is_active(self, aggregate: str) -> bool:
        """Return whether a pool is active."""
        try:
            return thin.pool_status(self._host, names.pool_device(aggregate)) is not None
        except HostError:
            return False  # The pool is being created.

    def _read_contents(self) -> None:
        """Read the volumes to be counted, unless nothing has changed since the last time."""
        now = time.monotonic()
        with reading(self._database) as session:
            newest = session.scalar(select(func.max(Job.id))) or 0
            if self._read_at[0] == newest and now < self._read_at[1] + CHANGED:
                return
            self._read_at = newest, now
            self._contents = _contents(session)
            recorded = observed.load(session, SNAPSHOT_SPACE, node_uuid=self._node_uuid)
        if recorded.keys() - self._volumes():
            self._record({})

    def _measure(self, aggregate: str) -> None:
        """Measure a pool if it is due. Raises HostError."""
        pool = names.pool_device(aggregate)
        status = thin.pool_status(self._host, pool)
        if status is None or not self._due(aggregate, status.used):
            return
        contents = sorted(
            self._contents[aggregate], key=lambda content: self._attempted.get(content.volume, 0)
        )
        moment, began = time.time(), time.monotonic()
        sizes: list[list[int]] = []
        error: HostError | None = None
        # Whether they are released in the end is checked before the next count.
        self._released.discard(aggregate)
        with held_metadata.held(self._host, pool) as root:
            if root is None:
                return
            try:
                request = _request(aggregate, root, contents)
                sizes = json.loads(self._host.commands.run([PROGRAM], stdin=request))
            except CommandError as command_error:
                error = command_error
            self._finish(_Count(aggregate, contents, status.used, moment, began, sizes, error))

    def _ended(self, aggregate: str) -> float:
        """Return when the last count of a pool ended, 0 for none."""
        last = self._last_counts.get(aggregate)
        return last.ended if last else 0.0

    def _due(self, aggregate: str, used: int) -> bool:
        """Return whether a pool with `used` bytes in use is due."""
        last = self._last_counts.get(aggregate)
        if last is None:
            return True
        elapsed = time.monotonic() - last.ended
        if elapsed < PAUSE * last.took:
            return False
        if frozenset(self._contents[aggregate]) != last.contents:
            return True
        return elapsed >= (UNCHANGED if used == last.used else CHANGED)

    def _finish(self, count: _Count) -> None:
        """Store the results of a count, and remember its duration."""
        if count.error:
            self._report(f"snapshots are not measured: {count.error}")
        now, sizes = time.monotonic(), count.sizes
        # The count reached its time limit at the volume after those that have results.
        self._attempted |= {content.volume: now for content in count.contents[: len(sizes) + 1]}
        contents = count.contents if count.error else count.contents[: len(sizes)]
        self._last_counts[count.aggregate] = _LastCount(
            now, now - count.began, frozenset(contents), count.used
        )
        self._record(
            {
                content.volume: {
                    "measured": count.moment,
                    "sizes": [
                        [uuid, size]
                        for (uuid, _), size in zip(content.snapshots, of_volume, strict=True)
                    ],
                }
                for content, of_volume in zip(count.contents, sizes, strict=False)
            }
        )

    def _record(self, results: dict[str, dict[str, Any]]) -> None:
        """Record results by volume; keep those of other volumes that still have snapshots."""
        volumes = self._volumes()
        self._attempted = {uuid: at for uuid, at in self._attempted.items() if uuid in volumes}
        with writing(self._database) as session:
            rows = observed.load(session, SNAPSHOT_SPACE, node_uuid=self._node_uuid)
            former = {key: row.data for key, row in rows.items()}
            current = {key: data for key, data in (former | results).items() if key in volumes}
            observed.record(session, self._node_uuid, {SNAPSHOT_SPACE: current})

    def _volumes(self) -> set[str]:
        """Return the volumes to be counted."""
        return {content.volume for contents in self._contents.values() for content in contents}


def _request(aggregate: str, root: int, volumes: Sequence[VolumeContent]) -> str:
    """Return the input of the program that counts."""
    request = {
        "path": f"/dev/mapper/{names.metadata_device(aggregate)}",
        "root": root,
        "seconds": LONGEST,
        "volumes": [
            {"live": content.live, "snapshots": [ids for _, ids in content.snapshots]}
            for content in volumes
        ],
    }
    return json.dumps(request)


def _release(host: Host, aggregate: str) -> bool:
    """Release a metadata snapshot that was left behind. Return whether there is none any more."""
    try:
        return held_metadata.release_left_behind(host, names.pool_device(aggregate))
    except HostError as error:
        log.warning("a pool's metadata stay held: %s", error)
        return False


def _contents(session: Session) -> dict[str, list[VolumeContent]]:
    """Return by aggregate the volumes that have snapshots."""
    taken = observed.load(session, SNAPSHOTS_TAKEN)
    snapshots: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    query = select(Snapshot).options(selectinload(Snapshot.members))
    for row in session.scalars(query.order_by(Snapshot.create_time.desc(), Snapshot.uuid.desc())):
        if row.uuid in taken:
            ids = tuple(member.thin_id for member in row.members)
            snapshots.setdefault(row.volume_uuid, []).append((row.uuid, ids))
    live: dict[str, list[int]] = {volume: [] for volume in snapshots}
    for kind in (Lun, Namespace):
        rows = select(kind.volume_uuid, kind.thin_id).where(kind.volume_uuid.in_(live))
        for volume, thin_id in session.execute(rows.order_by(kind.thin_id)):
            live[volume].append(thin_id)
    contents: dict[str, list[VolumeContent]] = {}
    for volume, aggregate in session.execute(select(Volume.uuid, Volume.aggregate_uuid)):
        if volume in snapshots:
            content = VolumeContent(volume, tuple(live[volume]), tuple(snapshots[volume]))
            contents.setdefault(aggregate, []).append(content)
    return contents


def main() -> None:
    """Measure until a signal stops the process; metadata snapshots are released then."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit())
    Measurer(real_host(), store.distrusted(store.engine(store.path()))).run()
