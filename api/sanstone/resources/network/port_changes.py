"""Changes of ports: the checks of `network/ethernet/ports`, and their effects.

Codes are ONTAP's. A port serves one purpose: a member of a LAG carries neither LIFs nor VLANs, and
what carries any is not deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.model.network import EthernetPort, LagMember
from sanstone.model.nodes import this_node
from sanstone.rules.cluster.node import check_node
from sanstone.rules.network.ports import (
    LAG,
    PHYSICAL,
    VLAN,
    Port,
    lif_on,
    mtu,
    port_uuid,
    ports,
    vlans_on,
)

BAD_TYPE, UNKNOWN_BASE, UNKNOWN_MEMBER = "1967083", "1967091", "1967095"
VLAN_LACKS, LAG_LACKS = "1967098", "1967100"
LIF_ON_IT, VLAN_ON_IT, NOT_DELETED = "1966189", "1966302", "1967105"
VLAN_NAME = re.compile(r"(.+)-([1-9][0-9]{0,3})")
LAG_NAMES = [f"a{digit}{letter}" for digit in range(10) for letter in "abcdefghijklmnopqrstuvwxyz"]
Ports = Mapping[str, Port]


def create(change: Change, values: dict[str, Any]) -> Port:
    """Add a LAG or a VLAN. Raises ApiError."""
    check_node(change.session, values)
    ports_by_name = ports(change.session)
    requested = {
        kind for kind in (LAG, VLAN) if any(name.startswith(f"{kind}.") for name in values)
    }
    kind = values.get("type") or (
        min(requested) if requested else _kind_of_name(values.get("name", ""))
    )
    if kind == PHYSICAL:
        raise errors.invalid("Physical ports are found, not created.", "type", BAD_TYPE)
    if requested - {kind}:
        other = min(requested - {kind})
        raise errors.invalid(f"A {kind} has no {other}.", other, errors.EXCLUSIVE)
    row = EthernetPort(type=kind, enabled=values["enabled"], mtu=values.get("mtu"))
    members: list[str] = []
    if kind == LAG:
        members = _new_lag(change.session, ports_by_name, row, values)
    else:
        _new_vlan(change.session, ports_by_name, row, values)
    if row.name in ports_by_name:
        text = f'A port named "{row.name}" already exists.'
        raise errors.conflict(text, "name", errors.EXISTS)
    port = Port(row.name, row)
    _check_mtu({**ports_by_name, row.name: port}, port)
    change.add(row)
    for member in members:
        change.add(LagMember(port=member, lag=row.name))
    return port


def _kind_of_name(name: str) -> str:
    if name in LAG_NAMES:
        return LAG
    if VLAN_NAME.fullmatch(name):
        return VLAN
    raise errors.missing("type", BAD_TYPE)


def _new_lag(
    session: Session, ports_by_name: Ports, row: EthernetPort, values: dict[str, Any]
) -> list[str]:
    """Describe a LAG in a row, and return its members."""
    for name in ("lag.mode", "lag.distribution_policy"):
        if name not in values:
            raise errors.missing(name, LAG_LACKS)
    row.lag_mode, row.lag_policy = values["lag.mode"], values["lag.distribution_policy"]
    _check_policy(row.lag_mode, row.lag_policy)
    free = (name for name in LAG_NAMES if name not in ports_by_name)
    row.name = values.get("name") or next(free, "")
    if row.name not in LAG_NAMES:
        text = f'"{row.name}" is no name for a LAG; there are {LAG_NAMES[0]} to {LAG_NAMES[-1]}.'
        raise errors.invalid(text, "name")
    return _checked_members(session, ports_by_name, row.name, values.get("lag.member_ports", ()))


def _new_vlan(
    session: Session, ports_by_name: Ports, row: EthernetPort, values: dict[str, Any]
) -> None:
    """Describe a VLAN in a row."""
    named = VLAN_NAME.fullmatch(values.get("name", ""))
    check_node(session, values, "vlan.base_port.node")
    base = _identified(session, ports_by_name, values, "vlan.base_port") or (
        named[1] if named else ""
    )
    tag = values.get("vlan.tag") or (int(named[2]) if named else 0)
    for name, value in (("vlan.base_port", base), ("vlan.tag", tag)):
        if not value:
            raise errors.missing(name, VLAN_LACKS)
    row.name, row.base_port, row.tag = f"{base}-{tag}", base, tag
    if values.get("name", row.name) != row.name or tag > 4094:
        raise errors.invalid(f"A VLAN is named <port>-<tag>, here {base}-<1 to 4094>.", "name")
    port = ports_by_name.get(base)
    if port is None or not port.ours or port.type == VLAN:
        text = f'"{base}" is no port or LAG for a VLAN.'
        raise errors.invalid(text, "vlan.base_port", UNKNOWN_BASE)
    if port.lag:
        text = f'Port "{base}" is a member of LAG "{port.lag}".'
        raise errors.conflict(text, "vlan.base_port")


def _identified(session: Session, ports_by_name: Ports, values: dict[str, Any], prefix: str) -> str:
    """Return the name of the port that a request identifies, '' for none. Raises ApiError."""
    start = f"{prefix}." if prefix else ""
    name, identity = values.get(f"{start}name"), values.get(f"{start}uuid")
    if identity is None:
        return name or ""
    node = this_node(session).uuid
    port_name = next((port for port in ports_by_name if port_uuid(node, port) == identity), "")
    if not port_name or name not in (None, port_name):
        code = UNKNOWN_BASE if prefix else UNKNOWN_MEMBER
        target = prefix or "lag.member_ports"
        raise errors.unknown_reference(f'port "{name or identity}"', target, code)
    return port_name


def _checked_members(
    session: Session, ports_by_name: Ports, lag: str, items: Sequence[dict[str, Any]]
) -> list[str]:
    """Return the ports that shall be in a LAG. Raises ApiError."""
    target, names = "lag.member_ports", list[str]()
    for item in items:
        check_node(session, item)
        name = _identified(session, ports_by_name, item, "")
        port = ports_by_name.get(name)
        if port is None or not port.ours or port.type != PHYSICAL:
            raise errors.invalid(f'"{name}" is no port for a LAG.', target, UNKNOWN_MEMBER)
        if name in names:
            text = f'Port "{name}" is given twice.'
            raise errors.conflict(text, target, errors.GIVEN_TWICE)
        if port.lag not in ("", lag):
            raise errors.conflict(f'Port "{name}" is a member of LAG "{port.lag}".', target)
        _check_unused(session, ports_by_name, name, target)
        names.append(name)
    return names


def _check_unused(session: Session, ports_by_name: Ports, name: str, target: str) -> None:
    """Raise ApiError when a port is the home of a LIF or has VLANs."""
    if lif := lif_on(session, name):
        text = f'Port "{name}" is the home port of interface "{lif}".'
        raise errors.conflict(text, target, LIF_ON_IT)
    for vlan in vlans_on(ports_by_name, name):
        raise errors.conflict(f'VLAN "{vlan.name}" is on port "{name}".', target, VLAN_ON_IT)


def _check_policy(mode: str, policy: str) -> None:
    if mode == "multimode_lacp" and policy == "sequential":
        # 802.3ad keeps the packets of a conversation in order (IEEE 802.1AX, 6.2.4).
        text = "LACP cannot take its ports in turn."
        raise errors.invalid(text, "lag.distribution_policy")


def _check_mtu(ports_by_name: Ports, port: Port) -> None:
    """Raise ApiError when the MTU of a port contradicts the one below or one above."""
    row = port.desired
    if row and row.base_port and row.mtu and row.mtu > (below := mtu(ports_by_name, row.base_port)):
        raise errors.invalid(f'Port "{row.base_port}" has an MTU of {below}.', "mtu")
    for vlan in vlans_on(ports_by_name, port.name):
        if vlan.mtu and vlan.mtu > mtu(ports_by_name, port.name):
            text = f'VLAN "{vlan.name}" on it has an MTU of {vlan.mtu}.'
            raise errors.conflict(text, "mtu")


def update(change: Change, port: Port, values: dict[str, Any]) -> None:
    """Change a port. Raises ApiError."""
    session, ports_by_name = change.session, ports(change.session)
    if not port.ours:
        seen = {"enabled": bool(port.seen.get("up")), "mtu": port.seen.get("mtu")}
        if any(values.get(name) not in (None, seen.get(name)) for name in _COLUMNS):
            raise errors.conflict(f'Port "{port.name}" belongs to the operating system.')
        return
    if port.type != LAG and (name := next((n for n in values if n.startswith("lag.")), "")):
        raise errors.invalid(f'Port "{port.name}" is no LAG.', name)
    row = port.desired or EthernetPort(name=port.name, type=PHYSICAL, enabled=True)
    changed = dict(_changes(ports_by_name, port, row, values))
    if port.lag and changed:
        raise errors.conflict(f'Port "{port.name}" is a member of LAG "{port.lag}"; change that.')
    members = None
    if "lag.member_ports" in values:
        members = _checked_members(session, ports_by_name, port.name, values["lag.member_ports"])
    if port.type == LAG:
        _check_lag(row, values)
    for name, value in changed.items():
        setattr(row, _COLUMNS[name], value)
    _check_mtu({**ports_by_name, port.name: Port(port.name, row)}, Port(port.name, row))
    if row.base_port and row.mtu == mtu(ports_by_name, row.base_port):
        row.mtu = None
    if port.desired is None and changed:
        change.add(row)
    if members is not None:
        _set_members(change, row, members)


_COLUMNS = {
    "enabled": "enabled",
    "mtu": "mtu",
    "lag.mode": "lag_mode",
    "lag.distribution_policy": "lag_policy",
}
"""Column of each field that can be changed."""


def _changes(
    ports_by_name: Ports, port: Port, row: EthernetPort, values: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the fields that get another value, with that."""
    for name, column in _COLUMNS.items():
        now = mtu(ports_by_name, port.name) if name == "mtu" else getattr(row, column)
        if values.get(name, now) != now:
            yield name, values[name]


