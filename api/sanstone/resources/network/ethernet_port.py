"""`network/ethernet/ports`: the array's Ethernet ports, LAGs and VLANs (see `rules.network.ports`).

Physical ports are discovered; LAGs and VLANs are created, by `lag` or `vlan` in the request. The
array names them: the next free one of a0a, a0b … for a LAG, `<port>-<tag>` for a VLAN. ONTAP's
shell sends such a name itself, so a request may contain it; a VLAN's name implies port and tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    CREATE,
    WRITE,
    Field,
    Getter,
    Items,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import Boolean, Choice, Integer, ListOf, Text, Uuid
from sanstone.core.observed import Observed
from sanstone.model.network import EthernetPort
from sanstone.model.nodes import this_node
from sanstone.protocols import IWARP, ROCE
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.network import port_changes
from sanstone.resources.network.named_port import named_port_fields
from sanstone.resources.without_effect import fixed
from sanstone.rules.cluster.node import node_fields
from sanstone.rules.network.ports import (
    BROADCAST_DOMAIN,
    IPSPACE,
    LAG,
    PHYSICAL,
    VLAN,
    Port,
    port_uuid,
    ports,
)


def _port(name: str, reader: Reader) -> Port:
    row = reader.observed(EthernetPort.kind).get(name)
    return Port(name, seen=row.data if row else {})


def _members(row: Port, reader: Reader) -> Sequence[Port]:
    """Return the ports of a LAG; of one that the array did not create, the observed ones."""
    if row.desired:
        return [_port(name, reader) for name in row.desired.member_names]
    candidates = (
        Port(name, seen=seen.data) for name, seen in reader.observed(EthernetPort.kind).items()
    )
    return [port for port in candidates if port.seen.get("master") == row.name]


def _active_members(row: Port, reader: Reader) -> Sequence[Port]:
    return [m for m in _members(row, reader) if m.active and m.seen.get("master") == row.name]


def _state(row: Port, reader: Reader) -> str:
    if not row.active:
        return "down"
    whole = len(_active_members(row, reader)) == len(_members(row, reader))
    return "up" if whole else "degraded"


def _enabled(row: Port, _reader: Reader) -> bool:
    return row.desired.enabled if row.desired else bool(row.seen.get("up"))


def _mtu(row: Port, _reader: Reader) -> int | None:
    return row.seen.get("mtu") or (row.desired.mtu if row.desired else None)


def _desired(column: str) -> Getter:
    return lambda row, _reader: getattr(row.desired, column) if row.desired else None


def _member_fields() -> tuple[Field, ...]:
    """Return the fields of a port that is in a LAG."""
    return *named_port_fields(WRITE), *node_fields(access=WRITE)


def _of_vlan(read: Getter) -> Getter:
    """Return a getter for what only a VLAN has."""
    return lambda row, reader: read(row, reader) if row.desired and row.desired.base_port else None


def _base_port_uuid(row: Port, reader: Reader) -> str:
    base_port = row.desired.base_port if row.desired else None
    return port_uuid(this_node(reader.session).uuid, base_port or "")


def _base_node_fields() -> tuple[Field, ...]:
    """Return the fields of the node that the port below a VLAN is on."""
    fields = node_fields("vlan.base_port.node", CREATE)
    return tuple(replace(field, get=_of_vlan(field.read)) for field in fields)


class EthernetPortResource(Resource[Port]):
    """Ethernet ports."""

    path = EthernetPort.kind
    doc = "Ethernet ports, physical ones, LAGs and VLANs, carry the array's network interfaces."
    model = Observed
    order = ("name",)
    shared = True
    confirmable = True
    fields = (
        Field(
            "uuid",
            Uuid(),
            "Identity of the port.",
            get=lambda row, reader: port_uuid(this_node(reader.session).uuid, row.name),
        ),
        Field(
            "name",
            Text(15, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name of the port; that of a new one may be left to the array.",
            access=CREATE,
        ),
        *node_fields(access=CREATE),
        Field(
            "type",
            Choice(PHYSICAL, VLAN, LAG),
            "Its type; follows from lag or vlan in the request.",
            access=CREATE,
        ),
        Field("state", Choice("up", "down", "degraded"), "Whether it has a link.", get=_state),
        Field(
            "enabled",
            Boolean(),
            "Whether it is switched on.",
            access=WRITE,
            default=True,
            get=_enabled,
        ),
        Field(
            "mtu",
            Integer(68, 65535),
            "Largest packet in bytes; a VLAN has that of its port unless set lower.",
            access=WRITE,
            get=_mtu,
        ),
        Field(
            "mac_address",
            Text(17),
            "Hardware address.",
            get=lambda row, _: row.seen.get("mac_address"),
        ),
        Field(
            "speed",
            Integer(),
            "Megabits per second; absent when the port does not tell.",
            get=lambda row, _: row.seen.get("speed") or None,
        ),
        Field(
            "rdma_protocols",
            ListOf(Choice(ROCE, IWARP), 2),
            "What its adapter does of RDMA, or that of the port below a VLAN. For others the array "
            "does it by software where a LIF asks for it.",
            get=lambda row, _: [each for each in (ROCE, IWARP) if row.seen.get(each)] or None,
        ),
        fixed(
            "flowcontrol_admin",
            Choice("none", "receive", "send", "full", "pfc"),
            "Absent: flow control is left to the driver.",
        ),
        Field(
            "lag.mode",
            Choice("multimode", "multimode_lacp", "singlemode"),
            "All members at a time, the same as agreed with the switch, or one at a time.",
            access=WRITE,
            get=_desired("lag_mode"),
        ),
        Field(
            "lag.distribution_policy",
            Choice("port", "ip", "mac", "sequential"),
            "What of a packet says which member it leaves by; sequential takes them in turn.",
            access=WRITE,
            get=_desired("lag_policy"),
        ),
        Items("lag.member_ports", _member_fields(), "Its ports.", access=WRITE, get=_members),
        Items(
            "lag.active_ports",
            named_port_fields(),
            "Those of its ports that have a link.",
            get=_active_members,
        ),
        Field(
            "vlan.base_port.name",
            Text(15, 1),
            "Name of the port or LAG that it is on.",
            access=CREATE,
            get=_desired("base_port"),
        ),
        Field(
            "vlan.base_port.uuid",
            Uuid(),
            "Identity of that port.",
            access=CREATE,
            get=_of_vlan(_base_port_uuid),
        ),
        *_base_node_fields(),
        Field("vlan.tag", Integer(1, 4094), "Its tag.", access=CREATE, get=_desired("tag")),
        Field(
            "broadcast_domain.name",
            Choice(BROADCAST_DOMAIN),
            "Its broadcast domain; there is one.",
            access=WRITE,
            get=constant(BROADCAST_DOMAIN),
        ),
        Field(
            "broadcast_domain.ipspace.name",
            Choice(IPSPACE),
            "Its IPspace; there is one.",
            access=WRITE,
            get=constant(IPSPACE),
        ),
        *statistics_fields(),
    )

    def rows(self, reader: Reader) -> Sequence[Port]:
        """Return all ports."""
        return list(ports(reader.session).values())

    def create(self, change: Change, values: dict[str, Any]) -> Port:
        """Make a LAG or a VLAN."""
        return port_changes.create(change, values)

    def update(self, change: Change, row: Port, values: dict[str, Any]) -> None:
        """Change a port; its VLANs follow."""
        port_changes.update(change, row, values)

    def delete(self, change: Change, row: Port, options: dict[str, Any]) -> None:
        """Delete a LAG or a VLAN on which nothing is."""
        port_changes.delete(change, row)
