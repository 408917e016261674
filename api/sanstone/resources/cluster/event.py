"""`support/ems/events`: the array's events, in the vocabulary of ONTAP's event management."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sanstone.core import events
from sanstone.core.events import Event
from sanstone.core.resource import Field, Items, Reader, Resource, constant
from sanstone.core.types import Choice, Integer, Text, Timestamp
from sanstone.resources.cluster.node import node_fields

SEVERITIES = (
    events.EMERGENCY,
    events.ALERT,
    events.ERROR,
    events.NOTICE,
    events.INFORMATIONAL,
)


def _parameters(row: Event, _reader: Reader) -> Iterable[tuple[str, Any]]:
    return row.parameters.items()


class EventResource(Resource[Any]):
    """Events, oldest first; `order_by=index desc` gives the newest first."""

    path = "support/ems/events"
    doc = "Events tell what an administrator should know; one that lasts has an event at its end."
    model = Event
    keys = ("index",)
    order = ("index",)
    methods = frozenset({"GET"})
    fields = (
        Field("index", Integer(), "Number of the event; a later one's is higher."),
        Field("time", Timestamp(), "When it happened."),
        Field("message.name", Text(), "Name of the kind of event.", attribute="name"),
        Field("message.severity", Choice(*SEVERITIES), "How grave it is.", attribute="severity"),
        Field("log_message", Text(4096), "What happened, in words.", attribute="message"),
        Field("source", Text(), "What told it.", get=constant("sanstone")),
        *node_fields(),
        Items(
            "parameters",
            (
                Field("name", Text(), "Name.", get=lambda item, _: item[0]),
                Field("value", Text(), "Value.", get=lambda item, _: str(item[1])),
            ),
            "The variable parts of the message.",
            get=_parameters,
        ),
    )
