"""The desired ports: LAGs as bonds of the kernel, VLANs, and the settings of all ports.

VLANs inherit settings from the port below them.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from ipaddress import ip_address

from sanstone.core.database.statements import every
from sanstone.kernel.host import Address, Bond, FileError, Link, Vlan
from sanstone.kernel.network import net
from sanstone.kernel.network.links import DesiredLink
from sanstone.model.network import EthernetPort
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.ports import (
    DATA_PORTS,
    LAG,
    MANAGEMENT_PORT,
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
"""The bonding mode of a LAG with the sequential policy that may use several ports at a time."""
HASH_POLICIES = {"port": "layer3+4", "ip": "layer2+3", "mac": "layer2", "sequential": "layer2"}
"""By ONTAP's distribution policy. A bond that uses its ports in turn, or only one, ignores it."""


def links(turn: Turn) -> tuple[DesiredLink, ...]:
    """Return the desired bonds and VLANs."""
    rows = turn.session.scalars(every(EthernetPort, EthernetPort.name))
    return tuple(_link(turn, row) for row in rows if row.type != PHYSICAL)


def _link(turn: Turn, row: EthernetPort) -> DesiredLink:
    """Return the desired bond or VLAN of a LAG's or VLAN's row."""
    if row.type == VLAN:
        return DesiredLink(row.name, Vlan(str(row.base_port), int(row.tag or 0)), row.owner)
    mac_address = _mac_address(port_uuid(turn.node_uuid, row.name))
    return DesiredLink(row.name, bond(row), row.owner, mac_address, row.member_names)


def bond(row: EthernetPort) -> Bond:
    """Return the bond's mode and hash policy for a LAG."""
    mode, policy = str(row.lag_mode), str(row.lag_policy)
    in_turn = (mode, policy) == ("multimode", "sequential")
    return Bond(IN_TURN if in_turn else MODES[mode], HASH_POLICIES[policy])


def _mac_address(identity: str) -> str:
    """Return the MAC address of a bond: locally administered (IEEE 802, 8.4), and stable.

    By default a bond takes the address of its first port, which still has it after it leaves the
    bond.
    """
    return "02:" + uuid.UUID(identity).bytes[:5].hex(":")


def settings(turn: Turn) -> tuple[net.DesiredPort, ...]:
    """Return the desired settings of ports, those below VLANs first."""
    ports_by_name = ports(turn.session)
    desired = {name: ports_by_name.get(name, Port(name)) for name in DATA_PORTS}
    desired |= {name: port for name, port in ports_by_name.items() if port.desired}
    return tuple(
        net.DesiredPort(
            name,
            enabled(ports_by_name, name),
            mtu(ports_by_name, name),
            port.desired.owner if port.desired else "",
            str(port.desired.base_port or "") if port.desired else "",
        )
        for name, port in sorted(desired.items(), key=lambda item: _order(item[1]))
    )


def _order(port: Port) -> tuple[int, str]:
    """Return the position of a port: LAGs, physical ports, VLANs, each by name."""
    return (LAG, PHYSICAL, VLAN).index(port.type), port.name


def observe(turn: Turn, live_links: tuple[Link, ...], live: Iterable[Address]) -> None:
    """Observe the live ports: state, speed, and of `live` addresses those that manage the array
    and are no LIF's, such as one from DHCP.
    """
    leased = sorted(
        each.address
        for each in live
        if each.link == MANAGEMENT_PORT
        and not each.ours
        and not ip_address(each.address).is_link_local
    )
    turn.seen[EthernetPort.kind] = {
        link.name: {
            "mac_address": link.mac_address,
            "mtu": link.mtu,
            "up": link.up,
            "carrier": link.carrier,
            "kind": link.kind,
            "master": link.master,
            "speed": _speed(turn, link.name),
            "management_addresses": leased if link.name == MANAGEMENT_PORT else [],
        }
        for link in live_links
        if link.name != "lo"
    }


def _speed(turn: Turn, name: str) -> int:
    """Return the speed of a port in megabits per second, 0 if it is unknown, as without a link."""
    try:
        return max(0, int(turn.host.files.read(f"/sys/class/net/{name}/speed")))
    except FileError:
        return 0
