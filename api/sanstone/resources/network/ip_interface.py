"""`network/ip/interfaces`: logical interfaces (LIFs), the addresses at which an array is reached.

A LIF is an address on an Ethernet port. Its service policy lists its services. It is at its home
port, or at another, to which somebody moved it, or the array when the port was dead and the
failover policy let it. Several LIFs may be on one network, also at different ports: packets leave
through the port that their address is on.
"""

from __future__ import annotations

import ipaddress
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import (
    CREATE,
    MODIFY,
    WRITE,
    Field,
    Reader,
    Resource,
    constant,
)
from sanstone.core.declaration.types import (
    Boolean,
    Choice,
    IpAddress,
    ListOf,
    Netmask,
    Strings,
    Text,
    Uuid,
)
from sanstone.model.network import HOME_PORT_ONLY, IpInterface, ServicePolicy
from sanstone.model.nodes import this_node
from sanstone.model.svm import Svm
from sanstone.protocols import IWARP, ROCE
from sanstone.resources.cluster.statistics import statistics_fields
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.network.interface_removal import remove
from sanstone.resources.without_effect import fixed
from sanstone.rules.cluster.node import at_home, check_node, node_fields, on_its_node
from sanstone.rules.network import endpoints, failover, rdma_of_lifs
from sanstone.rules.network.addresses import BAD_PREFIX, Network, checked_network
from sanstone.rules.network.ports import (
    BROADCAST_DOMAIN,
    IPSPACE,
    MANAGEMENT_PORT,
    Port,
    port_uuid,
    ports,
)
from sanstone.rules.network.rdma_of_lifs import LifSettings
from sanstone.rules.network.service_policies import (
    DEFAULT_POLICY,
    MANAGEMENT_POLICY,
    BuiltInPolicy,
    Policy,
    built_in_uuid,
    policies,
    services,
)

NAME_TAKEN, ADDRESS_TAKEN, SVM_NEEDED = "1966140", "1376963", "1967127"
UNKNOWN_PORT, UNKNOWN_POLICY = "1967130", "53281065"
FIGURES = ("throughput",)
"""Figures of a LIF's traffic: bytes of IP packets, without RDMA's, which no one counts."""


def _state(row: IpInterface, reader: Reader) -> str:
    return str(reader.seen(row.kind, row.key).get("state", "down"))


def _port_uuid(row: IpInterface, _reader: Reader) -> str:
    return port_uuid(row.node_uuid, row.port)


def _home_port_uuid(row: IpInterface, _reader: Reader) -> str:
    return port_uuid(row.home_node_uuid, row.home_port)


