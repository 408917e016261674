"""`network/ethernet/ports`: the array's Ethernet ports, as observed."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Select, select

from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Reader, Resource, constant, seen
from sanstone.core.types import Boolean, Choice, Integer, Text, Uuid
from sanstone.resources.node import node_fields, the_node
from sanstone.resources.statistics import statistics_fields

KIND = "network/ethernet/ports"
MANAGEMENT_PORT = "e0M"
BROADCAST_DOMAIN = IPSPACE = "Default"
_TYPES = {"vlan": "vlan", "bond": "lag"}


def port_uuid(name: str, reader: Reader) -> str:
    """Return the identity of a port, which follows from the node and the port's name."""
    return str(uuid.uuid5(uuid.UUID(the_node(reader.session).uuid), name))


def _state(row: Observed, _reader: Reader) -> str:
    return "up" if row.data["up"] and row.data["carrier"] else "down"


class EthernetPortResource(Resource[Observed]):
    """Ethernet ports."""

    path = KIND
    doc = "Ethernet ports carry the array's network interfaces."
    model = Observed
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    fields = (
        Field(
            "uuid",
            Uuid(),
            "Identity of the port.",
            get=lambda row, reader: port_uuid(row.key, reader),
        ),
        Field("name", Text(), "Name of the port.", attribute="key"),
        *node_fields(),
        Field(
            "type",
            Choice("physical", "vlan", "lag"),
            "What it is made of.",
            get=lambda row, _: _TYPES.get(row.data["kind"], "physical"),
        ),
        Field("state", Choice("up", "down"), "Whether it has a link.", get=_state),
        Field("enabled", Boolean(), "Whether it is switched on.", get=seen("up")),
        Field("mtu", Integer(68, 65535), "Largest packet in bytes.", get=seen("mtu")),
        Field("mac_address", Text(17), "Hardware address.", get=seen("mac_address")),
        Field(
            "speed",
            Integer(),
            "Megabits per second; absent when the port does not tell.",
            get=lambda row, _: row.data.get("speed") or None,
        ),
        Field(
            "broadcast_domain.name",
            Text(),
            "Its broadcast domain; there is one.",
            get=constant(BROADCAST_DOMAIN),
        ),
        Field("broadcast_domain.ipspace.name", Text(), "Its IPspace.", get=constant(IPSPACE)),
        *statistics_fields(),
    )

    def select(self) -> Select[Any]:
        """Return the observations of ports."""
        return select(Observed).filter_by(kind=KIND)
