"""Ways to the destinations of events: one small class for each type.

A channel has a destination's row and all else that decides where and how events go; two that are
equal lead to the same place in the same way. What the database says of them is parsed again by its
declaration: the user of the API could write to its file.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import ClassVar, Protocol
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import places
from sanstone.core.declaration.types import Choice, EmailAddress, RemoteHost
from sanstone.kernel.host import HostError
from sanstone.kernel.notification import mail, syslog, webhook
from sanstone.kernel.notification.mail import MailServer
from sanstone.kernel.notification.message import Message
from sanstone.kernel.snmp.agent_connection import AgentConnection
from sanstone.kernel.tls import Trust
from sanstone.model.cluster import Cluster
from sanstone.model.events import (
    EMAIL,
    IMPLICIT,
    REST_API,
    SNMP,
    STARTTLS,
    TLS,
    UDP,
    EmsDestination,
)
from sanstone.model.security import SERVER_CA, Certificate
from sanstone.reconcile import snmp_objects
from sanstone.reconcile.declared import as_declared
from sanstone.rules.cluster.event_destinations import (
    NO_OVERRIDE,
    PLACES,
    RFC_5424,
    ems_configuration,
)
from sanstone.rules.cluster.snmp import snmp_configuration
from sanstone.rules.destinations import ProxyUrl


class Channel(Protocol):
    """A way to a destination, which takes at most `batch` events at once."""

    batch: ClassVar[int]

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """Send events. `identity` is the same when they are sent again. Raises OSError."""


@dataclass(frozen=True)
class Syslog:
    """A syslog server."""

    host: str
    port: int
    transport: str
    form: syslog.Form
    trust: Trust
    batch: ClassVar[int] = 100

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """Send all over one connection, or in one datagram each."""
        address = self.host, self.port
        lines = [self.form.render(message) for message in messages]
        if self.transport == UDP:
            syslog.send_udp(address, lines)
        elif self.transport == TLS:
            syslog.send_tls(address, self.trust.context(), lines)
        else:
            syslog.send_tcp(address, self.form, lines)


@dataclass(frozen=True)
class Mailbox:
    """A mail address."""

    address: str
    sender: str
    server: MailServer
    trust: Trust
    batch: ClassVar[int] = 100

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """Send all in one mail."""
        composed = mail.compose(self.sender, self.address, messages, identity)
        mail.send(self.server, self.trust.context(), composed, messages[0].host)


@dataclass(frozen=True)
class WebServer:
    """A web server; of few events at once, since each waits for the answer to the one before."""

    url: str
    proxy: str = field(repr=False)
    trust: Trust
    batch: ClassVar[int] = 10

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """POST one after the other."""
        by = str(places.web_client())
        for message in messages:
            webhook.post(by, self.url, self.trust, self.proxy, message.record)


@dataclass(frozen=True)
class Traps:
    """All SNMP trap hosts, whom the SNMP agent knows; by UDP, so that nobody says what came."""

    batch: ClassVar[int] = 100

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """Have the SNMP agent send one after the other."""
        try:
            with AgentConnection(str(places.snmp_agent()), "events") as agent:
                for message in messages:
                    agent.notify(snmp_objects.EVENT, snmp_objects.notification(message))
        except (FileNotFoundError, ConnectionRefusedError) as error:
            raise OSError("the SNMP agent does not run") from error


@dataclass(frozen=True)
class Silence:
    """A way that is switched off: once back, the destination gets no events from before."""

    batch: ClassVar[int] = 1000

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """Tell nobody."""


@dataclass(frozen=True)
class Nowhere:
    """A way that is lacking, and why."""

    why: str
    batch: ClassVar[int] = 100

    def send(self, messages: Sequence[Message], identity: str) -> None:
        """Raise OSError."""
        raise OSError(self.why)


def channel_to(session: Session, row: EmsDestination) -> Channel:
    """Return the way to a destination."""
    if row.type == SNMP:
        snmp = snmp_configuration(session)
        return Traps() if snmp.enabled and snmp.traps_enabled else Silence()
    try:
        kind = as_declared(Choice(*PLACES), row.type)
        place = as_declared(PLACES[kind], row.destination)
        if kind == EMAIL:
            return _mailbox(session, place)
        if kind == REST_API:
            return WebServer(place, _proxy(session), _trust(session, row.certificate))
        return Syslog(place, row.port, row.transport, _form(session, row), _trust_of(session, row))
    except HostError as error:
        return Nowhere(str(error))


def _form(session: Session, row: EmsDestination) -> syslog.Form:
    """Return the form of a syslog server's messages; its times are local, or in UTC."""
    timestamp = "" if row.timestamp == NO_OVERRIDE else row.timestamp
    standard = row.message_format == RFC_5424
    utc = timestamp == "iso_8601_utc" or (standard and not timestamp)
    zone = UTC if utc else ZoneInfo(session.scalars(select(Cluster)).one().timezone)
    return syslog.Form(standard, timestamp, zone)


def _mailbox(session: Session, address: str) -> Channel:
    row = ems_configuration(session)
    if not row.mail_server or not row.mail_from:
        return Nowhere("mail_server and mail_from of support/ems are not set")
    server = MailServer(
        as_declared(RemoteHost(), row.mail_server),
        row.mail_port,
        tls=row.mail_encryption == IMPLICIT,
        starttls=row.mail_encryption == STARTTLS,
        user=row.mail_user,
        password=row.mail_password,
    )
    return Mailbox(address, as_declared(EmailAddress(), row.mail_from), server, _trust(session))


def _proxy(session: Session) -> str:
    """Return the URL of the proxy with the login there, '' for none."""
    row = ems_configuration(session)
    if not row.proxy_url or not row.proxy_user:
        return row.proxy_url and as_declared(ProxyUrl(), row.proxy_url)
    user, password = (urllib.parse.quote(t, safe="") for t in (row.proxy_user, row.proxy_password))
    parts = urllib.parse.urlsplit(as_declared(ProxyUrl(), row.proxy_url))
    return parts._replace(netloc=f"{user}:{password}@{parts.netloc}").geturl()


def _trust_of(session: Session, row: EmsDestination) -> Trust:
    return _trust(session, row.certificate) if row.transport == TLS else Trust()


def _trust(session: Session, client: Certificate | None = None) -> Trust:
    """Return the trusted authorities: the image's and all installed ones."""
    query = select(Certificate.public_certificate).filter_by(type=SERVER_CA)
    authorities = tuple(session.scalars(query.order_by(Certificate.uuid)))
    if client is None:
        return Trust(authorities)
    chain = client.public_certificate.rstrip("\n") + "\n" + client.intermediates
    return Trust(authorities, chain, client.private_key or "")
