"""Telling the destinations of events what their filters include.

The event log is the queue: bounded, and kept over restarts. For each destination the number of the
last event that was dealt with is observed, after every batch, so that a restart repeats one batch
at most and never the history. A destination that was out of reach is told of the newest `BACKLOG`
events and that it missed others; it is tried again after growing delays.

A thread of its own does it, since names take time to resolve and servers to answer, and hosts must
not wait for that. `run` has it look again: three queries, whose cost is that of the destinations
and not of the array.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from sanstone.core import events
from sanstone.core.events import Event
from sanstone.core.observed import Observed, Seen, load
from sanstone.core.store import reading, writing
from sanstone.kernel import syslog
from sanstone.model.cluster import Cluster
from sanstone.model.events import UDP, EmsDestination
from sanstone.reconcile.identity import own_node
from sanstone.reconcile.tasks.background import Background
from sanstone.resources.cluster.ems_destination import NO_OVERRIDE, RFC_5424
from sanstone.resources.cluster.ems_filter import filters_named
from sanstone.resources.cluster.node import the_node

KIND = EmsDestination.kind
BATCH = 100
"""Events that a destination is told of at once."""
BACKLOG = 1000
"""Events that a destination is told of at most after it was out of reach."""
SHORTEST, LONGEST = 5.0, 300.0
"""Seconds until a destination is tried again: twice as many each time."""
log = logging.getLogger("sanstone.reconciler")


class Place(NamedTuple):
    """Where a destination is; one that is given another address is tried there at once."""

    uuid: str
    host: str
    port: int
    transport: str


class Work(NamedTuple):
    """What a destination is to be told: `lines`; then all up to event `last` is dealt with."""

    place: Place
    name: str
    form: syslog.Form
    lines: list[bytes]
    last: int
    missed: int
    more: bool


class Forwarder:
    """Tells destinations of events."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._thread = Background("events", self._work)
        self._delays: dict[Place, float] = {}
        self._not_before: dict[Place, float] = {}

    @cached_property
    def _node_uuid(self) -> str:
        return own_node(self._database)

    def run(self) -> None:
        """Have the thread look for events; return at once."""
        self._thread.wake()

    def _work(self) -> None:
        try:
            while self.forward(time.monotonic()):
                continue
        except OperationalError as error:
            # No room, or no turn: nothing is lost, since nothing was marked as told.
            log.warning("events are told later: %s", error)

    def forward(self, now: float) -> bool:
        """Tell every destination one batch. Return whether there is more to tell at once."""
        with reading(self._database) as session:
            known, rows = (
                load(session, KIND, node_uuid=self._node_uuid),
                session.scalars(select(EmsDestination)).all(),
            )
            work = self._plan(session, rows, known, now)
            gone = known.keys() - {row.uuid for row in rows}
        if gone:
            self._forget(gone)
        for each in work:
            self._tell(each, now)
        return any(each.more for each in work if each.place not in self._not_before)

    def _forget(self, gone: set[str]) -> None:
        """Drop what is known of destinations that there are no more."""
        with writing(self._database) as session:
            for uuid in gone:
                session.delete(session.get_one(Observed, (KIND, uuid, self._node_uuid)))

    def _plan(
        self, session: Session, rows: Sequence[EmsDestination], known: dict[str, Seen], now: float
    ) -> list[Work]:
        found = []
        newest = session.scalar(select(func.max(Event.index))) or 0
        for row in rows:
            seen = known.get(row.uuid)
            told = seen.data["told"] if seen else row.since
            due = now >= self._not_before.get(_place(row), now)
            if due and told < newest:
                found.append(_work_for(session, row, told, newest))
        return found

    def _tell(self, work: Work, now: float) -> None:
        error = ""
        try:
            if work.lines and work.place.transport == UDP:
                syslog.send_udp((work.place.host, work.place.port), work.lines)
            elif work.lines:
                syslog.send_tcp((work.place.host, work.place.port), work.form, work.lines)
        except OSError as failure:
            error = str(failure) or type(failure).__name__
        if error:
            delay = min(LONGEST, self._delays.get(work.place, SHORTEST / 2) * 2)
            self._delays[work.place], self._not_before[work.place] = delay, now + delay
        elif work.lines:
            self._delays.pop(work.place, None)
            self._not_before.pop(work.place, None)
        self._note(work, error)

    def _note(self, work: Work, error: str) -> None:
        """Write how far a destination is, and the beginning and end of its being out of reach."""
        with writing(self._database) as session:
            row = session.get(EmsDestination, work.place.uuid)
            if row is None:
                return
            seen = session.get(Observed, (KIND, work.place.uuid, self._node_uuid))
            before = seen.data["why"] if seen else ""
            told = seen.data["told"] if seen else row.since
            # Where nothing was for it, whether it is in reach was not found out.
            why = error if work.lines else before
            data = {"told": told if error else work.last, "why": why}
            if seen is None:
                session.add(
                    Observed(kind=KIND, key=work.place.uuid, node_uuid=self._node_uuid, data=data)
                )
            else:
                seen.data = data
            if work.missed and not error:
                text = f'Destination "{work.name}" was not told of {work.missed} older events.'
                events.emit(session, events.NOTICE, "ems.destination.missed", text)
            if bool(why) != bool(before):
                _report(session, work.name, why)


def _place(row: EmsDestination) -> Place:
    return Place(row.uuid, row.destination, row.port, row.transport)


def _report(session: Session, name: str, error: str) -> None:
    if error:
        text = f'Destination "{name}" cannot be told of events: {error}'
        events.emit(session, events.ERROR, "ems.destination.unreachable", text)
    else:
        text = f'Destination "{name}" is told of events again.'
        events.emit(session, events.NOTICE, "ems.destination.unreachable.resolved", text)


def _work_for(session: Session, row: EmsDestination, told: int, newest: int) -> Work:
    """Return what a destination is to be told next."""
    start = max(told, newest - BACKLOG)
    query = select(Event).where(Event.index > start).order_by(Event.index).limit(BATCH)
    batch = session.scalars(query).all()
    filters = filters_named(session, row.filters)
    timestamp = "" if row.timestamp == NO_OVERRIDE else row.timestamp
    form = syslog.Form(row.message_format == RFC_5424, timestamp)
    utc = timestamp == "iso_8601_utc" or (row.message_format == RFC_5424 and not timestamp)
    zone = UTC if utc else ZoneInfo(session.scalars(select(Cluster)).one().timezone)
    host = the_node(session).name
    lines = [
        form.render(
            syslog.Message(
                datetime.fromtimestamp(each.time, zone),
                host,
                each.name,
                each.severity,
                each.message,
            )
        )
        for each in batch
        if any(wanted.includes(each) for wanted in filters)
    ]
    last = batch[-1].index if batch else newest
    missed = start - told
    return Work(_place(row), row.name, form, lines, last, missed, last < newest)
