"""The fields that name a port in a list of them."""

from __future__ import annotations

from sanstone.core.declaration.resource import READ, Access, Field
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.nodes import this_node
from sanstone.rules.network.ports import port_uuid


def named_port_fields(access: Access = READ) -> tuple[Field, Field]:
    """Return the fields that name a port in a list of them."""
    return (
        Field("name", Text(15, 1), "Name of the port.", access=access),
        Field(
            "uuid",
            Uuid(),
            "Identity of the port.",
            access=access,
            get=lambda row, reader: port_uuid(this_node(reader.session).uuid, row.name),
        ),
    )