def _check_lag(row: EthernetPort, values: dict[str, Any]) -> None:
    """Raise ApiError for a mode or policy that a LAG cannot get, or not while it has members."""
    mode = values.get("lag.mode", row.lag_mode)
    policy = values.get("lag.distribution_policy", row.lag_policy)
    _check_policy(str(mode), str(policy))
    turns = mode == "multimode" and "sequential" in (policy, row.lag_policy)
    wrong = ""
    if mode != row.lag_mode:
        wrong = "lag.mode"
    elif turns and policy != row.lag_policy:
        wrong = "lag.distribution_policy"
    if wrong and row.members:
        raise errors.conflict(f'Take the members out of LAG "{row.name}" first.', wrong)


def _set_members(change: Change, row: EthernetPort, names: list[str]) -> None:
    for member in [member for member in row.members if member.port not in names]:
        change.delete(member)
    for name in set(names) - set(row.member_names):
        change.add(LagMember(port=name, lag=row.name))
    change.session.expire(row, ["members"])


def delete(change: Change, port: Port) -> None:
    """Delete a LAG or a VLAN. Raises ApiError."""
    session, row = change.session, port.desired
    if port.type == PHYSICAL:
        raise errors.conflict(f'Port "{port.name}" is physical.', code=NOT_DELETED)
    if row is None:
        text = f'The array did not make "{port.name}"; it belongs to the operating system.'
        raise errors.conflict(text)
    _check_unused(session, ports(session), port.name, "")
    for member in list(row.members):
        change.delete(member)
    change.delete(row)
