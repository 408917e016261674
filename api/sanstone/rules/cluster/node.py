"""The fields of the nodes that objects are on, and their parameters in requests.

ONTAP's clients expect a node everywhere: disks, aggregates, ports and volumes are all shown with
theirs. `node_fields` declares it for them and `check_node` checks it in a request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.resource import READ, Access, Field, Getter, Reader
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.nodes import Node, this_node

POWER = "node.power"
"""The kind of long jobs that restart the machine or shut it down."""
REBOOT, SHUTDOWN = "reboot", "shutdown"


def _on_this_node(_row: Any, reader: Reader) -> Node:
    return this_node(reader.session)


def on_its_node(row: Any, reader: Reader) -> Node | None:
    """Return the node that `node_uuid` of a row, or an observation, names."""
    return reader.row(Node, row.node_uuid)


def at_home(row: Any, reader: Reader) -> Node | None:
    """Return the node that is home to a row."""
    return reader.row(Node, row.home_node_uuid)


def on_its_aggregates_node(row: Any, reader: Reader) -> Node | None:
    """Return the node that owns the aggregate of a row's volume."""
    return on_its_node(row.volume.aggregate, reader)


def node_fields(
    name: str = "node",
    access: Access = READ,
    of: Callable[[Any, Reader], Node | None] = _on_this_node,
) -> tuple[Field, Field]:
    """Return the fields `<name>.name` and `<name>.uuid` of the node that something is `of`."""

    def get(part: str) -> Getter:
        return lambda row, reader: getattr(of(row, reader), part, None)

    return (
        Field(
            f"{name}.name",
            Text(64),
            "Name of the node.",
            access=access,
            get=get("name"),
        ),
        Field(
            f"{name}.uuid",
            Uuid(),
            "Identity of the node.",
            access=access,
            get=get("uuid"),
        ),
    )


def check_node(session: Session, values: dict[str, Any], name: str = "node") -> None:
    """Raise ApiError when a request names a node other than the existing one."""
    node = this_node(session)
    for part, own in (("name", node.name), ("uuid", node.uuid)):
        value = values.get(f"{name}.{part}", own)
        if value != own:
            target = f"{name}.{part}"
            raise errors.unknown_reference(f'node "{value}"', target, errors.UNKNOWN)
