"""Forwarding of events to destinations, as far as the destinations' filters include them.

Of two nodes the leading one forwards the events of both, so that each is sent once.

The event log is the queue: bounded, and kept over restarts. After every batch, the number of the
last processed event is recorded for each destination, so that a restart repeats at most one batch
and never the whole log; so does a server that goes away in the middle of a batch. A destination
that was unreachable gets the newest `BACKLOG` events and a report of how many it missed; it is
tried again after growing delays.

This is done by a thread of its own, because resolving names and waiting for servers takes time and
hosts must not wait for it. `run` wakes the thread: three queries; their cost depends on the number
of destinations and not on the size of the array.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from sanstone.core import events, own_node
from sanstone.core.database.store import reading, writing
from sanstone.core.declaration import fields
from sanstone.core.declaration.resource import Reader
from sanstone.core.events import Event
from sanstone.core.observed import Observed, Seen, load
from sanstone.kernel.notification.message import Message
from sanstone.kernel.tls import explained
from sanstone.model.events import SNMP, TEST_TRAP, EmsDestination
from sanstone.model.nodes import leading_node
from sanstone.reconcile.tasks.event_channels import Channel, channel_to
from sanstone.rules.cluster.event_destinations import filters_named
from sanstone.rules.cluster.event_record import EVENT_FIELDS

KIND = EmsDestination.kind
BACKLOG = 1000
"""Maximum number of events that a destination gets after it was unreachable."""
SHORTEST, LONGEST = 5.0, 300.0
"""Shortest and longest delay in seconds until a destination is tried again; each is twice the
last."""
log = logging.getLogger("sanstone.reconciler")


Receiver = tuple[str, Channel]
"""A destination's UUID and the way to it. By a new way it is tried again at once."""


class Delivery(NamedTuple):
    """The events for a destination. After it, all events up to `last` are processed.

    `missed` counts the older events that are skipped, `more` is whether more events wait.
    """

    uuid: str
    channel: Channel
    name: str
    messages: list[Message]
    last: int
    missed: int
    more: bool

    @property
    def receiver(self) -> Receiver:
        """Return the destination and its way."""
        return self.uuid, self.channel


