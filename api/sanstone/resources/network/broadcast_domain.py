"""`network/ethernet/broadcast-domains`: ports that ONTAP takes for reaching each other.

A LIF moves among the ports of its home port's domain. ONTAP gives these one MTU; here that is each
port's own (`network/ethernet/ports`). So there is one domain, `Default`, with all ports in it but
those that are in a LAG, as in ONTAP; among them a LIF chooses by known networks
(`rules/network/failover.py`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sanstone.core.declaration.resource import Field, Items, Reader, Resource, constant
from sanstone.core.declaration.types import Integer, Text, Uuid
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import first_node
from sanstone.resources.network.ipspace import ipspace_fields
from sanstone.resources.network.named_port import named_port_fields
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.network.ports import BROADCAST_DOMAIN, MTU, Port, ports


@dataclass(frozen=True)
class BroadcastDomain:
    """The broadcast domain."""

    name: str
    uuid: str


def _ports(_row: BroadcastDomain, reader: Reader) -> Iterable[Port]:
    return (port for port in ports(reader.session).values() if not port.lag)


class BroadcastDomainResource(Resource[BroadcastDomain]):
    """The broadcast domain."""

    path = "network/ethernet/broadcast-domains"
    doc = "A broadcast domain is a set of ports that reach each other. The array has one, Default."
    model = Cluster
    shared = True
    methods = frozenset({"GET"})
    refusal = (
        "The array has one broadcast domain, Default: none can be created, changed or deleted. "
        "The MTU is each port's own (network/ethernet/ports)."
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the domain."),
        Field("name", Text(), "Name of the domain."),
        *ipspace_fields(),
        Field("mtu", Integer(), "Bytes of a packet, where a port has no other.", get=constant(MTU)),
        Items(
            "ports",
            (*named_port_fields(), *node_fields()),
            "Its ports.",
            get=_ports,
        ),
    )

    def rows(self, reader: Reader) -> Sequence[BroadcastDomain]:
        """Return the one domain."""
        node = uuid.UUID(first_node(reader.session).uuid)
        domain = uuid.uuid5(node, f"broadcast domain {BROADCAST_DOMAIN}")
        return [BroadcastDomain(BROADCAST_DOMAIN, str(domain))]
