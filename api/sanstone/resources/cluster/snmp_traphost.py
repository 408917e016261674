"""`support/snmp/traphosts`: machines that receive events as SNMP traps.

A trap is sent as an SNMPv3 user, or without one by SNMPv2c: with the community `public` where
there is such or none at all, else with the first community. All get the events that the filters of
one destination include, `snmp-traphost`, which is there as long as there is a trap host.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Reader, Reference, Resource
from sanstone.core.declaration.types import IpAddress
from sanstone.model.events import SNMP, EmsDestination
from sanstone.model.snmp import SnmpTraphost, SnmpUser
from sanstone.resources.cluster.ems_destination import DEFAULT_FILTER, new_destination
from sanstone.rules.cluster.snmp import TRAP_HOST

MOST = 10
"""Most trap hosts."""
DESTINATION = "snmp-traphost"
"""ONTAP's name for the destination of events that stands for trap hosts."""


def _address(row: SnmpTraphost, reader: Reader) -> Any:
    return reader.seen(SnmpTraphost.kind, row.uuid).get("address")


class SnmpTraphostResource(Resource[SnmpTraphost]):
    """SNMP trap hosts."""

    path = SnmpTraphost.kind
    doc = "Trap hosts receive events by SNMP."
    model = SnmpTraphost
    keys = ("host",)
    order = ("host", "uuid")
    searched = ("host",)
    methods = frozenset({"GET", "POST", "DELETE"})
    fields = (
        Field(
            "host", TRAP_HOST, "Host name or IP address.", access=CREATE, required=True, always=True
        ),
        Field(
            "ip_address",
            IpAddress(),
            "The address to which traps go; none while a name is not known.",
            get=_address,
        ),
        Reference(
            "user",
            SnmpUser,
            "SNMP user of the traps; without one, a community.",
            access=CREATE,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the trap hosts with their users."""
        return select(SnmpTraphost).options(joinedload(SnmpTraphost.user))

    def create(self, change: Change, values: dict[str, Any]) -> SnmpTraphost:
        """Add a trap host, which receives events from now on. Raises ApiError."""
        session, host = change.session, values["host"]
        if session.scalar(select(SnmpTraphost.uuid).filter_by(host=host)):
            text = f'Trap host "{host}" already exists.'
            raise errors.conflict(text, "host", errors.EXISTS)
        if session.scalar(select(func.count()).select_from(SnmpTraphost)) == MOST:
            raise errors.conflict(
                f"There are {MOST} trap hosts already, which is the most.", "host"
            )
        user = values.get("user")
        row = SnmpTraphost(host=host, user_uuid=user.uuid if user else None)
        change.add(row)
        _follow(change)
        return row

    def delete(self, change: Change, row: SnmpTraphost, options: dict[str, Any]) -> None:
        """Delete a trap host."""
        change.delete(row)
        _follow(change)


def _follow(change: Change) -> None:
    """Have the destination stand for the trap hosts that there are."""
    session = change.session
    hosts = session.scalars(select(SnmpTraphost.host).order_by(SnmpTraphost.host)).all()
    row = session.scalar(select(EmsDestination).filter_by(type=SNMP))
    if row and not hosts:
        change.delete(row)
    elif hosts:
        row = row or _new_destination(session)
        row.destination = ", ".join(hosts)
        change.add(row)


def _new_destination(session: Session) -> EmsDestination:
    """Return the destination. Raises ApiError where another one has its name."""
    if session.scalar(select(EmsDestination.uuid).filter_by(name=DESTINATION)):
        text = (
            f'A destination of events has the name "{DESTINATION}", which is for trap hosts: '
            "delete it first."
        )
        raise errors.conflict(text, "host")
    return new_destination(session, DESTINATION, SNMP, [DEFAULT_FILTER])