class Forwarder:
    """Forwards events to destinations."""

    def __init__(self, database: Engine) -> None:
        self._database = database
        self._delays: dict[Receiver, float] = {}
        self._not_before: dict[Receiver, float] = {}

    @cached_property
    def _node_uuid(self) -> str:
        return own_node.uuid()

    def deliver(self) -> str:
        """Forward all pending events. Return why that has to wait, '' if it has not."""
        try:
            while self.forward(time.monotonic()):
                continue
        except OperationalError as error:
            # The disk is full, or the database stayed locked. No event is lost, since none was
            # recorded as processed.
            log.warning("events will be sent later: %s", error)
            return f"events will be sent later: {error.orig}"
        return ""

    def forward(self, now: float) -> bool:
        """Send one batch to every destination. Return whether more can be sent at once."""
        with reading(self._database) as session:
            if leading_node(session) != self._node_uuid:
                return False
            observed = load(session, KIND, node_uuid=self._node_uuid)
            rows = session.scalars(select(EmsDestination)).all()
            deliveries = self._plan(session, rows, observed, now)
            removed_uuids = observed.keys() - {row.uuid for row in rows}
        if removed_uuids:
            self._drop_observations(removed_uuids)
        for delivery in deliveries:
            self._send(delivery, now)
        return any(
            delivery.more for delivery in deliveries if delivery.receiver not in self._not_before
        )

    def _drop_observations(self, removed_uuids: set[str]) -> None:
        """Delete the observations of removed destinations."""
        with writing(self._database) as session:
            for uuid in removed_uuids:
                session.delete(session.get_one(Observed, (KIND, uuid, self._node_uuid)))

    def _plan(
        self,
        session: Session,
        rows: Sequence[EmsDestination],
        observed: dict[str, Seen],
        now: float,
    ) -> list[Delivery]:
        """Return the deliveries that are due."""
        deliveries = []
        newest = session.scalar(select(func.max(Event.index))) or 0
        for row in rows:
            observation = observed.get(row.uuid)
            processed = observation.data["told"] if observation else row.since
            if processed < newest:
                channel = channel_to(session, row)
                if now >= self._not_before.get((row.uuid, channel), now):
                    deliveries.append(_next_delivery(session, row, channel, processed, newest))
        return deliveries

    def _send(self, delivery: Delivery, now: float) -> None:
        """Send a batch, delay the destination after an error, and record the result."""
        error = ""
        if delivery.messages:
            identity = f"{delivery.uuid}.{delivery.last}"
            try:
                delivery.channel.send(delivery.messages, identity)
            except OSError as failure:
                error = explained(failure)
        if error:
            delay = min(LONGEST, self._delays.get(delivery.receiver, SHORTEST / 2) * 2)
            self._delays[delivery.receiver] = delay
            self._not_before[delivery.receiver] = now + delay
        elif delivery.messages:
            self._delays.pop(delivery.receiver, None)
            self._not_before.pop(delivery.receiver, None)
        self._record(delivery, error)

    def _record(self, delivery: Delivery, error: str) -> None:
        """Record the last processed event.

        Report when the destination becomes unreachable, and when it is reachable again.
        """
        with writing(self._database) as session:
            row = session.get(EmsDestination, delivery.uuid)
            if row is None:
                return
            observation = session.get(Observed, (KIND, delivery.uuid, self._node_uuid))
            former_error = observation.data["why"] if observation else ""
            processed = observation.data["told"] if observation else row.since
            # A batch without messages for the destination does not show whether it is reachable.
            current_error = error if delivery.messages else former_error
            data = {"told": processed if error else delivery.last, "why": current_error}
            if observation is None:
                session.add(
                    Observed(kind=KIND, key=delivery.uuid, node_uuid=self._node_uuid, data=data)
                )
            else:
                observation.data = data
            if delivery.missed and not error:
                text = f'Destination "{delivery.name}" missed {delivery.missed} older events.'
                events.emit(session, events.NOTICE, "ems.destination.missed", text)
            if bool(current_error) != bool(former_error):
                _report(session, delivery.name, current_error)


def _report(session: Session, name: str, error: str) -> None:
    """Emit an event that a destination is unreachable, or reachable again if there is no error."""
    if error:
        text = f'Events do not reach destination "{name}": {error}'
        events.emit(session, events.ERROR, "ems.destination.unreachable", text)
    else:
        text = f'Events reach destination "{name}" again.'
        events.emit(session, events.NOTICE, "ems.destination.unreachable.resolved", text)


def _next_delivery(
    session: Session, row: EmsDestination, channel: Channel, processed: int, newest: int
) -> Delivery:
    """Return the next batch of events for a destination."""
    start = max(processed, newest - BACKLOG)
    query = select(Event).where(Event.index > start).order_by(Event.index).limit(channel.batch)
    batch = session.scalars(query).all()
    filters = filters_named(session, row.filters)
    reader = Reader(session)
    messages = [
        _message(event, fields.show(EVENT_FIELDS, event, reader, links=False))
        for event in batch
        if any(filter_.includes(event) for filter_ in filters) or _is_test(row, event)
    ]
    last = batch[-1].index if batch else newest
    return Delivery(row.uuid, channel, row.name, messages, last, start - processed, last < newest)


def _is_test(row: EmsDestination, event: Event) -> bool:
    """Return whether an event is a test of the way to a destination."""
    return row.type == SNMP and event.name == TEST_TRAP


def _message(event: Event, record: dict[str, Any]) -> Message:
    """Return the message about an event; `record` is its record in REST, which names its node."""
    return Message(
        datetime.fromtimestamp(event.time, UTC),
        record["node"]["name"],
        event.name,
        event.severity,
        event.message,
        record.get("corrective_action", ""),
        record,
    )
