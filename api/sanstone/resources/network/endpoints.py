"""Endpoints of LIFs: where hosts reach each transport, under an id that stays.

A LIF has one for each transport that it offers or once offered: where that comes back, hosts find
the ids that they know. A transport that another one's endpoints serve too has none of its own
(`Protocol.beside`). A release that knows more transports gives the LIFs that it finds theirs when
it starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import epoch, errors
from sanstone.model.network import Endpoint, IpInterface
from sanstone.protocols import Protocol
from sanstone.resources.cluster.svm import take_number
from sanstone.resources.network.service_policies import transports

LARGEST_ID = 0xFFFF


class EndpointKey(NamedTuple):
    """What a kernel's target knows an endpoint by."""

    node_uuid: str
    family: str
    id: int


def ensure(session: Session, lif: IpInterface, existing: Iterable[Endpoint] = ()) -> None:
    """Give a LIF the endpoints that it lacks. Raises ApiError when there are no ids left."""
    present = {endpoint.protocol for endpoint in existing}
    for protocol in transports(lif):
        if protocol.name not in present and not protocol.beside:
            number = take_number(session)
            if number > LARGEST_ID:
                text = f"The array has given all its {LARGEST_ID} numbers to endpoints and SVMs."
                raise errors.conflict(text)
            endpoint = Endpoint(
                node_uuid=lif.node_uuid,
                family=protocol.family,
                id=number,
                protocol=protocol.name,
                interface_uuid=lif.uuid,
            )
            session.add(endpoint)
    session.flush()


def ensure_all(session: Session) -> None:
    """Give each LIF the endpoints that it lacks. Raises ApiError when there are no ids left."""
    count = select(func.count()).select_from(Endpoint)
    before = session.scalar(count)
    lifs = select(IpInterface).options(joinedload(IpInterface.endpoints))
    for lif in session.scalars(lifs.order_by(IpInterface.uuid)).unique():
        ensure(session, lif, lif.endpoints)
    if session.scalar(count) != before:
        epoch.advance(session)


def transports_at(endpoint: Endpoint, lif: IpInterface) -> list[Protocol]:
    """Return the transports that a LIF offers at one of its endpoints."""
    return [each for each in transports(lif) if endpoint.protocol in (each.name, each.beside)]


def by_key(session: Session) -> dict[EndpointKey, Endpoint]:
    """Return all endpoints with their LIFs, by what the kernel's targets know them by."""
    rows = session.scalars(select(Endpoint).options(joinedload(Endpoint.interface)))
    return {EndpointKey(row.node_uuid, row.family, row.id): row for row in rows}
