"""A takeover and a giveback: what they change in the rows, each in one transaction.

A node takes over the aggregates of its partner, the LIFs of SVMs and the orders about data on
shared disks, with their observations and lasting conditions; a Fibre Channel interface and a LIF
for management stay, since they are the machine's own. A new term begins, so that each node reads
everything anew, and a turn of the former term records nothing.

Nobody but the node that takes over works on the aggregates then. That its partner is off, or cannot
write to the disks any more, is for the caller to see to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors, events, observed
from sanstone.core.database import epoch
from sanstone.core.database.change import PACKAGE, RESERVATIONS, Removal
from sanstone.core.long_jobs import LongJob
from sanstone.core.observed import Observed
from sanstone.model.aggregates import Aggregate
from sanstone.model.events import EmsDestination
from sanstone.model.network import IpInterface
from sanstone.model.nodes import TAKEN_OVER, UP, Node, leading_node
from sanstone.model.observations import AGGREGATES_HELD

Row = TypeVar("Row", bound=Any)
OF_MACHINE = PACKAGE, RESERVATIONS
"""Kinds of orders about files of the machine, which stay its own."""


def take_over(session: Session, survivor: Node, partner: Node) -> None:
    """Have a node own and serve what its partner does, which neither runs nor writes any more."""
    aggregates = _of(session, Aggregate, partner)
    orders = [row for row in _of(session, Removal, partner) if row.kind not in OF_MACHINE]
    for job in _long_jobs(session, partner, aggregates, orders):
        job.node_uuid = survivor.uuid
    observed.forget(session, partner.uuid, AGGREGATES_HELD)
    _move(session, survivor, [*aggregates, *orders], _of(session, IpInterface, partner))
    _hand_over(session, partner, survivor)
    _set_state(session, partner, TAKEN_OVER)


def give_back(session: Session, survivor: Node, partner: Node) -> None:
    """Have a node own and serve again the objects at home on it, once the other has released them.

    Orders about an aggregate that is being deleted stay with the node that started that. Raises
    ApiError while a long job is under way about an object to give back.
    """
    at_home = {"home_node_uuid": partner.uuid}
    aggregates = _of(session, Aggregate, survivor, **at_home)
    returned = [aggregate.uuid for aggregate in aggregates]
    orders = [row for row in _of(session, Removal, survivor) if _aggregate(row) in returned]
    if jobs := _long_jobs(session, survivor, aggregates, orders):
        text = f'Node "{survivor.name}" still works on objects to give back: {jobs[0].message}.'
        raise errors.conflict(text)
    _move(session, partner, [*aggregates, *orders], _of(session, IpInterface, survivor, **at_home))
    _hand_over(session, survivor, partner)
    for uuid in returned:
        session.merge(Observed(kind=AGGREGATES_HELD, key=uuid, node_uuid=survivor.uuid, data={}))
    _set_state(session, partner, UP)


def _set_state(session: Session, partner: Node, state: str) -> None:
    """Set whether a node serves. What the array does once, its leading node goes on with."""
    before = leading_node(session)
    partner.state = state
    session.flush()
    if (now := leading_node(session)) != before:
        observed.pass_on(session, before, now, EmsDestination.kind)


def _hand_over(session: Session, before: Node, now: Node) -> None:
    """Pass observations and lasting conditions of objects on to their new owner."""
    observed.hand_over(session, before.uuid, now.uuid)
    events.hand_over(session, before.uuid, now.uuid)


def _of(session: Session, table: type[Row], node: Node, **columns: str) -> Sequence[Row]:
    """Return the rows of a table that are of a node, and have some values."""
    return session.scalars(select(table).filter_by(node_uuid=node.uuid, **columns)).all()


def _move(
    session: Session,
    node: Node,
    owned: Iterable[Aggregate | Removal],
    interfaces: Iterable[IpInterface],
) -> None:
    """Have things be a node's, and interfaces of SVMs be on it, in a new term."""
    for row in owned:
        row.node_uuid = node.uuid
    for interface in interfaces:
        if interface.svm_uuid is not None:
            interface.node_uuid = node.uuid
            for endpoint in interface.endpoints:
                endpoint.node_uuid = node.uuid
    session.flush()
    epoch.begin_term(session)


def _long_jobs(
    session: Session, node: Node, aggregates: Iterable[Aggregate], orders: Iterable[Removal]
) -> list[LongJob]:
    """Return a node's long jobs about aggregates and orders, also those that have ended."""
    owners = {aggregate.owner for aggregate in aggregates}
    uuids = {order.uuid for order in orders}
    rows = _of(session, LongJob, node)
    return [row for row in rows if row.owner in owners or row.uuid in uuids]


def _aggregate(order: Removal) -> str:
    """Return the UUID of the aggregate that an order is about, '' for none."""
    data = order.data if isinstance(order.data, dict) else {}
    return str(data.get("aggregate") or data.get("uuid") or "")
