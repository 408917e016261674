"""`network/ip/routes`: routes of an SVM or, without one, of the array's management.

A route counts at the ports of those LIFs of its SVM that have its gateway in their network (see
`kernel/network/net.py`). At least one such LIF is required when a route is created; a route whose
last one goes waits until one comes back. Where two routes to one destination share a port they need
different metrics, since the kernel holds one route for each destination and metric of a table.
Routes of the management lead what the array itself asks, too, such as servers of time and names,
where DHCP has named no route to the same destination.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Items, Reader, Resource
from sanstone.core.declaration.types import Choice, Integer, IpAddress, Netmask, Text, Uuid
from sanstone.model.network import IpInterface, IpRoute
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.network.ipspace import ipspace_fields
from sanstone.rules.network.addresses import DESTINATION, GATEWAY, on_link

ROUTE_EXISTS, OTHER_FAMILY, NO_DESTINATION = "1966345", "1966265", "1967080"


def _lifs(session: Session, svm_uuid: str | None) -> Sequence[IpInterface]:
    lifs = select(IpInterface).filter_by(svm_uuid=svm_uuid).order_by(IpInterface.name)
    return session.scalars(lifs).all()


def _on_link(session: Session, svm_uuid: str | None, gateway: str) -> list[IpInterface]:
    """Return the SVM's LIFs that have a gateway in their network."""
    return [lif for lif in _lifs(session, svm_uuid) if on_link(lif, svm_uuid, gateway)]


def _all_lifs(session: Session) -> Sequence[IpInterface]:
    return session.scalars(select(IpInterface).order_by(IpInterface.name)).all()


def _interfaces(row: IpRoute, reader: Reader) -> Sequence[IpInterface]:
    lifs = reader.once(_all_lifs)
    return [lif for lif in lifs if on_link(lif, row.svm_uuid, row.gateway)]


class IpRouteResource(Resource[IpRoute]):
    """Routes."""

    path = "network/ip/routes"
    doc = "Routes lead from an SVM's interfaces to networks behind gateways."
    model = IpRoute
    order = ("address", "uuid")
    methods = frozenset({"GET", "POST", "DELETE"})
    confirmable = True
    fields = (
        Field("uuid", Uuid(), "Identity of the route."),
        svm_reference(required=False, always=True),
        Field(
            "scope",
            Choice("svm", "cluster"),
            "Whether it belongs to an SVM or to the array's management.",
            get=lambda row, _: "svm" if row.svm_uuid else "cluster",
        ),
        Field(
            "destination.address",
            DESTINATION,
            "Network that it leads to; everything when not given.",
            access=CREATE,
            attribute="address",
            always=True,
        ),
        Field(
            "destination.netmask",
            Netmask(),
            "Length of the network's prefix.",
            access=CREATE,
            attribute="prefix_length",
            always=True,
        ),
        Field("destination.family", Choice("ipv4", "ipv6"), "Its family.", attribute="family"),
        Field("gateway", GATEWAY, "The next hop.", access=CREATE, required=True, always=True),
        Field(
            "metric",
            Integer(1, 2**32 - 1),
            "Preference among routes to one network; the lowest wins.",
            access=CREATE,
            default=20,
        ),
        *ipspace_fields(),
        Items(
            "interfaces",
            (
                Field("name", Text(), "Name of the interface."),
                Field("uuid", Uuid(), "Identity of the interface."),
                Field("ip.address", IpAddress(), "Its address.", attribute="address"),
            ),
            "Interfaces on the gateway's network.",
            get=_interfaces,
            costly=True,
        ),
    )

    def select(self) -> Select[Any]:
        """Return the routes with their SVMs."""
        return select(IpRoute).options(joinedload(IpRoute.svm))

    def create(self, change: Change, values: dict[str, Any]) -> IpRoute:
        """Add a route; where the SVM has no interfaces yet, it comes into force with the first."""
        svm, gateway, session = values.get("svm"), values["gateway"], change.session
        svm_uuid = svm.uuid if svm else None
        destination = _destination(values)
        if destination.version != ipaddress.ip_address(gateway).version:
            text = f"{gateway} is not of the family of {destination}."
            raise errors.invalid(text, "gateway", OTHER_FAMILY)
        place = {
            "svm_uuid": svm_uuid,
            "address": str(destination.network_address),
            "prefix_length": destination.prefixlen,
        }
        lifs = _on_link(session, svm_uuid, gateway)
        unreached = not lifs and _lifs(session, svm_uuid)
        if unreached or any(lif.address == gateway for lif in lifs):
            text = f"{gateway} is not a neighbour: no interface of the SVM is on its network."
            raise errors.invalid(text, "gateway")
        ports = {lif.port for lif in lifs}
        for other in session.scalars(select(IpRoute).filter_by(**place)):
            there = {lif.port for lif in _on_link(session, svm_uuid, other.gateway)}
            same_metric = other.metric == values["metric"] and bool(ports & there)
            if other.gateway == gateway or same_metric:
                text = (
                    f"A route to {destination} over {other.gateway} with metric {other.metric} "
                    "already exists."
                )
                raise errors.conflict(text, "destination", ROUTE_EXISTS)
        route = IpRoute(gateway=gateway, metric=values["metric"], **place)
        change.add(route)
        return route

    def delete(self, change: Change, row: IpRoute, options: dict[str, Any]) -> None:
        """Delete a route."""
        change.delete(row)


def _destination(values: dict[str, Any]) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Return the network that a request means. Raises ApiError."""
    address, prefix_length = values.get("destination.address"), values.get("destination.netmask")
    if address is None and prefix_length is None:
        version = ipaddress.ip_address(values["gateway"]).version
        return ipaddress.ip_network("0.0.0.0/0" if version == 4 else "::/0")
    if address is None:
        raise errors.missing("destination.address", NO_DESTINATION)
    if "/" not in address:
        if prefix_length is None and not ipaddress.ip_address(address).is_unspecified:
            raise errors.missing("destination.netmask", NO_DESTINATION)
        address = f"{address}/{prefix_length or 0}"
    elif prefix_length is not None:
        text = "The prefix length is given twice."
        raise errors.invalid(text, "destination.netmask", errors.GIVEN_TWICE)
    try:
        return ipaddress.ip_network(address)
    except ValueError as error:
        text = f"{address} is not a network: {error}."
        raise errors.invalid(text, "destination") from error
