"""Destinations of events: the name, the transport and the filters of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.types import EmailAddress, Type
from sanstone.model.events import EMAIL, REST_API, SYSLOG, EmsConfiguration, EmsFilter
from sanstone.rules.destinations import DestinationHost, DestinationUrl

LEGACY, RFC_5424 = "legacy_netapp", "rfc_5424"
NO_OVERRIDE = "no_override"
PLACES: Mapping[str, Type] = {
    SYSLOG: DestinationHost(),
    EMAIL: EmailAddress(),
    REST_API: DestinationUrl(),
}
"""The meaning of `destination`, by type."""


def ems_configuration(session: Session) -> EmsConfiguration:
    """Return the configuration, an empty one if nothing is set."""
    return session.scalar(select(EmsConfiguration)) or EmsConfiguration(
        mail_from="", mail_server="", mail_user="", given_mail_encryption="", proxy_url="",
        proxy_user="", mail_password="", proxy_password="",
    )  # fmt: skip


def filters_named(session: Session, names: Iterable[str]) -> list[EmsFilter]:
    """Return the filters of these names. Raises ApiError for an unknown name."""
    rows = []
    for name in names:
        row = session.scalar(select(EmsFilter).filter_by(name=name))
        if row is None:
            raise errors.unknown_reference(f'filter "{name}"', "filters.name", errors.UNKNOWN)
        rows.append(row)
    return rows
