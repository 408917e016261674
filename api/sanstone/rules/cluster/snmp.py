"""SNMP: how the array speaks it, and values of users and trap hosts."""

from __future__ import annotations

from sqlalchemy.orm import Session

from sanstone.core.database.session_value import SessionValue
from sanstone.core.database.statements import columns, every
from sanstone.core.declaration.types import Choice, Text
from sanstone.model.cluster import Cluster
from sanstone.model.snmp import SnmpConfiguration
from sanstone.rules.destinations import DestinationHost
from sanstone.security import snmp_keys
from sanstone.security.snmp_keys import AES_128, NONE, SHA, SHA_256

TRAP_HOST = DestinationHost()
USER_NAME = Text(
    32,
    1,
    r"[A-Za-z0-9][A-Za-z0-9._@!+-]*",
    "letters, digits, . _ @ ! + - (a letter or digit first)",
)
ENGINE = Text(64, 10, r"(?:[0-9a-f]{2})*", "hexadecimal digits")
AUTHENTICATION, PRIVACY = Choice(NONE, SHA, SHA_256), Choice(NONE, AES_128)


def snmp_configuration(session: Session) -> SnmpConfiguration:
    """Return the configuration, which is looked up once per session.

    It is that of an array that speaks no SNMP if nothing is set.
    """
    return _configuration.of(session)


def _look_up(session: Session) -> SnmpConfiguration:
    return session.scalar(every(SnmpConfiguration)) or SnmpConfiguration(
        enabled=False, traps_enabled=True, auth_traps_enabled=False
    )


_configuration = SessionValue(_look_up)


def array_engine(session: Session) -> str:
    """Return the id of the array's SNMP engine."""
    return snmp_keys.engine_id(session.scalars(columns(Cluster.uuid)).one())
