"""`network/fc/fabrics`: the Fibre Channel fabrics that the machine's ports are in, as observed.

A fabric is known by the name that it told its ports at their login.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Select, select

from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Items, Reader, Resource
from sanstone.core.types import Text, Uuid
from sanstone.resources.cluster.node import node_fields
from sanstone.resources.network import fc_port
from sanstone.resources.network.port import port_uuid

KIND = "network/fc/fabrics"


class _Connection(NamedTuple):
    """A port of the machine that is in the fabric, and its name."""

    wwpn: str
    name: str


def _connections(row: Observed, reader: Reader) -> Iterable[_Connection]:
    ports = reader.observed(fc_port.KIND)
    for wwpn in row.data["ports"]:
        if wwpn in ports:
            yield _Connection(wwpn, ports[wwpn].data["name"])


class FcFabricResource(Resource[Observed]):
    """Fabrics."""

    path = KIND
    doc = (
        "Fibre Channel fabrics to which the array is connected. Ports that are connected directly "
        "to a host are in none."
    )
    model = Observed
    keys = ("name",)
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    fields = (
        Field("name", Text(23), "World wide name of the fabric.", attribute="key"),
        Items(
            "connections",
            (
                Field("cluster_port.name", Text(), "Name of the port.", attribute="name"),
                Field(
                    "cluster_port.uuid",
                    Uuid(),
                    "Identity of the port.",
                    get=lambda item, reader: port_uuid(item.wwpn, reader.session),
                ),
                Field(
                    "cluster_port.wwpn",
                    Text(23),
                    "World wide name of the port.",
                    attribute="wwpn",
                ),
                node_fields("cluster_port.node")[0],
            ),
            "The machine's ports that are in it.",
            get=_connections,
            bare="cluster_port.name",
        ),
    )

    def select(self) -> Select[Any]:
        """Return the observations of fabrics."""
        return select(Observed).filter_by(kind=KIND)
