"""Endpoints of interfaces: where hosts reach each transport, under an id that stays.

An interface has one for each transport that it offers or once offered: where that comes back, hosts
find the ids that they know. Through a Fibre Channel port it offers those that the port can serve. A
transport that another one's endpoints serve too has none of its own (`Protocol.beside`). A release
that knows more transports gives the interfaces that it finds theirs when it starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors, observed
from sanstone.core.database import epoch
from sanstone.model.network import (
    AnyEndpoint,
    FcEndpoint,
    FcInterface,
    Interface,
    IpEndpoint,
    IpInterface,
)
from sanstone.model.observations import FC_PORTS
from sanstone.protocols import Protocol
from sanstone.rules.cluster.numbers import take_number
from sanstone.rules.network.service_policies import transports

LARGEST_ID = 0xFFFF


class EndpointKey(NamedTuple):
    """A kernel target's key of an endpoint."""

    node_uuid: str
    family: str
    id: int


def ensure(session: Session, interface: Interface, existing: Iterable[AnyEndpoint] = ()) -> None:
    """Give an interface the endpoints that it lacks. Raises ApiError when there are no ids left."""
    present = {endpoint.protocol for endpoint in existing}
    table = IpEndpoint if isinstance(interface, IpInterface) else FcEndpoint
    for protocol in _servable(session, interface):
        if protocol.name not in present and not protocol.beside:
            number = take_number(session)
            if number > LARGEST_ID:
                text = f"The array has given all its {LARGEST_ID} numbers to endpoints and SVMs."
                raise errors.conflict(text)
            endpoint = table(
                node_uuid=interface.node_uuid,
                family=protocol.family,
                id=number,
                protocol=protocol.name,
                interface_uuid=interface.uuid,
            )
            session.add(endpoint)
    session.flush()


def _servable(session: Session, interface: Interface) -> list[Protocol]:
    """Return the transports that an interface offers; through a port those that it can serve."""
    offered = transports(interface)
    if isinstance(interface, IpInterface):
        return offered
    port = observed.load(session, FC_PORTS, [interface.port]).get(interface.port)
    return [each for each in offered if port and each.name in port.data["transports"]]


def ensure_all(session: Session) -> None:
    """Give each interface the endpoints that it lacks. Raises ApiError when no ids are left."""
    before = _count(session)
    lifs = select(IpInterface).options(joinedload(IpInterface.endpoints))
    for lif in session.scalars(lifs.order_by(IpInterface.uuid)).unique():
        ensure(session, lif, lif.endpoints)
    ports = select(FcInterface).options(joinedload(FcInterface.endpoints))
    for port in session.scalars(ports.order_by(FcInterface.uuid)).unique():
        ensure(session, port, port.endpoints)
    if _count(session) != before:
        epoch.advance(session)


def transports_at(endpoint: AnyEndpoint, interface: Interface) -> list[Protocol]:
    """Return the transports that an interface offers at one of its endpoints."""
    offered = transports(interface)
    return [each for each in offered if endpoint.protocol in (each.name, each.beside)]


def _count(session: Session) -> int:
    tables = (IpEndpoint, FcEndpoint)
    return sum(session.scalar(select(func.count()).select_from(table)) or 0 for table in tables)


def by_key(session: Session) -> dict[EndpointKey, AnyEndpoint]:
    """Return all endpoints with their interfaces, by what the kernel's targets know them by."""
    return {EndpointKey(row.node_uuid, row.family, row.id): row for row in everywhere(session)}


def everywhere(session: Session) -> list[AnyEndpoint]:
    """Return all endpoints with their interfaces and SVMs, by id."""
    rows: list[AnyEndpoint] = []
    for table, interface in ((IpEndpoint, IpInterface), (FcEndpoint, FcInterface)):
        rows += session.scalars(_with_interfaces(table, interface))
    return sorted(rows, key=lambda row: row.id)


@cache
def _with_interfaces(table: Any, interface: Any) -> Select[Any]:
    related = joinedload(table.interface).joinedload(interface.svm)
    return select(table).options(related)
