"""`network/fc/fabrics/{fabric.name}/switches`: the switches of a fabric, as it tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, select

from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Items, Reader, Resource
from sanstone.core.types import Choice, Integer, Text
from sanstone.kernel.network.fc_services import PORT_STATES, PORT_TYPES
from sanstone.resources.network.fc_fabric import (
    CACHE_OPTIONS,
    cache_fields,
    in_fabric,
    require_fabric,
)

KIND = "network/fc/switches"


class _Port(NamedTuple):
    """A port of a switch, with one of the devices that are attached to it."""

    wwpn: str
    type: str
    state: str
    slot: str | None
    attached_device_wwpn: str | None


def _ports(row: Observed, _reader: Reader) -> Iterable[_Port]:
    for port in row.data["ports"]:
        for attached in port["attached"] or (None,):
            shown = port["wwpn"], port["type"] or "none", port["state"] or "unknown"
            yield _Port(*shown, port["number"] or None, attached)


def _told(name: str) -> Any:
    """Return a getter of what the fabric tells of a switch, None for nothing."""
    return lambda row, _: row.data[name] or None


class FcSwitchResource(Resource[Observed]):
    """Switches."""

    path = "network/fc/fabrics/{fabric.name}/switches"
    doc = (
        "Switches of a fabric, as its configuration server tells them. A port to which several "
        "devices are attached, as virtual ones, is listed with each. * stands for all fabrics."
    )
    model = Observed
    keys = ("fabric.name", "wwn")
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    options = CACHE_OPTIONS
    fields = (
        Field(
            "fabric.name", Text(23), "The fabric.", get=lambda row, _: in_fabric(row), always=True
        ),
        Field("wwn", Text(23), "World wide name of the switch.", get=_told("wwn"), always=True),
        *cache_fields(in_fabric),
        Field("name", Text(255), "Its name, if told.", get=_told("name")),
        Field("domain_id", Integer(1, 239), "Its domain, if told.", get=_told("domain")),
        Field("vendor", Text(), "Who made it, if told.", get=_told("vendor")),
        Field("release", Text(), "Its release, if told.", get=_told("release")),
        Items(
            "ports",
            (
                Field("wwpn", Text(23), "World wide name of the port."),
                Field("slot", Text(), "Its number, if told."),
                Field("state", Choice("unknown", *PORT_STATES.values()), "Its state."),
                Field("type", Choice(*PORT_TYPES.values(), "none"), "What it is used as."),
                Field(
                    "attached_device.wwpn",
                    Text(23),
                    "World wide name of a device's port that is attached to it.",
                ),
            ),
            "Its ports.",
            get=_ports,
            bare="wwpn",
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Any] | None:
        """See Resource. Raises ApiError for a fabric that is none."""
        require_fabric(reader)
        return None

    def select(self) -> Select[Any]:
        """Return the observations of switches."""
        return select(Observed).filter_by(kind=KIND)
