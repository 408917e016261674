"""The node: the machine that the array runs on. There is one.

ONTAP's clients expect it everywhere: disks, aggregates, ports and volumes are all shown with
theirs. `node_fields` declares it for them and `check_node` checks it in a request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Owned
from sanstone.core.database.session_value import SessionValue
from sanstone.core.database.statements import every
from sanstone.core.declaration.resource import READ, Access, Field
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.cluster import Cluster
from sanstone.model.observations import NODES

POWER = "node.power"
"""The kind of long jobs that restart the machine or shut it down."""
REBOOT, SHUTDOWN = "reboot", "shutdown"


@dataclass(frozen=True)
class Node(Owned):
    """The node: its identity, and the array's row for the rest."""

    name: str
    uuid: str
    cluster: Cluster

    kind = NODES


def the_node(session: Session) -> Node:
    """Return the node, which is looked up once per session."""
    return _node.of(session)


def _look_up(session: Session) -> Node:
    cluster = session.scalars(every(Cluster)).one()
    return Node(cluster.node_name, cluster.node_uuid, cluster)


_node = SessionValue(_look_up)


def node_fields(name: str = "node", access: Access = READ) -> tuple[Field, Field]:
    """Return the fields `<name>.name` and `<name>.uuid` of something that is on the node."""
    return (
        Field(
            f"{name}.name",
            Text(64),
            "Name of the node.",
            access=access,
            get=lambda _row, reader: the_node(reader.session).name,
        ),
        Field(
            f"{name}.uuid",
            Uuid(),
            "Identity of the node.",
            access=access,
            get=lambda _row, reader: the_node(reader.session).uuid,
        ),
    )


def check_node(session: Session, values: dict[str, Any], name: str = "node") -> None:
    """Raise ApiError when a request names a node other than the existing one."""
    node = the_node(session)
    for part, own in (("name", node.name), ("uuid", node.uuid)):
        value = values.get(f"{name}.{part}", own)
        if value != own:
            target = f"{name}.{part}"
            raise errors.unknown_reference(f'node "{value}"', target, errors.UNKNOWN)
