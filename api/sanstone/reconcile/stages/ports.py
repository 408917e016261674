"""Ports as the kernel shall have them: LAGs are bonds, and settings go from ports to VLANs."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from sanstone.kernel.host import Bond, FileError, Link, Vlan
from sanstone.kernel.network import net
from sanstone.kernel.network.links import DesiredLink
from sanstone.model.network import EthernetPort
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.port import (
    DATA_PORTS,
    LAG,
    PHYSICAL,
    VLAN,
    Port,
    enabled,
    mtu,
    port_uuid,
    ports,
)

MODES = {"multimode": "balance-xor", "multimode_lacp": "802.3ad", "singlemode": "active-backup"}
IN_TURN = "balance-rr"
"""The mode of a LAG whose policy is sequential and that may use several ports at a time."""
HASH_POLICIES = {"port": "layer3+4", "ip": "layer2+3", "mac": "layer2", "sequential": "layer2"}
"""By ONTAP's distribution policy. What takes its ports in turn, or one only, has no use for it."""


def links(turn: Turn) -> tuple[DesiredLink, ...]:
    """Return the wanted bonds and VLANs."""
    rows = turn.session.scalars(select(EthernetPort).order_by(EthernetPort.name))
    return tuple(_link(turn, row) for row in rows if row.type != PHYSICAL)


def _link(turn: Turn, row: EthernetPort) -> DesiredLink:
    if row.type == VLAN:
        return DesiredLink(row.name, Vlan(str(row.base_port), int(row.tag or 0)), row.owner)
    mac_address = _mac_address(port_uuid(row.name, turn.session))
    return DesiredLink(row.name, bond(row), row.owner, mac_address, row.member_names)


def bond(row: EthernetPort) -> Bond:
    """Return the bond that a LAG is."""
    mode, policy = str(row.lag_mode), str(row.lag_policy)
    in_turn = (mode, policy) == ("multimode", "sequential")
    return Bond(IN_TURN if in_turn else MODES[mode], HASH_POLICIES[policy])


def _mac_address(identity: str) -> str:
    """Return the address of a bond: locally administered (IEEE 802, 8.4), and its own for ever.

    Left alone, a bond takes that of its first port, which the port still has when it leaves.
    """
    return "02:" + uuid.UUID(identity).bytes[:5].hex(":")


def settings(turn: Turn) -> tuple[net.DesiredPort, ...]:
    """Return what is wanted of ports, those below VLANs first."""
    known = ports(turn.session)
    found = {name: known.get(name, Port(name)) for name in DATA_PORTS}
    found |= {name: port for name, port in known.items() if port.wanted}
    return tuple(
        net.DesiredPort(
            name,
            enabled(known, name),
            mtu(known, name),
            port.wanted.owner if port.wanted else "",
            str(port.wanted.base_port or "") if port.wanted else "",
        )
        for name, port in sorted(found.items(), key=lambda item: _height(item[1]))
    )


def _height(port: Port) -> tuple[int, str]:
    return (LAG, PHYSICAL, VLAN).index(port.type), port.name


def observe(turn: Turn, found: tuple[Link, ...]) -> None:
    """Note what the ports are and do."""
    turn.seen[EthernetPort.kind] = {
        link.name: {
            "mac_address": link.mac_address,
            "mtu": link.mtu,
            "up": link.up,
            "carrier": link.carrier,
            "kind": link.kind,
            "master": link.master,
            "speed": _speed(turn, link.name),
        }
        for link in found
        if link.name != "lo"
    }


def _speed(turn: Turn, name: str) -> int:
    """Return megabits per second, 0 where a port cannot tell, as one without a link."""
    try:
        return max(0, int(turn.host.files.read(f"/sys/class/net/{name}/speed")))
    except FileError:
        return 0
