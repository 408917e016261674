"""`support/ems`: the mail server and the proxy on the way to destinations of events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Reader, Resource
from sanstone.core.declaration.types import (
    Choice,
    EmailAddress,
    Integer,
    Never,
    Password,
    Text,
    Type,
)
from sanstone.model.events import IMPLICIT, NONE, STARTTLS, EmsConfiguration
from sanstone.resources.without_effect import off
from sanstone.rules.cluster.event_destinations import ems_configuration
from sanstone.rules.destinations import Destination, DestinationHost, ProxyUrl


class _OrNone(Text, Destination):
    """A value of another type, or '' to take it back."""

    def __init__(self, kind: Type, maximum: int) -> None:
        super().__init__(maximum)
        self.kind = kind
        self.good = (*kind.good, "")
        self.bad += tuple(text for text in kind.bad if isinstance(text, str) and text)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        parsed: str = self.kind.parse(text) if text else ""
        return parsed

    def host(self, value: str) -> str:
        """Return the machine that a value names, '' for none."""
        return self.kind.host(value) if value and isinstance(self.kind, Destination) else ""


_COLUMNS = {
    "mail_from": "mail_from",
    "mail_server": "mail_server",
    "mail_server_port": "given_mail_port",
    "mail_server_encryption": "given_mail_encryption",
    "mail_server_user": "mail_user",
    "mail_server_password": "mail_password",
    "proxy_url": "proxy_url",
    "proxy_user": "proxy_user",
    "proxy_password": "proxy_password",
}
"""Columns by field."""


class EmsConfigurationResource(Resource[EmsConfiguration]):
    """The mail server and the proxy on the way to destinations of events.

    Sender and mail server are shown as '' too: NetApp's module takes an empty answer for none.
    """

    path = EmsConfiguration.kind
    doc = "The mail server for events by mail, and the proxy for events to web servers."
    model = EmsConfiguration
    single = True
    keys = ()
    order = ()
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field(
            "mail_from",
            _OrNone(EmailAddress(), 254),
            "Sender of the mails; needed for destinations by mail.",
            access=MODIFY,
        ),
        Field(
            "mail_server",
            _OrNone(DestinationHost(), 253),
            "Host name or IP address of the mail server; needed for destinations by mail.",
            access=MODIFY,
        ),
        Field(
            "mail_server_encryption",
            Choice(NONE, STARTTLS, IMPLICIT),
            "How the mail server is spoken to: unencrypted, by TLS after STARTTLS, or by TLS from "
            "the first byte on. Unless given, STARTTLS where there is a user, else unencrypted. "
            "With TLS the server must prove its name by a certificate that an authority has signed "
            "which is generally known or installed as `server_ca`.",
            access=MODIFY,
            attribute="mail_encryption",
        ),
        Field(
            "mail_server_port",
            Integer(1, 65535),
            "Its port; 25, with STARTTLS 587, with TLS 465 unless given.",
            access=MODIFY,
            attribute="mail_port",
        ),
        Field(
            "mail_server_user",
            Text(255),
            "Name by which the array logs in at the mail server; none for no login.",
            access=MODIFY,
            get=lambda row, _: row.mail_user or None,
        ),
        Field("mail_server_password", Password(0), "Password there.", access=MODIFY, secret=True),
        Field(
            "proxy_url",
            _OrNone(ProxyUrl(), 2048),
            "Proxy on the way to destinations of type `rest_api`; none for no proxy.",
            access=MODIFY,
            get=lambda row, _: row.proxy_url or None,
        ),
        Field(
            "proxy_user",
            Text(255),
            "Name by which the array logs in at the proxy; none for no login.",
            access=MODIFY,
            get=lambda row, _: row.proxy_user or None,
        ),
        Field("proxy_password", Password(0), "Password there.", access=MODIFY, secret=True),
        off("pubsub_enabled", Never(), "Whether events go to a broker of messages, too."),
    )

    def rows(self, reader: Reader) -> Sequence[EmsConfiguration]:
        """Return the one object."""
        return [ems_configuration(reader.session)]

    def update(self, change: Change, row: EmsConfiguration, values: dict[str, Any]) -> None:
        """Set the given fields; '' takes a text back. Raises ApiError for a password in the clear.

        Another server is not sent the password of the one before.
        """
        if values.get("mail_server", row.mail_server) != row.mail_server:
            row.mail_password = ""
        if values.get("proxy_url", row.proxy_url) != row.proxy_url:
            row.proxy_password = ""
        for field, column in _COLUMNS.items():
            if field in values:
                setattr(row, column, values[field])
        if row.mail_user and row.mail_encryption == NONE:
            text = "The password of mail_server_user is not sent unencrypted: use starttls or tls."
            raise errors.invalid(text, "mail_server_encryption")
        change.add(row)
