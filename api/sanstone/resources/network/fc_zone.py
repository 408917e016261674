"""`network/fc/fabrics/{fabric.name}/zones`: the zones of a fabric's active zone set."""

from __future__ import annotations

from sanstone.core.declaration.resource import Field, Items
from sanstone.core.declaration.types import Choice, Text
from sanstone.kernel.network.fc_services import MEMBER_TYPES
from sanstone.model.observations import FC_ZONES
from sanstone.resources.network.fc_fabric import CACHE, FABRIC, InFabricResource


class FcZoneResource(InFabricResource):
    """Zones."""

    path = "network/fc/fabrics/{fabric.name}/zones"
    doc = (
        "Zones of a fabric's active zone set, as its zone server tells them: which ports reach "
        "each other. * stands for all fabrics."
    )
    observed_kind = FC_ZONES
    keys = ("fabric.name", "name")
    fields = (
        FABRIC,
        Field(
            "name", Text(64), "Name of the zone.", get=lambda row, _: row.data["name"], always=True
        ),
        *CACHE,
        Items(
            "members",
            (
                Field(
                    "type",
                    Choice(*MEMBER_TYPES.values()),
                    "What `name` is; absent of a member of a vendor's own kind.",
                    get=lambda item, _: item["type"] or None,
                ),
                Field(
                    "name",
                    Text(23),
                    "A WWPN or WWNN, an address such as 0x010300, or domain and port as 1/2.",
                    get=lambda item, _: item["name"] or None,
                ),
            ),
            "Its members.",
            get=lambda row, _: row.data["members"],
        ),
    )