class IpInterfaceResource(Resource[IpInterface]):
    """LIFs."""

    path = "network/ip/interfaces"
    doc = (
        "Logical interfaces are the IP addresses at which SVMs are reached. Their statistics count "
        "IP packets with their headers; what RDMA moves passes these counters by."
    )
    model = IpInterface
    searched = ("name", "ip.address")
    confirmable = True
    fields = (
        Field("uuid", Uuid(), "Identity of the interface."),
        Field(
            "name",
            Text(64, 1, r"[A-Za-z0-9_.-]+", "letters, digits, _ . -"),
            "Name within the SVM.",
            access=WRITE,
            required=True,
        ),
        svm_reference(required=False),
        Field(
            "scope",
            Choice("svm", "cluster"),
            "Whether it belongs to an SVM or to the array's management.",
            access=CREATE,
            get=lambda row, _: "svm" if row.svm_uuid else "cluster",
        ),
        Field("ip.address", IpAddress(), "Address.", WRITE, required=True, attribute="address"),
        Field(
            "ip.netmask",
            Netmask(),
            "Length of the network's prefix.",
            access=WRITE,
            required=True,
            attribute="prefix_length",
            code=BAD_PREFIX,
        ),
        Field(
            "ip.family",
            Choice("ipv4", "ipv6"),
            "Family of the address.",
            get=lambda row, _: f"ipv{ipaddress.ip_address(row.address).version}",
        ),
        Field("enabled", Boolean(), "Whether it is switched on.", access=WRITE, default=True),
        Field("state", Choice("up", "down"), "Whether it can be reached.", get=_state),
        Field("services", Strings(), "Its services.", get=lambda row, _: list(services(row))),
        Field(
            "service_policy.name",
            Text(),
            "Policy with its services.",
            access=WRITE,
            attribute="policy_name",
            code=UNKNOWN_POLICY,
        ),
        Field(
            "service_policy.uuid",
            Uuid(),
            "Identity of the policy.",
            get=lambda row, _: (
                row.custom_policy_uuid or built_in_uuid(row.svm_uuid, row.service_policy)
            ),
        ),
        Field(
            "rdma_protocols",
            ListOf(Choice(ROCE, IWARP), 1),
            "RDMA by which it serves NVMe/RDMA and iSER too, as far as the policy offers NVMe and "
            "iSCSI, or SRP: by the port's adapter, or by software where that cannot. By `iwarp` it "
            "serves NVMe alone, and that instead of NVMe/TCP, whose port it takes. All LIFs at a "
            "port use the same.",
            access=WRITE,
            default=[],
            get=lambda row, _: [row.rdma] if row.rdma else [],
        ),
        *node_fields("location.home_node", WRITE, of=at_home),
        Field(
            "location.home_port.name",
            Text(64, 1),
            "Ethernet port that carries it, unless it is away from home.",
            access=WRITE,
            attribute="home_port",
            code=UNKNOWN_PORT,
        ),
        Field("location.home_port.uuid", Uuid(), "Identity of the port.", get=_home_port_uuid),
        *node_fields("location.home_port.node", WRITE, of=at_home),
        *node_fields("location.node", MODIFY, of=on_its_node),
        Field(
            "location.port.name",
            Text(64, 1),
            "Port where it is now; another one moves it there.",
            access=MODIFY,
            attribute="port",
            code=UNKNOWN_PORT,
        ),
        Field("location.port.uuid", Uuid(), "Identity of that port.", get=_port_uuid),
        *node_fields("location.port.node", MODIFY, of=on_its_node),
        Field(
            "location.is_home",
            Boolean(),
            "Whether it is at its home port; `true` brings it home.",
            access=MODIFY,
            attribute="is_home",
        ),
        Field(
            "location.auto_revert",
            Boolean(),
            "Whether it goes home by itself when its home port, which had no link, has had one for "
            "half a minute. Where somebody moved it, it stays.",
            access=WRITE,
            default=True,
            attribute="auto_revert",
        ),
        Field(
            "location.failover",
            Choice(*failover.POLICIES),
            "Where it goes when its port is dead: nowhere (`home_port_only`), or to another port "
            "of its broadcast domain. `default` is the first for LIFs that serve data, since hosts "
            "have other paths, and the second for those of management.",
            access=WRITE,
            attribute="failover",
        ),
        Field(
            "location.broadcast_domain.name",
            Choice(BROADCAST_DOMAIN),
            "Broadcast domain to choose a port from when none is given.",
            access=CREATE,
            get=constant(BROADCAST_DOMAIN),
        ),
        Field(
            "ipspace.name",
            Choice(IPSPACE),
            "IPspace; there is one.",
            access=CREATE,
            get=constant(IPSPACE),
        ),
        fixed("subnet.name", Text(), "Absent: addresses are given, not taken from a subnet."),
        Field("vip", Boolean(), "Whether it is a virtual address.", get=constant(False)),
        *statistics_fields(figures=FIGURES),
    )

    def select(self) -> Select[Any]:
        """Return the LIFs with their SVMs."""
        return select(IpInterface).options(joinedload(IpInterface.svm))

    def create(self, change: Change, values: dict[str, Any]) -> IpInterface:
        """Add a LIF."""
        session, svm = change.session, values.get("svm")
        _check_nodes(session, values)
        if svm is None and values.get("scope") != "cluster" and "ipspace.name" not in values:
            raise errors.missing("svm", SVM_NEEDED)
        desired = {column: values[name] for column, name in _FIELD_OF.items() if name in values}
        desired["rdma"] = _kind_of_rdma(values["rdma_protocols"])
        by_default = DEFAULT_POLICY if svm else MANAGEMENT_POLICY
        policy = _policy(session, svm, values.get("service_policy.name", by_default))
        network = checked_network(desired["address"], desired["prefix_length"])
        desired["port"] = _home_port(session, values, network)
        requested = values.get("location.failover", failover.BY_DEFAULT)
        desired["failover"] = failover.policy(requested, policy.services)
        svm_uuid = svm.uuid if svm else None
        _check(session, svm_uuid, desired, policy)
        node = this_node(session).uuid
        lif = IpInterface(home_node_uuid=node, node_uuid=node, svm_uuid=svm_uuid, **desired)
        _have(lif, policy)
        change.add(lif)
        endpoints.ensure(session, lif)
        return lif

    def update(self, change: Change, row: IpInterface, values: dict[str, Any]) -> None:
        """Change a LIF; hosts that use it reconnect at its new address or port."""
        session = change.session
        _check_nodes(session, values)
        desired = {c: values.get(name, getattr(row, c)) for c, name in _FIELD_OF.items()}
        desired["rdma"] = _kind_of_rdma(values.get("rdma_protocols", [row.rdma]))
        desired |= _place(session, row, values)
        checked_network(desired["address"], desired["prefix_length"])
        policy = _policy(session, row.svm, values.get("service_policy.name", row.policy_name))
        requested = values.get("location.failover", row.failover)
        desired["failover"] = failover.policy(requested, policy.services)
        _check(session, row.svm_uuid, desired, policy, row.uuid)
        for column, value in desired.items():
            setattr(row, column, value)
        _have(row, policy)
        if values.keys() & {"service_policy.name", "rdma_protocols"}:
            endpoints.ensure(session, row, row.endpoints)

    def delete(self, change: Change, row: IpInterface, options: dict[str, Any]) -> None:
        """Delete a LIF that is in no portset. Hosts keep their other paths."""
        remove(change, row)


_FIELD_OF = {
    "name": "name",
    "address": "ip.address",
    "prefix_length": "ip.netmask",
    "enabled": "enabled",
    "auto_revert": "location.auto_revert",
}
"""Column and field of what can be changed."""


