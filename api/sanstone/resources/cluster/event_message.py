"""`support/ems/messages`: the kinds of events, with what to do about each."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.declaration.resource import Field, Reader, Resource
from sanstone.core.declaration.types import Choice, Text
from sanstone.core.events import Event
from sanstone.rules.cluster.event_catalog import CATALOG
from sanstone.rules.cluster.event_kinds.event_kind import EventKind
from sanstone.rules.cluster.event_record import SEVERITIES


class EventMessageResource(Resource[EventKind]):
    """Kinds of events."""

    path = "support/ems/messages"
    doc = "The kinds of events that the array raises, with what to do about each."
    model = Event
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET"})
    fields = (
        Field("name", Text(), "Name of the kind."),
        Field(
            "name_pattern",
            Text(),
            "What `message.name` of an event of this kind fits.",
            get=lambda row, _: row.pattern or row.name,
        ),
        Field("severity", Choice(*SEVERITIES), "How grave it is at worst."),
        Field("description", Text(4096), "Meaning of the event."),
        Field("corrective_action", Text(4096), "What to do about it."),
        Field("manual", Text(), "Page of the manual on it."),
    )

    def rows(self, reader: Reader) -> Sequence[EventKind]:
        """Return all kinds."""
        return CATALOG
