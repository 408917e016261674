"""`support/ems/destinations`: receivers of events besides the array's own log.

A destination is a syslog server (UDP, TCP or TLS), a mail address (by the mail server of
`support/ems`), or a web server to which each event is sent by POST, as JSON as `support/ems/events`
shows it. One more stands for the hosts of `support/snmp/traphosts`, and comes and goes with these:
it can only be given other filters. A destination receives the events that its filters
include, from its creation on: none from before, and not all that it missed (see the reconciler's
`event_forwarder`). A server behind TLS must prove its name by a certificate that is signed
by an authority which is generally known or installed as `server_ca` (`security/certificates`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from marshmallow import ValidationError
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Getter, Items, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text
from sanstone.core.events import Event
from sanstone.model.events import EMAIL, REST_API, SNMP, SYSLOG, TCP, TLS, UDP, EmsDestination
from sanstone.model.security import CLIENT, Certificate
from sanstone.resources.cluster.ems_filter import NAME
from sanstone.rules.cluster.event_destinations import (
    LEGACY,
    NO_OVERRIDE,
    PLACES,
    RFC_5424,
    filters_named,
)
from sanstone.rules.destinations import require_other

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


_SYSLOG_COLUMNS = {
    "syslog.port": "given_port",
    "syslog.transport": "transport",
    "syslog.format.message": "message_format",
    "syslog.format.timestamp_override": "timestamp",
}
"""Columns by field of syslog servers."""
DEFAULT_FILTER = "important-events"
"""Filter of the destination that stands for trap hosts, until another one is set."""
_DEFAULTS = {"transport": UDP, "message_format": LEGACY, "timestamp": NO_OVERRIDE}


def _of_syslog(column: str) -> Getter:
    """Return a getter of a column that only syslog servers show."""
    return lambda row, _reader: getattr(row, column) if row.type == SYSLOG else None


def _of_certificate(column: str) -> Getter:
    return lambda row, _reader: getattr(row.certificate, column) if row.certificate else None


class EmsDestinationResource(Resource[EmsDestination]):
    """Destinations of events."""

    path = EmsDestination.kind
    doc = (
        "Destinations are syslog servers, mail addresses and web servers that receive events, "
        "each of what its filters say."
    )
    model = EmsDestination
    searched = ("name", "destination")
    keys = ("name",)
    fields = (
        Field("name", NAME, "Name of the destination.", access=CREATE, required=True),
        Field(
            "type",
            Choice(SYSLOG, EMAIL, REST_API, SNMP),
            "Kind of destination: a syslog server, a mail address, a web server that is sent each "
            "event by POST, as JSON, or, not to be created, all SNMP trap hosts.",
            access=CREATE,
            required=True,
        ),
        Field(
            "destination",
            Text(2048, 1),
            "Host name or IP address of the syslog server, mail address, or URL of the web server; "
            "the trap hosts. Servers are other machines: events go to no address of the array's "
            "own, and to no link-local one.",
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
            "Filters; the destination receives each event that one of them includes.",
            access=WRITE,
        ),
        Field(
            "syslog.port",
            Integer(1, 65535),
            "Port; 514 for UDP, 601 for TCP and 6514 for TLS unless given.",
            access=WRITE,
            get=_of_syslog("port"),
        ),
        Field(
            "syslog.transport",
            Choice(UDP, TCP, TLS),
            "Transport, UDP unless given; TCP notices when nobody listens, and by TLS "
            "(`tcp_encrypted`) nobody else reads along.",
            access=WRITE,
            get=_of_syslog("transport"),
        ),
        Field(
            "syslog.format.message",
            Choice(LEGACY, RFC_5424),
            "Form of a message: ONTAP's own, which is used unless given, or that of RFC 5424.",
            access=WRITE,
            get=_of_syslog("message_format"),
        ),
        Field(
            "syslog.format.timestamp_override",
            Choice(*TIMESTAMPS),
            "Form of the time; else RFC 3164's in ONTAP's form, ISO 8601's in RFC 5424's.",
            access=WRITE,
            get=_of_syslog("timestamp"),
        ),
        Field(
            "syslog.format.hostname_override",
            Choice(NO_OVERRIDE),
            "Form of the node's name: unchanged, without a domain.",
            access=WRITE,
            get=lambda row, _: NO_OVERRIDE if row.type == SYSLOG else None,
        ),
        Field(
            "certificate.name",
            Text(128),
            "Certificate of type `client` by which the array logs in at a server that it tells by "
            "TLS; none for no such login.",
            access=WRITE,
            get=_of_certificate("name"),
        ),
        Field(
            "certificate.serial_number",
            Text(40),
            "The same by its serial number, together with `certificate.ca`.",
            access=WRITE,
            get=_of_certificate("serial_number"),
        ),
        Field(
            "certificate.ca",
            Text(256),
            "Common name of the authority that signed it.",
            access=WRITE,
            get=_of_certificate("ca"),
        ),
        Field(
            "connectivity.state",
            Choice("success", "fail", "unknown"),
            "Whether the last event reached it; unknown before the first.",
            get=_state,
        ),
        Items(
            "connectivity.errors",
            (Field("message.message", Text(), "Why not.", get=lambda item, _: item),),
            "Why events do not reach it.",
            get=_errors,
        ),
        Field(
            "system_defined",
            Boolean(),
            "Whether it comes and goes with the trap hosts.",
            get=lambda row, _: row.type == SNMP,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> EmsDestination:
        """Add a destination, which receives events from now on."""
        session, name = change.session, values["name"]
        if session.scalar(select(EmsDestination.uuid).filter_by(name=name)):
            text = f'A destination named "{name}" already exists.'
            raise errors.conflict(text, "name", errors.EXISTS)
        if values["type"] == SNMP:
            text = "This destination comes with the first one of support/snmp/traphosts."
            raise errors.invalid(text, "type")
        filters = _filters(change, values.get("filters", []))
        row = new_destination(session, name, values["type"], filters)
        _set(session, row, values)
        change.add(row)
        return row

    def update(self, change: Change, row: EmsDestination, values: dict[str, Any]) -> None:
        """Change the receiver, its transport, or its filters."""
        if "filters" in values:
            row.filters = _filters(change, values["filters"])
        _set(change.session, row, values)

    def delete(self, change: Change, row: EmsDestination, options: dict[str, Any]) -> None:
        """Delete a destination. Raises ApiError."""
        if row.type == SNMP:
            text = f'"{row.name}" goes with the last one of support/snmp/traphosts.'
            raise errors.conflict(text, "name")
        change.delete(row)


def new_destination(
    session: Session, name: str, kind: str, filters: Sequence[str]
) -> EmsDestination:
    """Return a destination without a place yet, which receives events from now on."""
    newest = session.scalar(select(func.max(Event.index))) or 0
    return EmsDestination(name=name, type=kind, filters=list(filters), since=newest, **_DEFAULTS)


def _set(session: Session, row: EmsDestination, values: dict[str, Any]) -> None:
    """Set the given fields of the receiver and the way to it. Raises ApiError."""
    for field in values:
        if field.startswith("syslog.") and row.type != SYSLOG:
            raise errors.invalid(f"{field} is of a destination of type syslog.", field)
    if "destination" in values:
        _set_place(session, row, values["destination"])
    for field, column in _SYSLOG_COLUMNS.items():
        if field in values:
            setattr(row, column, values[field])
    certificate = {f: v for f, v in values.items() if f.startswith("certificate.")}
    if certificate:
        row.certificate_uuid = _certificate_uuid(session, certificate)
    if row.certificate_uuid and not _by_tls(row):
        text = "Only a destination that receives events by TLS takes a certificate."
        raise errors.invalid(text, "certificate.name")


def _set_place(session: Session, row: EmsDestination, place: str) -> None:
    """Set where the receiver is. Raises ApiError."""
    if row.type == SNMP:
        if place != row.destination:
            raise errors.invalid("Trap hosts are those of support/snmp/traphosts.", "destination")
        return
    try:
        row.destination = PLACES[row.type].parse(place)
    except ValidationError as error:
        raise errors.invalid(" ".join(error.messages), "destination") from error
    require_other(session, PLACES[row.type], row.destination, "destination")


def _by_tls(row: EmsDestination) -> bool:
    if row.type == SYSLOG:
        return row.transport == TLS
    return row.type == REST_API and row.destination.lower().startswith("https:")


def _certificate_uuid(session: Session, values: dict[str, Any]) -> str | None:
    """Return the UUID of the certificate that is meant, None for an empty name. Raises ApiError."""
    if values == {"certificate.name": ""}:
        return None
    if "certificate.name" not in values:
        for field in ("certificate.serial_number", "certificate.ca"):
            if field not in values:
                raise errors.missing(field)
    query = select(Certificate.uuid).filter_by(type=CLIENT)
    for field, value in values.items():
        query = query.filter_by(**{field.removeprefix("certificate."): value})
    uuids = session.scalars(query.limit(2)).all()
    if len(uuids) != 1:
        quoted = " ".join(f'"{value}"' for value in values.values())
        target = "certificate.name" if "certificate.name" in values else "certificate.serial_number"
        raise errors.unknown_reference(
            f"A certificate {quoted} of type client", target, errors.UNKNOWN
        )
    return uuids[0]


def _filters(change: Change, references: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of existing filters, each once. Raises ApiError."""
    names = list(dict.fromkeys(item["name"] for item in references))
    filters_named(change.session, names)
    return names
