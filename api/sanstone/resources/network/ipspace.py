"""`network/ipspaces`: ONTAP's separate address spaces; the array has one.

SVMs, LIFs, ports and routes of all SVMs share it; `Default` is the name that ONTAP's clients send
where they mean no other. Its identity follows from the node's, so that it outlives a new database.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from sanstone.core.declaration.resource import Field, Reader, Resource
from sanstone.core.declaration.types import Text, Uuid
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import first_node
from sanstone.rules.network.ports import IPSPACE


@dataclass(frozen=True)
class Ipspace:
    """The IPspace."""

    name: str
    uuid: str


def the_ipspace(session: Session) -> Ipspace:
    """Return the one IPspace."""
    node = uuid.UUID(first_node(session).uuid)
    return Ipspace(IPSPACE, str(uuid.uuid5(node, f"ipspace {IPSPACE}")))


def ipspace_fields(name: str = "ipspace") -> tuple[Field, Field]:
    """Return the fields that show in which IPspace something is."""
    return (
        Field(
            f"{name}.name",
            Text(),
            "IPspace; there is one.",
            get=lambda _row, reader: the_ipspace(reader.session).name,
        ),
        Field(
            f"{name}.uuid",
            Uuid(),
            "Identity of the IPspace.",
            get=lambda _row, reader: the_ipspace(reader.session).uuid,
        ),
    )


class IpspaceResource(Resource[Ipspace]):
    """The IPspace."""

    path = "network/ipspaces"
    doc = "An IPspace is an address space of its own. The array has one, Default."
    model = Cluster
    shared = True
    methods = frozenset({"GET"})
    refusal = "The array has one IPspace, Default: none can be created, changed or deleted."
    fields = (
        Field("uuid", Uuid(), "Identity of the IPspace."),
        Field("name", Text(), "Name of the IPspace."),
    )

    def rows(self, reader: Reader) -> Sequence[Ipspace]:
        """Return the one IPspace."""
        return [the_ipspace(reader.session)]
