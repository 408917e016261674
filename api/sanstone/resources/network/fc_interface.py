"""`network/fc/interfaces`: Fibre Channel interfaces, the ports at which hosts reach an SVM.

A Linux target serves a port of an adapter under the port's own names, so the first interface at a
port for each data protocol has these; further ones are virtual ports (`virtual_ports`). It never
moves by itself.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone import protocols
from sanstone.core import errors, observed
from sanstone.core.database.change import Change
from sanstone.core.declaration.getters import Unempty
from sanstone.core.declaration.host_types import Wwpn
from sanstone.core.declaration.resource import (
    CREATE,
    WRITE,
    Access,
    Field,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Text, Uuid
from sanstone.core.observed import Seen
from sanstone.model.network import FcInterface
from sanstone.model.nodes import this_node
from sanstone.model.observations import FC_PORTS
from sanstone.model.svm import Svm
from sanstone.protocols import PROTOCOLS
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import require_allowed, svm_reference
from sanstone.resources.network import fc_port
from sanstone.resources.network.interface_removal import remove
from sanstone.rules.cluster.node import at_home, check_node, node_fields, on_its_node
from sanstone.rules.network import endpoints, virtual_ports
from sanstone.rules.network.ports import port_uuid

NAME_TAKEN = "1966140"
NO_PORT, OTHER_PORT, UNKNOWN_PORT = "5374873", "5374871", "5374396"
"""No port is given; its name and UUID do not belong together; there is none such."""
FIGURES = ("iops", "throughput")
"""Figures of hosts' I/O at an interface."""
DATA_PROTOCOLS = tuple(sorted({each.service for each in PROTOCOLS if each.addressing == "wwn"}))
PLACES = ("home_port", "port")
"""Where a request may name the port. They are the same: an interface is always at home."""


def _of_port(fact: str) -> Callable[[FcInterface, Reader], Any]:
    """Return a getter of an observed fact of the interface's port, None if it is not there."""
    return lambda row, reader: reader.seen(FC_PORTS, row.port).get(fact) or None


def _wwnn(row: FcInterface, reader: Reader) -> str | None:
    names = virtual_ports.virtual_names(reader.session, row)
    return names.node if names else reader.seen(FC_PORTS, row.port).get("wwnn") or None


def _state(row: FcInterface, reader: Reader) -> str:
    return str(reader.seen(row.kind, row.key).get("state", "down"))


def _port_fields(place: str, access: Access) -> tuple[Field, ...]:
    """Return the fields of a place of the interface: its port, and the node of that."""
    return (
        Field(
            f"location.{place}.name",
            Text(64, 1),
            "Name of its Fibre Channel port.",
            access=access,
            get=_of_port("name"),
            code=UNKNOWN_PORT,
        ),
        Field(
            f"location.{place}.uuid",
            Uuid(),
            "Identity of that port.",
            access=access,
            get=lambda row, reader: port_uuid(row.node_uuid, row.port),
            code=UNKNOWN_PORT,
        ),
        *node_fields(f"location.{place}.node", access, of=on_its_node),
    )


