"""`support/ems/destinations`: receivers of events besides the array's own log.

A destination is a syslog server, over UDP or TCP; ONTAP's other kinds (mail, REST, SNMP traps) and
encryption are refused. It receives the events that its filters include, from its creation on: none
from before, and not all that it missed (see the reconciler's `event_forwarder`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import func, select

from sanstone.core import errors
from sanstone.core.change import Change
from sanstone.core.events import Event
from sanstone.core.resource import CREATE, WRITE, Field, Items, Reader, Resource, constant
from sanstone.core.types import Boolean, Choice, Integer, RemoteHost, Text
from sanstone.model.events import TCP, UDP, EmsDestination
from sanstone.resources.cluster.ems_filter import NAME, filters_named
from sanstone.resources.without_effect import fixed, off

LEGACY, RFC_5424 = "legacy_netapp", "rfc_5424"
NO_OVERRIDE = "no_override"
TIMESTAMPS = (NO_OVERRIDE, "rfc_3164", "iso_8601_local_time", "iso_8601_utc")


def _seen(row: EmsDestination, reader: Reader) -> dict[str, Any]:
    return reader.seen(EmsDestination.kind, row.uuid)


def _state(row: EmsDestination, reader: Reader) -> str:
    if not _seen(row, reader):
        return "unknown"
    return "fail" if _seen(row, reader)["why"] else "success"


def _errors(row: EmsDestination, reader: Reader) -> Iterable[str]:
    error = _seen(row, reader).get("why", "")
    return [error] if error else []


_COLUMNS = {
    "destination": "destination",
    "syslog.port": "given_port",
    "syslog.transport": "transport",
    "syslog.format.message": "message_format",
    "syslog.format.timestamp_override": "timestamp",
}
"""Columns by field."""


class EmsDestinationResource(Resource[EmsDestination]):
    """Destinations of events."""

    path = EmsDestination.kind
    doc = "Destinations are syslog servers that are told of events, each of what its filters say."
    model = EmsDestination
    searched = ("name", "destination")
    keys = ("name",)
    fields = (
        Field("name", NAME, "Name of the destination.", access=CREATE, required=True),
        Field(
            "type",
            Choice("syslog"),
            "Kind of destination; the array speaks syslog only.",
            access=CREATE,
            required=True,
            get=constant("syslog"),
        ),
        Field(
            "destination",
            RemoteHost(),
            "Host name or IP address of the syslog server.",
            access=WRITE,
            required=True,
        ),
        Items(
            "filters",
            (
                Field(
                    "name",
                    Text(64, 1),
                    "Name of the filter.",
                    access=WRITE,
                    required=True,
                    get=lambda item, _: item,
                ),
            ),
            "Filters; it is told of what one of them includes.",
            access=WRITE,
        ),
        Field(
            "syslog.port",
            Integer(1, 65535),
            "Port; 514 for UDP and 601 for TCP unless given.",
            access=WRITE,
            attribute="port",
        ),
        Field(
            "syslog.transport",
            Choice(UDP, TCP),
            "How it is told; TCP notices when nobody listens.",
            access=WRITE,
            default=UDP,
            attribute="transport",
        ),
        Field(
            "syslog.format.message",
            Choice(LEGACY, RFC_5424),
            "Form of a message: ONTAP's own, or that of RFC 5424.",
            access=WRITE,
            default=LEGACY,
            attribute="message_format",
        ),
        Field(
            "syslog.format.timestamp_override",
            Choice(*TIMESTAMPS),
            "Form of the time; else RFC 3164's in ONTAP's form, ISO 8601's in RFC 5424's.",
            access=WRITE,
            default=NO_OVERRIDE,
            attribute="timestamp",
        ),
        off(
            "syslog.format.hostname_override",
            Choice(NO_OVERRIDE),
            "Form of the node's name: it is told as it is, without a domain.",
            NO_OVERRIDE,
        ),
        fixed("certificate.name", Text(), "Certificate for REST; never shown: nobody is told so."),
        fixed("certificate.ca", Text(), "Who issued it; never shown."),
        Field(
            "connectivity.state",
            Choice("success", "fail", "unknown"),
            "Whether it could be told of the last event; unknown before the first.",
            get=_state,
        ),
        Items(
            "connectivity.errors",
            (Field("message.message", Text(), "Why not.", get=lambda item, _: item),),
            "Why it cannot be told.",
            get=_errors,
        ),
        Field("system_defined", Boolean(), "None comes with the array.", get=constant(False)),
    )

    def create(self, change: Change, values: dict[str, Any]) -> EmsDestination:
        """Add a destination, which receives events from now on."""
        session, name = change.session, values["name"]
        if session.scalar(select(EmsDestination.uuid).filter_by(name=name)):
            text = f'There is a destination named "{name}" already.'
            raise errors.conflict(text, "name", errors.EXISTS)
        row = EmsDestination(
            name=name,
            filters=_filters(change, values.get("filters", [])),
            since=session.scalar(select(func.max(Event.index))) or 0,
            **{column: values.get(field) for field, column in _COLUMNS.items()},
        )
        change.add(row)
        return row

    def update(self, change: Change, row: EmsDestination, values: dict[str, Any]) -> None:
        """Change the server, its protocol or its filters."""
        if "filters" in values:
            row.filters = _filters(change, values["filters"])
        for field, column in _COLUMNS.items():
            if field in values:
                setattr(row, column, values[field])

    def delete(self, change: Change, row: EmsDestination, options: dict[str, Any]) -> None:
        """Delete a destination."""
        change.delete(row)


def _filters(change: Change, references: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of existing filters, each once. Raises ApiError."""
    names = list(dict.fromkeys(item["name"] for item in references))
    filters_named(change.session, names)
    return names
