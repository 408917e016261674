"""`support/snmp`: whether the array speaks SNMP.

The array answers SNMPv2c and SNMPv3 with the host's and the network ports' standard objects
(HOST-RESOURCES-MIB, IF-MIB) and its own (SANSTONE-MIB), for reading alone, at LIFs with
`management_snmp_server` in their service policy and at the management port's own addresses. It is
off until it is enabled, and has no user before one is created.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core import errors, events
from sanstone.core.database.change import Change
from sanstone.core.database.statements import every
from sanstone.core.declaration.resource import MODIFY, Field, Reader, Resource, constant
from sanstone.core.declaration.types import Boolean
from sanstone.model.cluster import Cluster
from sanstone.model.events import TEST_TRAP
from sanstone.model.snmp import SnmpConfiguration, SnmpTraphost
from sanstone.rules.cluster.settings import CONTACT, LOCATION
from sanstone.rules.cluster.snmp import snmp_configuration


def _of_cluster(column: str) -> Any:
    return lambda _row, reader: getattr(reader.session.scalars(every(Cluster)).one(), column)


class SnmpResource(Resource[SnmpConfiguration]):
    """SNMP."""

    path = SnmpConfiguration.kind
    doc = "Whether the array speaks SNMP, and tells trap hosts of events."
    model = SnmpConfiguration
    single = True
    keys = ()
    order = ()
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field(
            "enabled",
            Boolean(),
            "Whether the array speaks SNMP; where it does not, no trap is sent either.",
            access=MODIFY,
        ),
        Field("traps_enabled", Boolean(), "Whether events are sent to trap hosts.", access=MODIFY),
        Field(
            "auth_traps_enabled",
            Boolean(),
            "Whether traps report requests by unknown communities, and with wrong passwords.",
            access=MODIFY,
        ),
        Field(
            "contact",
            CONTACT,
            "Who knows the array: `contact` of `cluster`.",
            access=MODIFY,
            get=_of_cluster("contact"),
        ),
        Field(
            "location",
            LOCATION,
            "Where the array stands: `location` of `cluster`.",
            access=MODIFY,
            get=_of_cluster("location"),
        ),
        Field(
            "trigger_test_trap",
            Boolean(),
            "True sends a trap now, of the event `snmp.test.trap`; never shown.",
            access=MODIFY,
            get=constant(None),
        ),
    )

    def rows(self, reader: Reader) -> Sequence[SnmpConfiguration]:
        """Return the one object."""
        return [snmp_configuration(reader.session)]

    def update(self, change: Change, row: SnmpConfiguration, values: dict[str, Any]) -> None:
        """Set the given fields. Raises ApiError for a test trap without a trap host."""
        for name in ("enabled", "traps_enabled", "auth_traps_enabled"):
            if name in values:
                setattr(row, name, values[name])
        if values.get("trigger_test_trap"):
            _require_hosts(change.session, row)
            text = "This is a test of SNMP traps."
            events.emit(change.session, events.INFORMATIONAL, TEST_TRAP, text)
        cluster = change.session.scalars(select(Cluster)).one()
        for name in ("contact", "location"):
            if name in values:
                setattr(cluster, name, values[name])
        change.add(row)


def _require_hosts(session: Session, row: SnmpConfiguration) -> None:
    """Raise ApiError unless traps go to somebody."""
    if not row.enabled or not row.traps_enabled:
        text = "No trap is sent while enabled or traps_enabled is false."
        raise errors.conflict(text, "trigger_test_trap")
    if not session.scalar(select(func.count()).select_from(SnmpTraphost)):
        text = "There is no trap host."
        raise errors.conflict(text, "trigger_test_trap")