class FcInterfaceResource(Resource[FcInterface]):
    """Fibre Channel interfaces."""

    path = FcInterface.kind
    doc = (
        "Fibre Channel interfaces are the ports at which SVMs are reached over Fibre Channel. The "
        "first one at a port for each data protocol has the port's own names. Further ones for FCP "
        "are virtual ports (NPIV), where the adapter's driver can make any (`npiv` of the port) "
        "and the port is in a fabric that takes them: each has a WWPN of its own, which it keeps, "
        "and the WWNN of its SVM. While there are any, the first one stays at its port, but may be "
        "switched off. By NVMe there are none. A host's port is refused while no igroup shows it a "
        "LUN, so map one before the host's port comes up. A Linux host that was refused has to "
        "make its port anew: it looks for LUNs at no port that it met as no target. By FCP the "
        "target counts what hosts do, in mebibytes, and commands as one, which are `other`; by "
        "NVMe it counts nothing, so that such an interface has no statistics."
    )
    model = FcInterface
    searched = ("name", "wwpn", "comment")
    fields = (
        Field("uuid", Uuid(), "Identity of the interface."),
        Field(
            "name",
            Text(64, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name within the SVM.",
            access=WRITE,
            required=True,
        ),
        svm_reference(),
        Field(
            "data_protocol",
            Choice(*DATA_PROTOCOLS),
            "Protocol that it serves.",
            access=CREATE,
            required=True,
        ),
        Field(
            "comment",
            Text(254),
            "Comment; an empty one is not shown.",
            access=WRITE,
            default="",
            get=Unempty("comment"),
        ),
        Field("enabled", Boolean(), "Whether it is switched on.", access=WRITE, default=True),
        Field("state", Choice("up", "down"), "Whether it can be reached.", get=_state),
        Field("wwpn", Wwpn(), "World wide name under which hosts see it."),
        Field(
            "virtual",
            Boolean(),
            "Whether it is a virtual port (NPIV), with a name other than its port's.",
            attribute="is_virtual",
        ),
        Field("wwnn", Wwpn(), "World wide name of its node.", get=_wwnn),
        Field(
            "port_address",
            Text(6),
            "Its address in the fabric, six hexadecimal digits; absent without a link.",
            get=lambda row, reader: reader.seen(row.kind, row.key).get("address") or None,
        ),
        *node_fields("location.home_node", of=at_home),
        *_port_fields("home_port", WRITE),
        *node_fields("location.node", of=on_its_node),
        *_port_fields("port", WRITE),
        Field("location.is_home", Boolean(), "It always is.", get=constant(True)),
        *statistics_fields(figures=FIGURES),
    )

    def select(self) -> Select[Any]:
        """Return the interfaces with their SVMs."""
        return select(FcInterface).options(joinedload(FcInterface.svm))

    def create(self, change: Change, values: dict[str, Any]) -> FcInterface:
        """Add an interface."""
        session, svm = change.session, values["svm"]
        fc_port.require_adapter(session)
        protocol = values["data_protocol"]
        _check_name(session, svm, values["name"])
        port = _port(session, values)
        if port is None:
            raise errors.missing("location.home_port", NO_PORT)
        require_allowed(svm, protocols.offered([protocol], rdma="")[0].allowed_by)
        interface = FcInterface(
            uuid=str(uuid.uuid4()),
            home_node_uuid=this_node(session).uuid,
            node_uuid=this_node(session).uuid,
            svm_uuid=svm.uuid,
            **{name: values[name] for name in ("name", "data_protocol", "comment", "enabled")},
        )
        _check_port(port, protocol)
        virtual_ports.settle(session, port, interface, "location.home_port")
        change.add(interface)
        endpoints.ensure(session, interface)
        return interface

    def update(self, change: Change, row: FcInterface, values: dict[str, Any]) -> None:
        """Change an interface. On another port hosts log in anew, mostly under another name."""
        session = change.session
        if values.get("name", row.name) != row.name:
            _check_name(session, row.svm, values["name"])
        port = _port(session, values)
        if port is not None and port.key != row.port:
            _check_port(port, row.data_protocol)
            virtual_ports.require_no_virtual(session, row)
            virtual_ports.settle(session, port, row, "location.home_port")
            endpoints.ensure(session, row, row.endpoints)
        for name in ("name", "comment", "enabled"):
            setattr(row, name, values.get(name, getattr(row, name)))

    def delete(self, change: Change, row: FcInterface, options: dict[str, Any]) -> None:
        """Delete an interface that is in no portset. Hosts keep their other paths."""
        virtual_ports.require_no_virtual(change.session, row)
        remove(change, row)


def _check_name(session: Session, svm: Svm, name: str) -> None:
    if session.scalar(select(FcInterface.uuid).filter_by(svm_uuid=svm.uuid, name=name)):
        text = f'A Fibre Channel interface named "{name}" already exists.'
        raise errors.conflict(text, "name", NAME_TAKEN)


def _port(session: Session, values: dict[str, Any]) -> Seen | None:
    """Return the port that a request names, None if it names none. Raises ApiError."""
    named = {
        (place, key): values[f"location.{place}.{key}"]
        for place in PLACES
        for key in ("name", "uuid")
        if f"location.{place}.{key}" in values
    }
    for place in PLACES:
        check_node(session, values, f"location.{place}.node")
    former = None
    for (place, key), value in named.items():
        target = f"location.{place}.{key}"
        port = _find(session, key, value)
        if port is None:
            text = f'Fibre Channel port "{value}"'
            raise errors.unknown_reference(text, target, UNKNOWN_PORT)
        if former is not None and port.key != former.key:
            text = "The names and UUIDs given do not belong to one Fibre Channel port."
            raise errors.invalid(text, target, OTHER_PORT)
        former = port
    return former


def _find(session: Session, key: str, value: str) -> Seen | None:
    for port in observed.load(session, FC_PORTS).values():
        if value == (port.data["name"] if key == "name" else port_uuid(port.node_uuid, port.key)):
            return port
    return None


def _check_port(port: Seen, protocol: str) -> None:
    """Raise ApiError if a port cannot serve a data protocol."""
    name, supported = port.data["name"], port.data["supported_protocols"]
    if protocol not in supported:
        can = f"only {', '.join(supported)}" if supported else "nothing"
        text = f"Linux serves {can} through port {name}, not {protocol}."
        raise errors.invalid(text, "location.home_port")
