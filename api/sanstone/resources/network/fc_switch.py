"""`network/fc/fabrics/{fabric.name}/switches`: the switches of a fabric, as it tells them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Items, Reader
from sanstone.core.declaration.types import Choice, Integer, Text
from sanstone.core.observed import Observed
from sanstone.kernel.network.fc_services import PORT_STATES, PORT_TYPES
from sanstone.model.observations import FC_SWITCHES
from sanstone.resources.network.fc_fabric import CACHE, FABRIC, InFabricResource


class _Port(NamedTuple):
    """A port of a switch, with one of the devices that are attached to it."""

    wwpn: str
    type: str
    state: str
    slot: str | None
    attached_device_wwpn: str | None = None
    attached_device_port_id: str | None = None


def _ports(row: Observed, _reader: Reader) -> Iterable[_Port]:
    for port in row.data["ports"]:
        shown = port["wwpn"], port["type"] or "none", port["state"] or "unknown"
        own = _Port(*shown, port["number"] or None)
        # A release that read no addresses may have observed it.
        addresses = port.get("addresses", {})
        for wwpn in port["attached"]:
            yield own._replace(
                attached_device_wwpn=wwpn, attached_device_port_id=addresses.get(wwpn) or None
            )
        if not port["attached"]:
            yield own


def _reported(name: str) -> Any:
    """Return a getter of what the fabric tells of a switch, None for nothing."""
    return lambda row, _: row.data[name] or None


class FcSwitchResource(InFabricResource):
    """Switches."""

    path = "network/fc/fabrics/{fabric.name}/switches"
    doc = (
        "Switches of a fabric, as its configuration server tells them. A port to which several "
        "devices are attached, as virtual ones, is listed with each. * stands for all fabrics."
    )
    observed_kind = FC_SWITCHES
    keys = ("fabric.name", "wwn")
    fields = (
        FABRIC,
        Field("wwn", Wwpn(), "World wide name of the switch.", get=_reported("wwn"), always=True),
        *CACHE,
        Field("name", Text(255), "Its name, if known.", get=_reported("name")),
        Field("domain_id", Integer(1, 239), "Its domain, if known.", get=_reported("domain")),
        Field("vendor", Text(), "Its vendor, if known.", get=_reported("vendor")),
        Field("release", Text(), "Its release, if known.", get=_reported("release")),
        Items(
            "ports",
            (
                Field("wwpn", Wwpn(), "World wide name of the port."),
                Field("slot", Text(), "Its number, if known."),
                Field("state", Choice("unknown", *PORT_STATES.values()), "Its state."),
                Field("type", Choice(*PORT_TYPES.values(), "none"), "Its type."),
                Field(
                    "attached_device.wwpn",
                    Wwpn(),
                    "World wide name of a device's port that is attached to it.",
                ),
                Field(
                    "attached_device.port_id",
                    Text(8),
                    "Address of that port, 0x and six digits; of one in a zone with the array.",
                ),
            ),
            "Its ports.",
            get=_ports,
            bare="wwpn",
        ),
    )
