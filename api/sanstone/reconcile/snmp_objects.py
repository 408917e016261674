"""The objects of SANSTONE-MIB, as they are now; `SANSTONE-MIB.txt` says what each means.

They are read by the same functions as what `/metrics` tells. What there is thousands of, LUNs and
namespaces, is counted by SQLite.
"""

from __future__ import annotations

import uuid
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone import __version__
from sanstone.core import events
from sanstone.core.declaration.resource import Reader
from sanstone.core.events import Event
from sanstone.kernel.notification.message import Message
from sanstone.kernel.snmp.agentx import Binding, Kind, Oid, Range, Value
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.cluster import the_cluster
from sanstone.model.nodes import this_node
from sanstone.model.nvme import Namespace
from sanstone.model.san import Lun
from sanstone.model.svm import Svm
from sanstone.model.volumes import Volume
from sanstone.rules.san.paths import paths
from sanstone.rules.storage import aggregates, disks, volume_space

MODULE: Oid = (1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 1396788819)
"""The identity of SANSTONE-MIB, and of the array as `sysObjectID`."""
EVENT: Oid = (*MODULE, 0, 1)
ARRAY, NODES, AGGREGATES, VOLUMES, DISKS, OF_EVENT = ((*MODULE, 1, n) for n in range(1, 7))
OPEN = (events.EMERGENCY, events.ALERT, events.ERROR, events.NOTICE)
"""Severities of lasting faults, in the order of their counts."""
SEVERITIES = {name: number for number, name in enumerate((*OPEN, events.INFORMATIONAL), 1)}
"""Numbers of severities."""
AGGREGATE_STATES = {"online": 1, "offline": 2, "restricted": 3, "unknown": 4}
DISK_STATES = {"present": 1, "broken": 2, "removed": 3, "zeroing": 4}
_LONGEST_TEXT = 1024
"""Most octets of an event's text: a datagram has room for all of a notification."""
Cell = Value | None
"""An object of a row, None where it is not known."""


class Snapshot:
    """All objects at one moment, in the order of a walk."""

    def __init__(self, session: Session) -> None:
        self._values = dict(_objects(Reader(session)))
        self._names = sorted(self._values)

    def get(self, name: Oid) -> Value:
        """Return an object's value, or that there is none."""
        return self._values.get(name) or Value(Kind.NO_SUCH_INSTANCE)

    def after(self, requested: Range) -> Binding | None:
        """Return the first object of a range, None for no such."""
        find = bisect_left if requested.included else bisect_right
        at = find(self._names, requested.start)
        if at == len(self._names) or (requested.end and self._names[at] >= requested.end):
            return None
        return Binding(self._names[at], self._values[self._names[at]])


def notification(message: Message) -> list[Binding]:
    """Return the objects of the notification of an event."""
    text = message.text.encode()[:_LONGEST_TEXT].decode(errors="ignore")
    when = message.time.isoformat(timespec="seconds")
    values = (
        _text(message.name),
        Value(Kind.INTEGER, SEVERITIES[message.severity]),
        _text(text),
        _text(when),
        _text(message.host),
    )
    return [Binding((*OF_EVENT, n, 0), value) for n, value in enumerate(values, 1)]


def _objects(reader: Reader) -> Iterator[tuple[Oid, Value]]:
    yield from _array(reader)
    yield from _nodes(reader)
    yield from _aggregates(reader)
    yield from _volumes(reader)
    yield from _disks(reader)


def _array(reader: Reader) -> Iterator[tuple[Oid, Value]]:
    session, array = reader.session, the_cluster(reader.session)
    counted = select(Event.severity, func.count()).filter_by(open=True).group_by(Event.severity)
    faults = dict(session.execute(counted).tuples().all())
    connected = Counter(path.state for path in paths(reader))
    objects = (session.scalar(select(func.count()).select_from(k)) for k in (Lun, Namespace))
    values = (
        _text(array.name),
        _text(array.serial_number),
        _text(__version__),
        *(Value(Kind.GAUGE, faults.get(severity, 0)) for severity in OPEN),
        *(Value(Kind.GAUGE, number or 0) for number in objects),
        Value(Kind.GAUGE, connected.total()),
        Value(Kind.GAUGE, connected["connected"]),
    )
    for number, value in enumerate(values, 1):
        yield (*ARRAY, number, 0), value


