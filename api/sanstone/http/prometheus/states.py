"""How the array is, as `/metrics` tells it: capacity, disks, paths, conditions, jobs.

What there is thousands of is counted by SQLite, or is one line for an object at most.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone import __version__
from sanstone.core import build
from sanstone.core.declaration.resource import Reader
from sanstone.core.events import Event
from sanstone.core.jobs import FAILURE, Job
from sanstone.core.observed import Observed
from sanstone.http.prometheus.text import GAUGE, head, labelled, line
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.cluster import the_cluster
from sanstone.model.nodes import this_node
from sanstone.model.observations import FC_LOGINS, ISCSI_SESSIONS, NVME_CONTROLLERS, SRP_SESSIONS
from sanstone.model.security import Certificate
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume
from sanstone.rules.san.paths import paths
from sanstone.rules.storage import aggregates, disks, space_forecast, volume_space

SESSIONS = {
    ISCSI_SESSIONS: "iscsi",
    NVME_CONTROLLERS: "nvme",
    FC_LOGINS: "fcp",
    SRP_SESSIONS: "srp",
}
"""Transports by the kind of observation of their logins."""
Sample = tuple[str, float | None]
"""Labels and a value, None where it is not known."""


def text(session: Session) -> Iterator[str]:
    """Yield the lines."""
    reader = Reader(session)
    yield from _array(reader)
    yield from _aggregates(reader)
    yield from _volumes(reader)
    yield from _disks(reader)
    yield from _hosts(reader)
    yield from _conditions(session)
    yield from _jobs(session)
    expiry = select(Certificate.name, Certificate.type, Certificate.expiry_time)
    yield from _gauge(
        "certificate_expiry_timestamp_seconds",
        "When certificates end.",
        (
            (labelled(certificate=name, type=kind), moment)
            for name, kind, moment in session.execute(expiry.order_by(Certificate.name)).tuples()
        ),
    )


def _gauge(name: str, text: str, samples: Iterable[Sample]) -> Iterator[str]:
    """Yield a gauge, without the unknown values."""
    name = f"sanstone_{name}"
    yield head(name, text, GAUGE)
    for labels, value in samples:
        if value is not None:
            yield line(name, labels, value)


def _array(reader: Reader) -> Iterator[str]:
    node = this_node(reader.session)
    array, facts = the_cluster(reader.session), reader.seen(node.kind, node.key)
    info = labelled(
        array=array.name,
        serial_number=array.serial_number,
        release=__version__,
        build=build.running().commit,
        kernel=build.kernel(),
    )
    yield from _gauge("array_info", "The array.", [(info, 1)])
    labels = labelled(node=node.name)
    for name, doc, fact in (
        ("memory_bytes", "Memory of the node.", "memory"),
        ("memory_available_bytes", "Memory that programs could have.", "memory_available"),
        ("uptime_seconds", "Time since the node started.", "uptime"),
    ):
        yield from _gauge(f"node_{name}", doc, [(labels, facts.get(fact))])


def _aggregates(reader: Reader) -> Iterator[str]:
    rows = reader.session.scalars(select(Aggregate).order_by(Aggregate.name)).all()
    reader.expect(rows)
    labels = {row.uuid: labelled(aggregate=row.name) for row in rows}
    for figure in ("size", "used"):
        samples = [(labels[row.uuid], row.facts(reader).get(figure)) for row in rows]
        yield from _gauge(
            f"aggregate_{figure}_bytes", f"Capacity of aggregates, {figure}.", samples
        )
    online = [(labels[row.uuid], int(aggregates.state(row, reader) == "online")) for row in rows]
    yield from _gauge("aggregate_online", "1 where an aggregate is online.", online)
    foretold = space_forecast.of_aggregates(time.time())
    full = [(labels[uuid], each.full) for uuid, each in foretold.items() if uuid in labels]
    doc = "When an aggregate will be full, if its use goes on growing."
    yield from _gauge("aggregate_full_timestamp_seconds", doc, full)
    lacking = [
        (labelled(aggregate=row.name, raid_group=str(group["group"])), group.get("degraded"))
        for row in rows
        for group in row.facts(reader).get("raid", ())
    ]
    yield from _gauge("raid_group_missing_disks", "Disks that RAID groups lack.", lacking)


def _volumes(reader: Reader) -> Iterator[str]:
    query = select(Volume.uuid, Volume.name, Volume.size, Svm.name)
    rows = reader.session.execute(query.join(Svm, Svm.uuid == Volume.svm_uuid)).tuples().all()
    taken = volume_space.taken_in(reader.session)
    size = [(labelled(svm=svm, volume=name), size) for _, name, size, svm in rows]
    yield from _gauge("volume_size_bytes", "Size of volumes.", size)
    used = [(labelled(svm=svm, volume=name), taken.get(uuid, 0)) for uuid, name, _, svm in rows]
    yield from _gauge("volume_used_bytes", "What LUNs and namespaces take in volumes.", used)


def _disks(reader: Reader) -> Iterator[str]:
    rows = reader.session.scalars(select(Disk).order_by(Disk.name)).all()
    reader.expect(rows)
    states = [(labelled(disk=row.name, state=disks.condition(row, reader)), 1) for row in rows]
    yield from _gauge("disk_state", "1 for the state that a disk is in.", states)
    facts = [(labelled(disk=row.name), row.facts(reader)) for row in rows]
    health = [(labels, seen.get("health", {})) for labels, seen in facts]
    passed = [(labels, report.get("passed")) for labels, report in health]
    yield from _gauge(
        "disk_healthy",
        "0 where a disk says that it will fail.",
        [(labels, None if good is None else int(good)) for labels, good in passed],
    )
    worn = [(labels, report.get("life_used")) for labels, report in health]
    yield from _gauge(
        "disk_life_used_ratio",
        "Share of the writes that a disk is specified for, as far as it has taken them.",
        [(labels, None if percent is None else percent / 100) for labels, percent in worn],
    )
    yield from _gauge(
        "disk_temperature_celsius",
        "Temperature of disks.",
        [(labels, seen.get("readings", {}).get("temperature")) for labels, seen in facts],
    )


def _hosts(reader: Reader) -> Iterator[str]:
    counts = Counter((path.svm_name, path.state) for path in paths(reader))
    samples = [(labelled(svm=svm, state=state), n) for (svm, state), n in sorted(counts.items())]
    yield from _gauge("paths", "Paths of hosts, by state.", samples)
    counted = select(Observed.kind, func.count()).where(Observed.kind.in_(SESSIONS))
    logins = dict(reader.session.execute(counted.group_by(Observed.kind)).tuples().all())
    sessions = [(labelled(transport=name), logins.get(kind, 0)) for kind, name in SESSIONS.items()]
    yield from _gauge("sessions", "Logins of hosts.", sessions)


def _conditions(session: Session) -> Iterator[str]:
    doc = "Faults that last, by severity."
    counted = select(Event.severity, func.count()).filter_by(open=True).group_by(Event.severity)
    rows = session.execute(counted).tuples()
    yield from _gauge("open_conditions", doc, ((labelled(severity=s), n) for s, n in rows))
    named = select(Event.severity, Event.name, func.count()).filter_by(open=True)
    counts = session.execute(named.group_by(Event.severity, Event.name)).tuples()
    samples = ((labelled(severity=severity, name=name), n) for severity, name, n in counts)
    yield from _gauge("open_conditions_by_name", f"{doc[:-1]} and name.", samples)


def _jobs(session: Session) -> Iterator[str]:
    counted = select(Job.state, func.count()).group_by(Job.state)
    rows = session.execute(counted).tuples()
    yield from _gauge("jobs", "Jobs that are kept.", ((labelled(state=s), n) for s, n in rows))
    last = session.scalar(select(func.max(Job.end_time)).filter_by(state=FAILURE))
    yield from _gauge("job_last_failure_timestamp_seconds", "When a job failed last.", [("", last)])
