"""Destinations of events, and their filters."""

from __future__ import annotations

import re

from sqlalchemy import JSON
from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.change import Owned
from sanstone.core.events import Event
from sanstone.core.store import Base, Identified
from sanstone.model.built_in import built_in_uuid

ANY = "*"
Rule = dict[str, str]
"""`type`, `name_pattern` and `severities`; patterns are stored as set."""
UDP, TCP = "udp_unencrypted", "tcp_unencrypted"
PORTS = {UDP: 514, TCP: 601}
"""ONTAP's default port for each transport (RFC 5426 3.3, RFC 6587 5)."""


class EmsFilter(Owned, Identified, Base):
    """A filter and its rules, in order."""

    __tablename__ = "ems_filter"
    kind = "support/ems/filters"

    name: Mapped[str] = mapped_column(unique=True)
    rules: Mapped[list[Rule]] = mapped_column(JSON, default=list)

    @property
    def key(self) -> str:
        """Return the name."""
        return self.name

    @property
    def system_defined(self) -> bool:
        """Return whether every array has the filter."""
        return self.uuid == built_in_uuid(self.kind, self.name)

    def includes(self, event: Event) -> bool:
        """Return whether the filter includes an event."""
        for rule in self.rules:
            severities, pattern = rule["severities"].split(","), rule["name_pattern"]
            fits = severities == [ANY] or event.severity in severities
            if fits and _matches(pattern, event.name):
                return rule["type"] == "include"
        return False


def _matches(pattern: str, name: str) -> bool:
    parts = (re.escape(part) for part in pattern.split(ANY))
    return re.fullmatch(".*".join(parts), name) is not None


class EmsDestination(Owned, Identified, Base):
    """A syslog server. `since` is the number of the last event before it was created."""

    __tablename__ = "ems_destination"
    kind = "support/ems/destinations"
    observed_as = kind, "uuid"

    name: Mapped[str] = mapped_column(unique=True)
    destination: Mapped[str]
    filters: Mapped[list[str]] = mapped_column(JSON, default=list)
    given_port: Mapped[int | None]
    transport: Mapped[str]
    message_format: Mapped[str]
    timestamp: Mapped[str]
    since: Mapped[int]

    @property
    def key(self) -> str:
        """Return the name."""
        return self.name

    @property
    def port(self) -> int:
        """Return the port to send to."""
        return self.given_port or PORTS[self.transport]
