"""Ports: their desired state, their observed state, and who uses them.

The array's own ports are found, not created. A row of `EthernetPort` is a desired state: settings
that a user gave to a port that was found, or a port on top of others. A link aggregation group
(LAG; ONTAP's shell says interface group, ifgrp) joins ports, its members, which then serve nothing
else; a VLAN is one tag on a port or a LAG. LIFs may be on all of them but on members.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from sanstone.core.database.change import Owned
from sanstone.core.database.statements import every
from sanstone.core.observed import load
from sanstone.model.network import EthernetPort, IpInterface, LagMember

MANAGEMENT_PORT = "e0M"
_FURTHER = ("1", "2", "3")
"""The suffix of a further port's name at the same PCI function, which has four at most."""
DATA_PORTS = frozenset(
    {f"e0{letter}{number}" for letter in ascii_lowercase for number in ("", *_FURTHER)}
    | {f"{MANAGEMENT_PORT}{number}" for number in _FURTHER}
)
"""Ports that are set up by the array, if they are there: all names that the image gives to Ethernet
ports (board/common/overlay/usr/lib/sanstone/port-name) but e0M. Every other one that was found
belongs to the operating system; a LIF may add an address to it, no more."""
BROADCAST_DOMAIN = IPSPACE = "Default"
MTU = 1500
"""Bytes, where no user set more or less: ONTAP's for the broadcast domain Default."""
PHYSICAL, LAG, VLAN = "physical", "lag", "vlan"
_TYPES = {"vlan": VLAN, "bond": LAG}


@dataclass(frozen=True)
class Port(Owned):
    """A port: its desired state, if any, its observed state, and the LAG that it is in."""

    name: str
    desired: EthernetPort | None = None
    seen: Mapping[str, Any] = field(default_factory=dict)
    lag: str = ""

    kind = EthernetPort.kind

    @property
    def key(self) -> str:
        """Return the name."""
        return self.name

    @property
    def type(self) -> str:
        """Return physical, lag or vlan."""
        return (
            self.desired.type if self.desired else _TYPES.get(self.seen.get("kind", ""), PHYSICAL)
        )

    @property
    def ours(self) -> bool:
        """Return whether the array sets it up, as against the operating system."""
        return self.name in DATA_PORTS or self.desired is not None

    @property
    def active(self) -> bool:
        """Return whether it is switched on and has a link."""
        return bool(self.seen.get("up") and self.seen.get("carrier"))


def ports(session: Session) -> dict[str, Port]:
    """Return all ports by name: those that the machine has, and those that are desired."""
    seen = {name: row.data for name, row in load(session, EthernetPort.kind).items() if row.data}
    desired = {row.name: row for row in session.scalars(every(EthernetPort))}
    lags = {member.port: member.lag for member in session.scalars(every(LagMember))}
    return {
        name: Port(name, desired.get(name), seen.get(name, {}), lags.get(name, ""))
        for name in sorted({*seen, *desired})
    }


def mtu(ports_by_name: Mapping[str, Port], name: str) -> int:
    """Return the bytes that a port's packets may have: a VLAN's no more than the port's below."""
    port = ports_by_name.get(name, Port(name))
    if port.lag:
        return mtu(ports_by_name, port.lag)
    own = port.desired.mtu if port.desired else None
    if port.desired and port.desired.base_port:
        below = mtu(ports_by_name, port.desired.base_port)
        return min(own or below, below)
    return own or MTU


def enabled(ports_by_name: Mapping[str, Port], name: str) -> bool:
    """Return whether a port is to be on: a VLAN only while the port below is, a member always."""
    port = ports_by_name.get(name, Port(name))
    on = port.desired is None or port.desired.enabled
    if port.desired and port.desired.base_port:
        return on and enabled(ports_by_name, port.desired.base_port)
    return on or bool(port.lag)


def vlans_on(ports_by_name: Mapping[str, Port], name: str) -> list[EthernetPort]:
    """Return the VLANs on a port."""
    rows = (port.desired for port in ports_by_name.values())
    return [row for row in rows if row is not None and row.base_port == name]


def base(ports_by_name: Mapping[str, Port], name: str) -> str:
    """Return the port below a VLAN, else the port itself."""
    port = ports_by_name.get(name, Port(name))
    below = port.desired.base_port if port.desired else None
    return base(ports_by_name, below) if below else name


def lif_on(session: Session, name: str) -> str:
    """Return the name of a LIF that is on a port, or has its home there, '' for none."""
    there = or_(IpInterface.port == name, IpInterface.home_port == name)
    return session.scalar(select(IpInterface.name).where(there).limit(1)) or ""


def port_uuid(node_uuid: str, name: str) -> str:
    """Return the identity of a port: it follows from the node and the port's name, or its WWPN."""
    return str(uuid.uuid5(uuid.UUID(node_uuid), name))
