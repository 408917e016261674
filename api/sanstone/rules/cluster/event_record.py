"""An event as REST shows it, and as web servers that are destinations receive it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sanstone.core import events
from sanstone.core.declaration.resource import MODIFY, Field, Getter, Items, Reader, constant
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Timestamp
from sanstone.core.events import Event
from sanstone.model.nodes import Node, this_node
from sanstone.rules.cluster.event_catalog import kind_of
from sanstone.rules.cluster.node import node_fields, on_its_node

SEVERITIES = (
    events.EMERGENCY,
    events.ALERT,
    events.ERROR,
    events.NOTICE,
    events.INFORMATIONAL,
)


def _node(row: Event, reader: Reader) -> Node | None:
    return on_its_node(row, reader) if row.node_uuid else this_node(reader.session)


def _parameters(row: Event, _reader: Reader) -> Iterable[tuple[str, Any]]:
    return row.parameters.items()


def _of_object(part: int) -> Getter:
    """Return a getter for a part of the owner: its kind, or its key."""
    return lambda row, _reader: row.owner.partition(":")[part] or None


def _remedy(row: Event, _reader: Reader) -> str | None:
    """Return the corrective action, None for the end of a condition."""
    kind = None if row.name.endswith(events.RESOLVED) else kind_of(row.name)
    return kind.corrective_action if kind else None


def _manual(row: Event, _reader: Reader) -> str | None:
    """Return where the manual has its kind, which the end of a condition has in common with it."""
    kind = kind_of(row.name)
    return kind.manual if kind else None


EVENT_FIELDS = (
    Field("index", Integer(), "Number of the event; a later one's is higher."),
    Field("time", Timestamp(), "When it happened."),
    Field("message.name", Text(), "Name of the kind of event.", attribute="name"),
    Field("message.severity", Choice(*SEVERITIES), "How grave it is.", attribute="severity"),
    Field("log_message", Text(4096), "What happened, in words.", attribute="message"),
    Field("active", Boolean(), "Whether what it reports lasts.", attribute="open"),
    Field("object.path", Text(), "Resource of the object concerned.", get=_of_object(0)),
    Field("object.key", Text(), "Key of the object, mostly its UUID.", get=_of_object(2)),
    Field("corrective_action", Text(4096), "What to do about it.", get=_remedy),
    Field("manual", Text(), "Page of the manual on this kind of event.", get=_manual),
    Field(
        "acknowledged.state",
        Boolean(),
        "Whether somebody has seen it.",
        access=MODIFY,
        get=lambda row, _: bool(row.acknowledged_by),
    ),
    Field(
        "acknowledged.user",
        Text(),
        "Who.",
        get=lambda row, _: row.acknowledged_by or None,
    ),
    Field("acknowledged.time", Timestamp(), "When.", attribute="acknowledged_time"),
    Field("source", Text(), "Source of the event.", get=constant("sanstone")),
    *node_fields(of=_node),
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
