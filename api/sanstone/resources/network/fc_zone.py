"""`network/fc/fabrics/{fabric.name}/zones`: the zones of a fabric's active zone set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select

from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Items, Reader, Resource
from sanstone.core.types import Choice, Text
from sanstone.kernel.network.fc_services import MEMBER_TYPES
from sanstone.resources.network.fc_fabric import (
    CACHE_OPTIONS,
    cache_fields,
    in_fabric,
    require_fabric,
)

KIND = "network/fc/zones"


class FcZoneResource(Resource[Observed]):
    """Zones."""

    path = "network/fc/fabrics/{fabric.name}/zones"
    doc = (
        "Zones of a fabric's active zone set, as its zone server tells them: which ports reach "
        "each other. * stands for all fabrics."
    )
    model = Observed
    keys = ("fabric.name", "name")
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    options = CACHE_OPTIONS
    fields = (
        Field(
            "fabric.name", Text(23), "The fabric.", get=lambda row, _: in_fabric(row), always=True
        ),
        Field(
            "name", Text(64), "Name of the zone.", get=lambda row, _: row.data["name"], always=True
        ),
        *cache_fields(in_fabric),
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

    def rows(self, reader: Reader) -> Sequence[Any] | None:
        """See Resource. Raises ApiError for a fabric that is none."""
        require_fabric(reader)
        return None

    def select(self) -> Select[Any]:
        """Return the observations of zones."""
        return select(Observed).filter_by(kind=KIND)
