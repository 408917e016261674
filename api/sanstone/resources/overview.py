"""`cluster/overview`: the state of the array at a glance, in one request.

Where there may be many objects of a kind, SQLite counts them by state: the number of statements and
of rows does not depend on theirs. The rows of other kinds are few, and are read.

An account sees the objects that its role lets it list; an account of an SVM, and a request with a
header that names one, that SVM's objects alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, String, and_, case, func, literal_column, select
from sqlalchemy.orm import Session, aliased

from sanstone import __version__
from sanstone.core import jobs
from sanstone.core.declaration.resource import Field, Getter, Items, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, Integer, Size, Text, Timestamp, Uuid
from sanstone.core.events import ALERT, EMERGENCY, Event
from sanstone.core.history import metrics
from sanstone.core.history.metrics import CLUSTER, Counters
from sanstone.core.history.metrics_file import RINGS
from sanstone.core.jobs import Job
from sanstone.core.observed import Observed, shown
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.cluster import Cluster
from sanstone.model.network import FCP, FcInterface, IpInterface
from sanstone.model.nodes import Node, this_node
from sanstone.model.nvme import Namespace, Subsystem
from sanstone.model.observations import FC_LOGINS, ISCSI_SESSIONS, NVME_CONTROLLERS, SRP_SESSIONS
from sanstone.model.san import Igroup, Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import ThinDevice, Volume
from sanstone.rules.cluster.event_record import SEVERITIES
from sanstone.rules.storage import aggregates
from sanstone.rules.storage.aggregates import STATES
from sanstone.rules.storage.disks import condition
from sanstone.security import accounts, confinement, roles

OK, DEGRADED, FAILED = "ok", "degraded", "failed"
SHOWN = 6
"""How many alerts and faults it shows, beside their number."""
BAD = frozenset({"offline", "down", "broken", "removed", "unknown", "restricted", DEGRADED})
"""States that are not as they should be, of whatever kind."""
_SAMPLED = RINGS[0]


@dataclass(frozen=True, order=True)
class StateCount:
    """How many objects of a kind are in a state."""

    kind: str
    state: str
    count: int


@dataclass(frozen=True)
class AggregateFigures:
    """An aggregate: its state, its capacity in bytes, and the disks that its RAID groups lack."""

    uuid: str
    name: str
    state: str
    size: int
    used: int
    missing_disks: int


class _Overview:
    """The overview for the sender of a request; each part is computed when it is read."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._session = reader, reader.session
        self._svm = confinement.confined(self._session)
        self._actor = accounts.actor(self._session)

    def may_list(self, kind: str, *, of_svm: bool = False) -> bool:
        """Return whether the sender may list a kind; `of_svm` is whether SVMs own its objects."""
        if self._svm and not of_svm:
            return False
        return self._actor is None or "GET" in roles.allowed(
            self._actor.privileges, f"{roles.ROOT}/{kind}"
        )

    @cached_property
    def node(self) -> Node:
        """The node."""
        return this_node(self._session)

    @cached_property
    def objects(self) -> list[StateCount]:
        """The objects of each kind by state."""
        counts: list[StateCount] = []
        for model, states in _STATES.items():
            if self.may_list(model.kind, of_svm=True):
                counts += _counted(self._session, model, states(model), self._svm)
        if self.may_list(Aggregate.kind):
            counts += _tallied(Aggregate.kind, [each.state for each in self.aggregates or ()])
        if self.may_list(Disk.kind):
            disks = self._session.scalars(select(Disk)).all()
            self._reader.expect(disks)
            counts += _tallied(Disk.kind, [condition(row, self._reader) for row in disks])
        return sorted(counts)

    @cached_property
    def aggregates(self) -> list[AggregateFigures] | None:
        """The aggregates, the fullest first; None for who may not list them."""
        if not self.may_list(Aggregate.kind):
            return None
        rows = self._session.scalars(select(Aggregate)).all()
        figures = [_figures(row, self._reader) for row in rows]
        return sorted(figures, key=lambda each: -(each.used / each.size if each.size else 0))

    @cached_property
    def alerts(self) -> tuple[int, Sequence[Event]] | None:
        """The number of lasting conditions that nobody acknowledged, and the newest of them."""
        if not self.may_list("support/ems/events"):
            return None
        mine = Event.open.is_(True), Event.acknowledged_by == ""
        number = self._session.scalar(select(func.count()).select_from(Event).where(*mine)) or 0
        newest = select(Event).where(*mine).order_by(Event.index.desc()).limit(SHOWN)
        return number, self._session.scalars(newest).all()

    @cached_property
    def running_jobs(self) -> int | None:
        """The number of jobs that have not ended."""
        if not self.may_list("cluster/jobs", of_svm=True):
            return None
        waiting = select(func.count()).select_from(Job)
        waiting = waiting.where(Job.state.in_((jobs.QUEUED, jobs.RUNNING)))
        if self._svm:
            waiting = waiting.where(Job.about_svm == self._svm)
        return self._session.scalar(waiting) or 0

    @cached_property
    def hosts(self) -> int | None:
        """The number of hosts that are connected now, by the name that each transport knows."""
        parts = [
            self._connected(kind, name)
            for kind, name in (
                (ISCSI_SESSIONS, "initiator"),
                (FC_LOGINS, "wwpn"),
                (SRP_SESSIONS, "initiator"),
                (NVME_CONTROLLERS, "host_nqn"),
            )
            if self.may_list(kind, of_svm=True)
        ]
        return sum(parts) if parts else None

    def _connected(self, kind: str, name: str) -> int:
        """Return how many different names sessions of a kind have."""
        names = select(func.count(func.distinct(func.json_extract(Observed.data, f"$.{name}"))))
        names = names.where(shown(kind))
        if kind == FC_LOGINS:
            # A host of NVMe/FC is counted by its controllers.
            names = names.where(func.json_extract(Observed.data, "$.protocol") == FCP)
        if self._svm and kind == NVME_CONTROLLERS:
            mine = select(Subsystem.uuid).where(Subsystem.svm_uuid == self._svm)
            names = names.where(func.json_extract(Observed.data, "$.subsystem").in_(mine))
        elif self._svm:
            names = names.where(func.json_extract(Observed.data, "$.svm") == self._svm)
        return self._session.scalar(names) or 0

    @cached_property
    def faults(self) -> tuple[int, Sequence[Observed]] | None:
        """The number of objects that are not as desired, and some of them."""
        if not self.may_list("cluster"):
            return None
        failing = (Observed.error != "") & shown()
        number = self._session.scalar(select(func.count()).select_from(Observed).where(failing))
        some = select(Observed).where(failing).order_by(Observed.kind, Observed.key).limit(SHOWN)
        return number or 0, self._session.scalars(some).all()

    @cached_property
    def activity(self) -> Counters | None:
        """Hosts' I/O in the last whole interval."""
        if not self.may_list("cluster/metrics"):
            return None
        begin = (int(time.time()) // _SAMPLED.seconds - 1) * _SAMPLED.seconds
        kind, key = CLUSTER
        return metrics.interval(_SAMPLED, begin, kind, [key]).get(key) or Counters()

    @property
    def health(self) -> str:
        """The worst of the states that the sender may see."""
        if any(each.state in ("offline", "unknown") for each in self.aggregates or ()):
            return FAILED
        severities = {event.severity for event in self.alerts[1]} if self.alerts else set()
        if EMERGENCY in severities:
            return FAILED
        bad = any(each.state in BAD for each in self.objects)
        missing = any(each.missing_disks for each in self.aggregates or ())
        return DEGRADED if bad or missing or ALERT in severities else OK


def _of_volume(kind: type[ThinDevice]) -> ColumnElement[str]:
    """Return the state of a LUN or namespace: see `thin_device.state`."""
    pool, own = aliased(Observed), aliased(Observed)
    pooled = select(func.json_extract(pool.data, "$.state", type_=String)).where(
        shown(Aggregate.kind, pool), pool.key == Volume.aggregate_uuid
    )
    well = select(Volume.uuid).where(
        Volume.uuid == kind.volume_uuid,
        Volume.state == "online",
        pooled.scalar_subquery() == "online",
    )
    faulty = select(own.key).where(shown(kind.kind, own), own.key == kind.uuid, own.error != "")
    return case(
        (and_(kind.enabled, well.exists(), ~faulty.exists()), "online"),
        else_="offline",
    )


def _of_interface(model: type[IpInterface] | type[FcInterface]) -> ColumnElement[str]:
    seen = select(func.json_extract(Observed.data, "$.state", type_=String)).where(
        shown(model.kind), Observed.key == model.uuid
    )
    state = func.coalesce(seen.scalar_subquery(), "down")
    return case((model.enabled, state), else_="disabled")


def _stored(model: Any) -> ColumnElement[str]:
    state: ColumnElement[str] = model.state
    return state


def _none(_model: Any) -> ColumnElement[str]:
    return literal_column("''", String)


_STATES: dict[Any, Callable[[Any], ColumnElement[str]]] = {
    Svm: _stored,
    Volume: _stored,
    Lun: _of_volume,
    Namespace: _of_volume,
    IpInterface: _of_interface,
    FcInterface: _of_interface,
    Igroup: _none,
    Subsystem: _none,
}
"""By table: the state of its rows as an expression of SQLite; '' where they have none."""


def _counted(
    session: Session, model: Any, state: ColumnElement[str], svm_uuid: str
) -> Iterator[StateCount]:
    """Yield how many rows of a table are in each state, of an SVM if one is given."""
    query = select(state, func.count()).select_from(model).group_by(state)
    if svm_uuid:
        query = query.where(confinement.svm_column(model) == svm_uuid)
    for name, count in session.execute(query):
        yield StateCount(model.kind, name, count)


def _tallied(kind: str, states: Sequence[str]) -> Iterator[StateCount]:
    for state in sorted(set(states)):
        yield StateCount(kind, state, states.count(state))


def _figures(row: Aggregate, reader: Reader) -> AggregateFigures:
    facts = row.facts(reader)
    return AggregateFigures(
        row.uuid,
        row.name,
        aggregates.state(row, reader),
        facts.get("size", 0),
        facts.get("used", 0),
        sum(group.get("degraded") or 0 for group in facts.get("raid", ())),
    )


def _part(part: int, of: str) -> Getter:
    """Return a getter for one item of a pair, absent where there is no pair."""

    def get(row: _Overview, _reader: Reader) -> Any:
        pair = getattr(row, of)
        return None if pair is None else pair[part]

    return get


def _rate(name: str) -> Getter:
    """Return a getter for a counter per second."""

    def get(row: _Overview, _reader: Reader) -> int | None:
        counters = row.activity
        return None if counters is None else getattr(counters, name) // _SAMPLED.seconds

    return get


class OverviewResource(Resource[_Overview]):
    """The overview."""

    path = "cluster/overview"
    doc = (
        "The state of the array at a glance: objects by state, capacity, alerts, and what hosts "
        "do. It tells what its reader may list; an account of an SVM of that SVM alone."
    )
    model = Cluster
    keys = ()
    order = ()
    shared = True
    single = True
    methods = frozenset({"GET"})
    fields = (
        Field(
            "health",
            Choice(OK, DEGRADED, FAILED),
            "The worst of the states below: failed where data cannot be reached.",
        ),
        Field("version", Text(), "Release.", get=lambda _row, _reader: __version__),
        Field("node.name", Text(64), "The node.", get=lambda row, _: row.node.name),
        Field("node.uuid", Uuid(), "Its identity.", get=lambda row, _: row.node.uuid),
        Items(
            "objects",
            (
                Field("kind", Text(), "Path of the resource."),
                Field(
                    "state",
                    Text(),
                    "State; absent where the kind has none.",
                    get=lambda each, _: each.state or None,
                ),
                Field("count", Integer(), "Objects of the kind in that state."),
                Field(
                    "is_bad",
                    Boolean(),
                    "Whether that state needs somebody to look.",
                    get=lambda each, _: each.state in BAD,
                ),
            ),
            "Objects by kind and state.",
        ),
        Items(
            "aggregates",
            (
                Field("uuid", Uuid(), "Identity."),
                Field("name", Text(255), "Name."),
                Field("state", Choice(*STATES), "State."),
                Field("size", Size(), "Bytes."),
                Field("used", Size(), "Bytes in use."),
                Field("missing_disks", Integer(), "Disks that its RAID groups lack."),
            ),
            "Aggregates, the fullest first.",
        ),
        Field("alerts.count", Integer(), "Open alerts.", get=_part(0, "alerts")),
        Items(
            "alerts.newest",
            (
                Field("index", Integer(), "Number of the event."),
                Field("time", Timestamp(), "When it happened."),
                Field("severity", Choice(*SEVERITIES), "How grave it is."),
                Field("name", Text(), "Name of the kind of event."),
                Field("message", Text(4096), "What happened, in words."),
            ),
            f"The newest of them, {SHOWN} at most.",
            get=_part(1, "alerts"),
        ),
        Field("faults.count", Integer(), "Objects not as desired.", get=_part(0, "faults")),
        Items(
            "faults.some",
            (
                Field("kind", Text(), "Path of the resource."),
                Field("key", Text(), "What follows that in its own path."),
                Field("message", Text(4096), "The problem, in words.", attribute="error"),
            ),
            f"Some of them, {SHOWN} at most.",
            get=_part(1, "faults"),
        ),
        Field("running_jobs", Integer(), "Jobs that have not ended."),
        Field("hosts", Integer(), "Hosts connected now."),
        Field("iops.read", Integer(), "Reads per second.", get=_rate("reads")),
        Field("iops.write", Integer(), "Writes per second.", get=_rate("writes")),
        Field("throughput.read", Integer(), "Bytes read per second.", get=_rate("read_bytes")),
        Field(
            "throughput.write", Integer(), "Bytes written per second.", get=_rate("written_bytes")
        ),
    )

    def rows(self, reader: Reader) -> Sequence[_Overview]:
        """Return the overview."""
        return [_Overview(reader)]
