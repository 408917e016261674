"""`network/fc/fabrics`: the Fibre Channel fabrics that the machine's ports are in, as observed.

A fabric is known by the name that its ports got at their login. The rest is read every some
minutes, as `cache` shows.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from sqlalchemy import Select, select

from sanstone.core import errors
from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import Field, Items, Reader, Resource
from sanstone.core.declaration.types import Boolean, Text, Timestamp, Uuid
from sanstone.core.observed import Observed, shown
from sanstone.model.nodes import this_node
from sanstone.model.observations import FC_FABRICS, FC_PORTS
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.network.ports import port_uuid

ALL = "*"
"""Stands for all fabrics in a path."""
MAXIMUM_AGE = "cache.maximum_age"
_DURATION = r"P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?"
_UNITS = {"D": 86400, "H": 3600, "M": 60, "S": 1}

CACHE_OPTIONS = (
    Field(
        MAXIMUM_AGE,
        Text(32, 2, _DURATION, "an ISO 8601 duration such as PT15M"),
        "Age up to which `cache.is_current` is true.",
        default="PT15M",
    ),
)


def _seconds(duration: str) -> int:
    """Return the seconds of an ISO 8601 duration in days, hours, minutes and seconds."""
    match = re.fullmatch(_DURATION, duration)
    counts = match.groups(default="0") if match else ()
    return sum(int(n) * unit for n, unit in zip(counts, _UNITS.values(), strict=True))


def _duration(seconds: float) -> str:
    """Return a time as an ISO 8601 duration."""
    remaining, text = max(0, round(seconds)), ""
    for letter, unit in list(_UNITS.items())[1:]:
        count, remaining = divmod(remaining, unit)
        text += f"{count}{letter}" if count else ""
    return f"PT{text or '0S'}"


def cache_fields(fabric: Callable[[Any], str]) -> tuple[Field, Field, Field]:
    """Return the fields with the age of the report of a row's fabric."""

    def update_time(row: Any, reader: Reader) -> float | None:
        return reader.seen(FC_FABRICS, fabric(row)).get("time")

    def age(row: Any, reader: Reader) -> str | None:
        moment = update_time(row, reader)
        return None if moment is None else _duration(time.time() - moment)

    def is_current(row: Any, reader: Reader) -> bool:
        moment = update_time(row, reader)
        maximum = _seconds(reader.options.get(MAXIMUM_AGE, CACHE_OPTIONS[0].default))
        return moment is not None and time.time() - moment <= maximum

    return (
        Field("cache.age", Text(), "Time since the fabric's report; absent: never.", get=age),
        Field("cache.is_current", Boolean(), "Whether that is not too long.", get=is_current),
        Field("cache.update_time", Timestamp(), "When the fabric reported it.", get=update_time),
    )


class _Connection(NamedTuple):
    """A port of the machine in the fabric, its name, and the port it is attached to."""

    wwpn: str
    name: str
    switch: str | None
    switch_port: str | None


def _connections(row: Observed, reader: Reader) -> Iterable[_Connection]:
    ports, links = reader.observed(FC_PORTS), row.data.get("links", {})
    for wwpn in row.data["ports"]:
        if wwpn in ports:
            yield _Connection(wwpn, ports[wwpn].data["name"], *links.get(wwpn, (None, None)))


class FcFabricResource(Resource[Observed]):
    """Fabrics."""

    path = FC_FABRICS
    doc = (
        "Fibre Channel fabrics to which the array is connected. Ports that are connected directly "
        "to a host are in none. The fabric itself is queried for its switches and zones every 10 "
        "minutes, where a port's driver can ask (qla2xxx); the others know no more than its name."
    )
    model = Observed
    keys = ("name",)
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    options = CACHE_OPTIONS
    fields = (
        Field("name", Wwpn(), "World wide name of the fabric.", attribute="key"),
        *cache_fields(lambda row: row.key),
        Items(
            "connections",
            (
                Field("cluster_port.name", Text(), "Name of the port.", attribute="name"),
                Field(
                    "cluster_port.uuid",
                    Uuid(),
                    "Identity of the port.",
                    get=lambda item, reader: port_uuid(this_node(reader.session).uuid, item.wwpn),
                ),
                Field(
                    "cluster_port.wwpn",
                    Wwpn(),
                    "World wide name of the port.",
                    attribute="wwpn",
                ),
                node_fields("cluster_port.node")[0],
                Field("switch.wwn", Wwpn(), "Name of the switch, if known.", attribute="switch"),
                Field(
                    "switch.port.wwpn",
                    Wwpn(),
                    "Name of the switch's port, if known.",
                    attribute="switch_port",
                ),
            ),
            "The machine's ports that are in it.",
            get=_connections,
            bare="cluster_port.name",
        ),
        Field(
            "zoneset.name",
            Text(64),
            "The active zone set; absent without one, or if unknown.",
            get=lambda row, _: row.data.get("zone_set") or None,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the observations of fabrics."""
        return select(Observed).where(shown(FC_FABRICS))


def _fabric_of(row: Observed) -> str:
    """Return the fabric of an observation of something in it."""
    return str(row.data["fabric"])


FABRIC = Field(
    "fabric.name", Wwpn(), "The fabric.", get=lambda row, _: _fabric_of(row), always=True
)
"""The fabric of an object in one."""
CACHE = cache_fields(_fabric_of)


class InFabricResource(Resource[Observed]):
    """Base of resources of objects that fabrics report: observations of `observed_kind`.

    Their fields begin with FABRIC, and have CACHE after their names.
    """

    model = Observed
    order = ("key",)
    shared = True
    methods = frozenset({"GET"})
    options = CACHE_OPTIONS
    observed_kind: ClassVar[str]

    def rows(self, reader: Reader) -> Sequence[Any] | None:
        """See Resource. Raises ApiError if the fabric in the path is none, nor stands for all."""
        name = reader.keys.get("fabric.name", ALL)
        if name != ALL and name not in reader.observed(FC_FABRICS):
            raise errors.unknown(f'fabric "{name}"')
        return None

    def select(self) -> Select[Any]:
        """Return the observations."""
        return select(Observed).where(shown(self.observed_kind))