def _nodes(reader: Reader) -> Iterator[tuple[Oid, Value]]:
    node = this_node(reader.session)
    facts = reader.seen(node.kind, node.key)
    row = (
        _text(node.name),
        _size(facts.get("memory")),
        _size(facts.get("memory_available")),
        _truth(facts.get("memory_short")),
    )
    yield from _row(NODES, _by_uuid(node.key), row)


def _aggregates(reader: Reader) -> Iterator[tuple[Oid, Value]]:
    rows = reader.session.scalars(select(Aggregate)).all()
    reader.expect(rows)
    for row in rows:
        facts = row.facts(reader)
        missing = [group.get("degraded") or 0 for group in facts.get("raid", ())]
        cells = (
            _text(row.name),
            Value(Kind.INTEGER, AGGREGATE_STATES[aggregates.state(row, reader)]),
            _size(facts.get("size")),
            _size(facts.get("used")),
            Value(Kind.GAUGE, sum(missing)),
        )
        yield from _row(AGGREGATES, _by_uuid(row.uuid), cells)


def _volumes(reader: Reader) -> Iterator[tuple[Oid, Value]]:
    session = reader.session
    query = select(Volume.uuid, Volume.name, Volume.size, Svm.name)
    taken = volume_space.taken_in(session)
    luns, namespaces = (_counted(session, kind) for kind in (Lun, Namespace))
    for key, name, size, svm in session.execute(query.join(Svm, Svm.uuid == Volume.svm_uuid)):
        cells = (
            _text(svm),
            _text(name),
            _size(size),
            _size(taken.get(key, 0)),
            Value(Kind.GAUGE, luns.get(key, 0)),
            Value(Kind.GAUGE, namespaces.get(key, 0)),
        )
        yield from _row(VOLUMES, _by_uuid(key), cells)


def _counted(session: Session, kind: type[Lun | Namespace]) -> dict[str, int]:
    """Return the numbers of LUNs or namespaces by volume."""
    counted = select(kind.volume_uuid, func.count()).group_by(kind.volume_uuid)
    return dict(session.execute(counted).tuples().all())


def _disks(reader: Reader) -> Iterator[tuple[Oid, Value]]:
    rows = reader.session.scalars(select(Disk)).all()
    reader.expect(rows)
    for row in rows:
        facts = row.facts(reader)
        health = facts.get("health", {})
        cells = (
            Value(Kind.INTEGER, DISK_STATES[disks.condition(row, reader)]),
            _truth(health.get("passed")),
            _number(health.get("life_used")),
            _number(facts.get("readings", {}).get("temperature")),
        )
        yield from _row(DISKS, tuple(row.name.encode()), cells)


def _row(table: Oid, index: Oid, cells: Iterable[Cell]) -> Iterator[tuple[Oid, Value]]:
    """Yield the objects of a row. Columns are numbered from 2: 1 is the index."""
    for column, value in enumerate(cells, 2):
        if value is not None:
            yield (*table, 1, column, *index), value


def _by_uuid(text: str) -> Oid:
    return tuple(uuid.UUID(text).bytes)


def _text(text: str) -> Value:
    return Value(Kind.OCTETS, text.encode())


def _size(number: int | None) -> Cell:
    return None if number is None else Value(Kind.COUNTER_64, number)


def _number(number: float | None) -> Cell:
    return None if number is None else Value(Kind.INTEGER, round(number))


def _truth(truth: bool | None) -> Cell:
    """Return a TruthValue (RFC 2579): 1 for true, 2 for false."""
    return None if truth is None else Value(Kind.INTEGER, 1 if truth else 2)
