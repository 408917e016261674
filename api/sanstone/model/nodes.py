"""The machines that the array runs on.

In a session `this_node` is the node of the machine (`core.own_node`). Where an object has an owner,
that node counts instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Mapped, Session, mapped_column

from sanstone.core import own_node
from sanstone.core.database.change import Owned
from sanstone.core.database.session_value import SessionValue
from sanstone.core.database.statements import every
from sanstone.core.database.store import Base, Identified
from sanstone.core.observed import leave_uncounted

UP, TAKEN_OVER = "up", "taken_over"
"""Whether a node serves requests to the array, or its partner does that for it."""


class Node(Owned, Identified, Base):
    """A machine of the array.

    `number` counts from 1, is never another, and tells apart what hosts see of two nodes.
    `serial_number` is the machine's own, '' where it has none; a machine that lost its file is
    recognized by it. `address` is where its partner reaches it, '' while it has none. `state` is UP
    or TAKEN_OVER.
    """

    __tablename__ = "node"
    kind = "cluster/nodes"

    number: Mapped[int] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(unique=True)
    serial_number: Mapped[str] = mapped_column(default="")
    address: Mapped[str] = mapped_column(default="")
    state: Mapped[str] = mapped_column(default=UP)


leave_uncounted(Node.kind, "memory_available", "uptime")


def name_of(cluster: str, number: int) -> str:
    """Return the name of the node with a number, in ONTAP's form."""
    return f"{cluster}-{number:02}"


def this_node(session: Session) -> Node:
    """Return this machine's node, which is looked up once per session."""
    return _this_node.of(session)


def every_node(session: Session) -> Sequence[Node]:
    """Return all nodes, the first one first."""
    return session.scalars(every(Node, Node.number)).all()


def taking_part(session: Session) -> list[str]:
    """Return the UUIDs of the nodes that serve requests to the array."""
    return [node.uuid for node in every_node(session) if node.state == UP]


def leading_node(session: Session) -> str:
    """Return the UUID of the node that does what the array does once: the first that serves.

    It is '' where none does.
    """
    return next(iter(taking_part(session)), "")


def first_node(session: Session) -> Node:
    """Return the array's first node; identities of the array's own objects follow from it."""
    return _first_node.of(session)


_this_node = SessionValue(lambda session: session.get_one(Node, own_node.uuid()))
_first_node = SessionValue(lambda session: every_node(session)[0])