def _place(session: Session, row: IpInterface, values: dict[str, Any]) -> dict[str, Any]:
    """Return home and place of a LIF as a request has them. Raises ApiError.

    One that is at home goes with it. Who moves a LIF has it stay there.
    """
    home = values.get("location.home_port.name", row.home_port)
    port = values.get("location.port.name", home if row.is_home else row.port)
    is_home = values.get("location.is_home", port == home)
    if is_home and values.get("location.port.name", home) != home:
        text = f'Port "{port}" is not its home port "{home}"; give one of both.'
        raise errors.invalid(text, "location.is_home", errors.EXCLUSIVE)
    if not is_home and port == home:
        text = "It is at home; name the port to which it shall go by location.port.name."
        raise errors.invalid(text, "location.is_home")
    if is_home:
        port = home
    ports_by_name = ports(session)
    for name, field, before in (
        (home, "location.home_port.name", row.home_port),
        (port, "location.port.name", row.port),
    ):
        if name != before:
            _check_port(ports_by_name, name, field)
    is_moved = (home, port) != (row.home_port, row.port)
    failed_over = row.failed_over and not is_moved
    return {"home_port": home, "port": port, "failed_over": failed_over}


def _kind_of_rdma(names: list[str]) -> str:
    return next(iter(names), "")


def _check_nodes(session: Session, values: dict[str, Any]) -> None:
    for place in ("home_node", "home_port.node", "node", "port.node"):
        check_node(session, values, f"location.{place}")


def _policy(session: Session, svm: Svm | None, name: str) -> Policy:
    """Return the policy of a name that a LIF of an SVM, or of management, may have."""
    there = {policy.name: policy for policy in policies(session, svm)}
    if name not in there:
        whose = "an SVM's interface" if svm else "an interface of the array's management"
        text = f'Service policy "{name}" is none that {whose} can have: {", ".join(there)}.'
        raise errors.invalid(text, "service_policy.name", UNKNOWN_POLICY)
    return there[name]


def _have(row: IpInterface, policy: Policy) -> None:
    """Give a LIF a policy."""
    row.service_policy = policy.name if isinstance(policy, BuiltInPolicy) else ""
    row.custom_policy = policy if isinstance(policy, ServicePolicy) else None


def _check(
    session: Session,
    svm_uuid: str | None,
    desired: dict[str, Any],
    policy: Policy,
    own_uuid: str = "",
) -> None:
    """Raise ApiError when a LIF, new or changed, contradicts another or its policy."""
    others = select(IpInterface.uuid).where(IpInterface.uuid != own_uuid)
    name, address = desired["name"], desired["address"]
    settings = LifSettings(policy.name, policy.services, desired["rdma"], desired["port"])
    rdma_of_lifs.check(session, settings, own_uuid)
    if desired["rdma"] and desired["failover"] != HOME_PORT_ONLY:
        text = "An interface that serves RDMA stays at its port: its failover is home_port_only."
        raise errors.conflict(text, "location.failover")
    if session.scalar(others.filter_by(svm_uuid=svm_uuid, name=name)):
        text = f'An interface named "{name}" already exists.'
        raise errors.conflict(text, "name", NAME_TAKEN)
    if session.scalar(others.filter_by(address=address)):
        text = f"Another interface has the address {address}."
        raise errors.conflict(text, "ip.address", ADDRESS_TAKEN)


def _check_port(
    ports_by_name: dict[str, Port], name: str, field: str = "location.home_port.name"
) -> None:
    if name not in ports_by_name:
        text = f'Port "{name}" does not exist; there are: {", ".join(ports_by_name) or "none"}.'
        raise errors.invalid(text, field, UNKNOWN_PORT)
    if lag := ports_by_name[name].lag:
        text = f'Port "{name}" is a member of LAG "{lag}", which serves in its place.'
        raise errors.conflict(text, field)


def _home_port(session: Session, values: dict[str, Any], network: Network) -> str:
    """Return the requested port, or the best one. Raises ApiError.

    Without a requested port: one that carries the address's network already, one with a link, the
    one with the fewest interfaces, in this order of weight. The management port is never chosen.
    """
    ports_by_name = ports(session)
    home_port: str | None = values.get("location.home_port.name")
    if home_port is not None:
        _check_port(ports_by_name, home_port)
        return home_port
    if not any(name.startswith(("location.home_node", "location.broadcast")) for name in values):
        raise errors.missing("location.home_port.name")
    lifs = session.scalars(select(IpInterface)).all()

    def weight(name: str) -> tuple[bool, bool, int, str]:
        here = [lif for lif in lifs if lif.port == name]
        near = any(ipaddress.ip_address(lif.address) in network.network for lif in here)
        return (not near, not ports_by_name[name].seen.get("carrier"), len(here), name)

    free = {name for name, port in ports_by_name.items() if not port.lag}
    candidates = sorted(free - {MANAGEMENT_PORT}, key=weight)
    if not candidates:
        raise errors.invalid("The array has no port for data.", "location", UNKNOWN_PORT)
    return candidates[0]
