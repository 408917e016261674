"""Destinations of events, and their filters."""

from __future__ import annotations

import re

from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified, Secret
from sanstone.core.events import Event
from sanstone.core.observed import leave_uncounted
from sanstone.model.built_in import built_in_uuid
from sanstone.model.security import Certificate

ANY = "*"
Rule = dict[str, str]
"""`type`, `name_pattern` and `severities`; patterns are stored as set."""
SYSLOG, EMAIL, REST_API = "syslog", "email", "rest_api"
SNMP = "snmp"
"""Type of the one destination that stands for all SNMP trap hosts."""
TEST_TRAP = "snmp.test.trap"
"""Name of the event that trap hosts receive whatever the filters say."""
UDP, TCP, TLS = "udp_unencrypted", "tcp_unencrypted", "tcp_encrypted"
PORTS = {UDP: 514, TCP: 601, TLS: 6514}
"""ONTAP's default port for each transport (RFC 5426 3.3, RFC 6587 5, RFC 5425 4.1)."""
NONE, STARTTLS, IMPLICIT = "none", "starttls", "tls"
MAIL_PORTS = {NONE: 25, STARTTLS: 587, IMPLICIT: 465}
"""Default port of a mail server by encryption (RFC 5321 4.5.4.2, RFC 6409 3.1, RFC 8314 3.3)."""


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
    """A receiver of events: `destination` is a host, a mail address or a URL, according to `type`.

    Of type `snmp` there is one while there are trap hosts; their names are its `destination`.
    Transport, message format and time are those of a syslog server, and without meaning for others.
    `since` is the number of the last event before it was created.
    """

    __tablename__ = "ems_destination"
    kind = "support/ems/destinations"
    observed_as = kind, "uuid"

    name: Mapped[str] = mapped_column(unique=True)
    type: Mapped[str] = mapped_column(default=SYSLOG)
    destination: Mapped[str]
    filters: Mapped[list[str]] = mapped_column(JSON, default=list)
    given_port: Mapped[int | None]
    transport: Mapped[str]
    message_format: Mapped[str]
    timestamp: Mapped[str]
    certificate_uuid: Mapped[str | None] = mapped_column(ForeignKey(Certificate.uuid))
    since: Mapped[int]

    certificate: Mapped[Certificate | None] = relationship()

    @property
    def key(self) -> str:
        """Return the name."""
        return self.name

    @property
    def port(self) -> int:
        """Return the port to send to."""
        return self.given_port or PORTS[self.transport]


leave_uncounted(EmsDestination.kind, "told")


class EmsConfiguration(Owned, Identified, Base):
    """The mail server and the proxy on the way to destinations; at most one row.

    Texts that are not set are ''.
    """

    __tablename__ = "ems_configuration"
    kind = "support/ems"

    mail_from: Mapped[str] = mapped_column(default="")
    mail_server: Mapped[str] = mapped_column(default="")
    given_mail_port: Mapped[int | None]
    given_mail_encryption: Mapped[str] = mapped_column(default="")
    mail_user: Mapped[str] = mapped_column(default="")
    mail_password: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    proxy_url: Mapped[str] = mapped_column(default="")
    proxy_user: Mapped[str] = mapped_column(default="")
    proxy_password: Mapped[str] = mapped_column(Secret, default="", nullable=True)

    @property
    def mail_encryption(self) -> str:
        """Return how the mail server is spoken to; a password is never sent in the clear."""
        return self.given_mail_encryption or (STARTTLS if self.mail_user else NONE)

    @property
    def mail_port(self) -> int:
        """Return the mail server's port."""
        return self.given_mail_port or MAIL_PORTS[self.mail_encryption]
