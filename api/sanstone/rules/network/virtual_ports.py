"""Fibre Channel interfaces that are virtual ports (NPIV): names of their own at an adapter's port.

The first interface by FCP at a port is the port itself, since that needs no fabric and nothing of
the driver. Further ones are virtual ports, if the driver can make any, each with a name of its own
that it keeps when it moves. They work as long as the port itself is served, so the first interface
stays while there are others. One that moves to a port without any becomes that port itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from sanstone import protocols
from sanstone.core import errors, names
from sanstone.core.observed import Seen
from sanstone.kernel.target.addresses import WorldWideName
from sanstone.model.cluster import the_cluster
from sanstone.model.network import FcInterface


def virtual_names(session: Session, interface: FcInterface) -> WorldWideName | None:
    """Return the names of an interface that is a virtual port, None of another.

    Its node is that of its SVM, as on ONTAP.
    """
    if not interface.is_virtual:
        return None
    serial = the_cluster(session).serial_number
    node = names.svm_wwnn(serial, interface.svm.number)
    return WorldWideName(node, interface.wwpn, interface.port_wwpn)


def at_port(session: Session, wwpn: str, protocol: str) -> Sequence[FcInterface]:
    """Return the interfaces at a port that serve a data protocol."""
    is_there = or_(FcInterface.wwpn == wwpn, FcInterface.port_wwpn == wwpn)
    query = select(FcInterface).options(joinedload(FcInterface.svm)).where(is_there)
    return session.scalars(query.filter_by(data_protocol=protocol)).all()


def settle(session: Session, port: Seen, interface: FcInterface, target: str) -> None:
    """Put an interface at a port: as the port itself, or as a virtual one. Raises ApiError."""
    protocol, name = interface.data_protocol, port.data["name"]
    others = [each for each in at_port(session, port.key, protocol) if each is not interface]
    if not others:
        interface.wwpn, interface.port_wwpn = port.key, ""
        return
    maximum = port.data.get("virtual_maximum", 0)
    known = filter(None, map(protocols.named, port.data["transports"]))
    if not any(each.virtual_of and each.service == protocol for each in known):
        first = others[0]
        text = (
            f'Port {name} serves {protocol} for interface "{first.name}" of SVM '
            f'"{first.svm.name}" already, and Linux serves {protocol} at no virtual ports (NPIV) '
            f"of it."
        )
        raise errors.conflict(text, target)
    if len(others) > maximum:
        text = (
            f"Port {name} has {len(others)} interfaces for {protocol} already: as many as there "
            f"can be, which are the port itself and the {maximum} virtual ports (NPIV) of its "
            f"driver."
        )
        raise errors.conflict(text, target)
    if not interface.is_virtual:
        serial = the_cluster(session).serial_number
        interface.wwpn = names.virtual_wwpn(serial, interface.uuid)
    interface.port_wwpn = port.key


def require_no_virtual(session: Session, interface: FcInterface) -> None:
    """Raise ApiError where virtual ports are at the port that an interface is itself."""
    if interface.is_virtual:
        return
    for other in at_port(session, interface.wwpn, interface.data_protocol):
        if other is not interface:
            text = (
                f'Interface "{interface.name}" has its port\'s own name, and has to stay as long as'
                f' interface "{other.name}" of SVM "{other.svm.name}" is a virtual port there. '
                f"Delete or move that first; this one may be switched off."
            )
            raise errors.conflict(text, code=errors.IN_USE)
