"""`network/fc/ports`: the machine's Fibre Channel ports, as observed.

Their services are `network/fc/interfaces`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Resource, constant, seen
from sanstone.core.declaration.types import Boolean, Choice, Integer, ListOf, Text, Uuid
from sanstone.core.observed import Observed, shown
from sanstone.model.network import FC_NVME, FCP
from sanstone.model.nodes import this_node
from sanstone.model.observations import FC_PORTS
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.network.ports import port_uuid

NO_ADAPTER = "5374092"
_STATES = {"online": "online", "linkdown": "link_not_connected", "offline": "offlined_by_system"}
"""ONTAP's states by the kernel's."""


def require_adapter(session: Session) -> None:
    """Raise ApiError when the machine has no Fibre Channel port."""
    if not session.scalar(select(Observed.key).where(shown(FC_PORTS)).limit(1)):
        raise errors.invalid("The array has no Fibre Channel adapter.", code=NO_ADAPTER)


class FcPortResource(Resource[Observed]):
    """Fibre Channel ports."""

    path = FC_PORTS
    doc = (
        "Fibre Channel ports of the machine. Their statistics are in frames, as the driver counts "
        "them: frames to hosts are read, frames from them written. They are absent of a "
        "port with a driver that does not count."
    )
    model = Observed
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    fields = (
        Field(
            "uuid",
            Uuid(),
            "Identity of the port: it follows from its WWPN.",
            get=lambda row, reader: port_uuid(this_node(reader.session).uuid, row.key),
        ),
        Field(
            "name",
            Text(),
            "Where it is plugged in: its PCI address; of FCoE the Ethernet port.",
            get=seen("name"),
        ),
        *node_fields(),
        Field(
            "description",
            Text(),
            "What its driver says of it.",
            get=lambda row, _: row.data["description"] or None,
        ),
        Field("wwnn", Wwpn(), "World wide name of its node.", get=seen("wwnn")),
        Field("wwpn", Wwpn(), "World wide name of the port.", attribute="key"),
        Field(
            "state",
            Choice(*_STATES.values(), "unknown"),
            "Whether it has a link.",
            get=lambda row, _: _STATES.get(row.data["state"], "unknown"),
        ),
        Field(
            "physical_protocol",
            Choice("fibre_channel", "ethernet"),
            "What its cable carries.",
            get=seen("physical_protocol"),
        ),
        Field(
            "supported_protocols",
            ListOf(Choice(FCP, FC_NVME), 2),
            "Protocols that Linux can serve with its driver.",
            get=seen("supported_protocols"),
        ),
        Field(
            "npiv.maximum",
            Integer(),
            "Virtual ports (NPIV) that its driver can make at it.",
            get=lambda row, _: row.data.get("virtual_maximum", 0),
        ),
        Field(
            "npiv.in_use",
            Integer(),
            "Virtual ports that are at it.",
            get=lambda row, _: row.data.get("virtual_in_use", 0),
        ),
        Field("enabled", Boolean(), "Whether it is switched on: always.", get=constant(True)),
        Field(
            "waits_for_restart",
            Boolean(),
            "Whether its driver serves an interface only after the node restarts.",
            get=lambda row, _: bool(row.data.get("waits_for_restart")),
        ),
        Field("speed.configured", Choice("auto"), "It is negotiated.", get=constant("auto")),
        Field(
            "speed.maximum",
            Text(),
            "Most gigabits per second; absent when the driver does not tell.",
            get=lambda row, _: str(row.data["maximum"]) if row.data["maximum"] else None,
        ),
        Field(
            "fabric.connected",
            Boolean(),
            "Whether it is in a fabric.",
            get=lambda row, _: bool(row.data["fabric"]),
        ),
        Field(
            "fabric.connected_speed",
            Integer(),
            "Gigabits per second; absent without a link.",
            get=lambda row, _: row.data["speed"] or None,
        ),
        Field(
            "fabric.name",
            Wwpn(),
            "World wide name of the fabric.",
            get=lambda row, _: row.data["fabric"] or None,
        ),
        Field(
            "fabric.port_address",
            Text(6),
            "The port's address in the fabric, six hexadecimal digits.",
            get=lambda row, _: row.data["address"] or None,
        ),
        *statistics_fields(lambda row: (FC_PORTS, row.key)),
    )

    def select(self) -> Select[Any]:
        """Return the observations of ports."""
        return select(Observed).where(shown(FC_PORTS))
