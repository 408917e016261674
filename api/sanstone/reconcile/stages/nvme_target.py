"""NVMe subsystems, their hosts and namespaces, and the ports that export them (nvmet).

Each port refers to the other ports of its SVM, so that its discovery log lists their subsystems too
(`nvmet`). A host that stays connected to discovery learns at once that there is another one, goes
there once and does not try again (nvme-cli's 70-nvmf-autoconnect.rules). So a port is referred to
only after the firewall lets hosts in, by a stage of its own, `refer`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import selectinload

from sanstone import __version__
from sanstone.core import names as identities
from sanstone.core.declaration.host_types import Nqn, TlsPsk
from sanstone.kernel import names
from sanstone.kernel.storage.mapped import SECTOR
from sanstone.kernel.target import configfs, nvmet, sessions, tls_keys
from sanstone.kernel.target.addresses import InternetAddress, NvmeAddress, RdmaPortName
from sanstone.model.network import FcInterface, IpInterface
from sanstone.model.nvme import Namespace, NvmeService, Subsystem, SubsystemHost, SubsystemMap
from sanstone.model.observations import NVME_CONTROLLERS
from sanstone.model.svm import Svm
from sanstone.reconcile import access
from sanstone.reconcile.declared import as_declared
from sanstone.reconcile.outcomes import Outcome
from sanstone.reconcile.results import (
    DevicesActive,
    FibreChannelUp,
    HostsAdmitted,
    HostsReferred,
    NetworkUp,
    NvmeServed,
    RdmaUp,
)
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.stages import endpoints
from sanstone.reconcile.stages.devices import DevicesMemory
from sanstone.reconcile.stages.firewall_memory import FirewallMemory
from sanstone.reconcile.stages.nvme_memory import NvmeMemory
from sanstone.reconcile.turn import Turn

KINDS = frozenset((Namespace.kind, SubsystemMap.kind, Subsystem.kind))
"""Kinds of owners that the stage processes one by one."""
WIDE = NvmeService.kind, IpInterface.kind, FcInterface.kind, Svm.kind
"""Kinds of owners on which every subsystem of an SVM depends: a turn that touches one renders all
subsystems."""
OF_KEYS = Subsystem.kind, Svm.kind
"""Kinds of owners with changes that may be of TLS keys."""
HASHES = {"sha_256": "hmac(sha256)", "sha_512": "hmac(sha512)"}
GROUPS = {
    "none": "null",
    "2048_bit": "ffdhe2048",
    "3072_bit": "ffdhe3072",
    "4096_bit": "ffdhe4096",
    "6144_bit": "ffdhe6144",
    "8192_bit": "ffdhe8192",
}


class Map(NamedTuple):
    """A namespace mapped to a subsystem, as plain columns, because there may be thousands."""

    subsystem: str
    nqn: str
    namespace: str
    nsid: int
    ana_group: int
    block_size: int

    @property
    def owner(self) -> str:
        """Return the owner of the map."""
        return f"{SubsystemMap.kind}:{self.subsystem}/{self.namespace}"

    @property
    def namespace_owner(self) -> str:
        """Return the owner of the namespace."""
        return f"{Namespace.kind}:{self.namespace}"


def reconcile(
    turn: Turn,
    devices: DevicesActive,
    _network: NetworkUp,
    _rdma: RdmaUp,
    _ports: FibreChannelUp,
) -> NvmeServed:
    """Export the desired namespaces through nvmet."""
    memory = turn.memory.of(NvmeMemory)
    is_fresh = not memory.target.is_known
    is_narrow = not is_fresh and not turn.scope.touches(*WIDE)
    if turn.looks and is_narrow:
        is_narrow = not memory.target.verify_some(
            turn.host, turn.memory.of(DevicesMemory).shard, turn.memory.of(DevicesMemory).live
        )
    if not (is_narrow and _export_scope(turn, devices.verified)):
        _export(turn, None, None)
    if is_fresh or turn.thorough or turn.scope.touches(*OF_KEYS):
        _keep_keys(turn)
    resized = devices.outcomes.keys(Namespace.kind, Outcome.CHANGED)
    _revalidate_sizes(turn, resized, every=is_fresh)
    if turn.looks or turn.scope.touches(Subsystem.kind):
        rows = _rows(turn, None)
        _disconnect_disallowed(turn, rows)
        _observe(turn, rows)
    return NvmeServed(turn.outcomes)


_HOSTS_WITH_KEYS = (
    select(SubsystemHost, Subsystem.target_nqn)
    .join(Subsystem)
    .where(SubsystemHost.tls_psk.is_not(None))
    .order_by(SubsystemHost.subsystem_uuid, SubsystemHost.nqn)
)


def _keep_keys(turn: Turn) -> None:
    """Keep the keys of TLS in the kernel's keyring.

    It is not before the hosts are bound to TLS, so that none is let in without in the meantime.
    """
    desired: list[tls_keys.HostKey] = []
    for host, nqn in turn.session.execute(_HOSTS_WITH_KEYS):
        with turn.attempt(host.owner):
            names = as_declared(Nqn(), host.nqn), as_declared(Nqn(), nqn)
            key = as_declared(TlsPsk(), host.tls_psk or "")
            desired.append(tls_keys.HostKey(*names, key, host.owner))
    with turn.attempt("", subject="keys of TLS"):
        turn.apply(tls_keys.plan(tls_keys.read(turn.host), desired))


def _export_scope(turn: Turn, verified: Collection[str]) -> bool:
    """Export the subsystems and namespaces in the turn's scope.

    Return whether that is possible without planning the others.
    """
    scope, memory = turn.scope, turn.memory.of(NvmeMemory)
    mapped = scope.keys(SubsystemMap.kind)
    namespaces = scope.keys(Namespace.kind) | {SubsystemMap.device_of(key) for key in mapped}
    subsystems = scope.keys(Subsystem.kind)
    # A subsystem that was delayed by a namespace may be exported now.
    subsystems |= memory.delayed_subsystems & {SubsystemMap.group_of(key) for key in mapped}
    query = select(SubsystemMap.subsystem_uuid).where(SubsystemMap.namespace_uuid.in_(namespaces))
    if memory.delayed_subsystems:
        subsystems |= memory.delayed_subsystems & set(turn.session.scalars(query))
    if not (namespaces or subsystems):
        return True
    turn.judge(scope.owners)
    memory.target.verify(turn.host, namespaces.intersection(verified))
    try:
        _export(turn, subsystems, namespaces)
    except configfs.OutOfScope:
        return False
    return memory.target.is_known


def _export(
    turn: Turn, subsystems: Collection[str] | None, namespaces: Collection[str] | None
) -> None:
    """Export some subsystems and namespaces, or exactly all desired ones.

    Raises configfs.OutOfScope if others would have to be removed for a while.
    """
    memory = turn.memory.of(NvmeMemory)
    if subsystems is None:
        turn.judge()
        served = _exported_endpoints(turn)
        memory.endpoints = tuple(served)
        memory.ports = _ports(turn)
        memory.svms = {endpoint.id: endpoint.svm_uuid for endpoint in served}
        former, hosts = set(), set[str]()
        memory.nqns, memory.hosts, memory.delayed_subsystems = {}, {}, set()
    else:
        former = {memory.nqns.pop(uuid) for uuid in subsystems if uuid in memory.nqns}
        hosts = {nqn for uuid in subsystems for nqn in memory.hosts.pop(uuid, ())}
        memory.delayed_subsystems = memory.delayed_subsystems - set(subsystems)
    rows = _rows(turn, subsystems)
    maps, incomplete = _maps(turn, subsystems, namespaces)
    if subsystems is not None:
        # A map was blocked as long as its namespace could not be exported.
        turn.judge({entry.owner for entry in maps})
    memory.nqns |= {row.uuid: row.target_nqn for row in rows}
    memory.hosts |= {row.uuid: frozenset(host.nqn for host in row.hosts) for row in rows}
    memory.delayed_subsystems |= _delayed(turn, rows, incomplete)
    hosts |= {nqn for row in rows for nqn in memory.hosts[row.uuid]}
    parts = [nvmet.host_part(host) for host in _hosts(turn, hosts)]
    for row in rows:
        subsystem = _subsystem(turn, row)
        parts.append(nvmet.subsystem_part(subsystem))
        parts += [nvmet.link_part(number, subsystem) for number in subsystem.ports]
    has_block_size = nvmet.has_block_size(turn.host)
    for entry in maps:
        parts.append(nvmet.namespace_part(entry.nqn, _namespace(entry, has_block_size)))
    if subsystems is None:
        parts += [nvmet.port_part(port) for port in memory.ports]
        memory.target.serve_all(turn.host, turn.apply, parts, turn.progress)
    else:
        about = {*former, *(row.target_nqn for row in rows), *hosts, *(namespaces or ())}
        memory.target.serve(turn.host, turn.apply, parts, about, turn.progress)


@cache
def _subsystems() -> Select[tuple[Subsystem]]:
    return select(Subsystem).options(selectinload(Subsystem.hosts)).order_by(Subsystem.uuid)


def _rows(turn: Turn, uuids: Collection[str] | None) -> Sequence[Subsystem]:
    """Return the desired subsystems with their hosts, all or those with some UUIDs."""
    if uuids is None:
        return turn.rows(_subsystems())
    return turn.session.scalars(_subsystems().where(Subsystem.uuid.in_(uuids))).all()


def _delayed(turn: Turn, rows: Sequence[Subsystem], incomplete: set[str]) -> set[str]:
    """Return the subsystems that are not exported yet because one of their namespaces cannot be.

    A host that connects to a subsystem permanently drops the namespaces that are absent there,
    while it waits for a subsystem that does not answer. A subsystem that is exported already stays
    so.
    """
    memory = turn.memory.of(NvmeMemory)
    live = memory.target.live(turn.host, turn.progress).nodes
    return {
        row.uuid
        for row in rows
        if row.uuid in incomplete
        and not any(nvmet.link(number, row.target_nqn) in live for number in memory.svms)
    }


_MAPS = (
    select(
        *(SubsystemMap.subsystem_uuid, Subsystem.target_nqn, SubsystemMap.namespace_uuid),
        *(SubsystemMap.nsid, SubsystemMap.ana_group, Namespace.block_size),
    )
    .join(Subsystem, Subsystem.uuid == SubsystemMap.subsystem_uuid)
    .join(Namespace, Namespace.uuid == SubsystemMap.namespace_uuid)
    .order_by(SubsystemMap.subsystem_uuid, SubsystemMap.nsid)
)


def _maps(
    turn: Turn, subsystems: Collection[str] | None, namespaces: Collection[str] | None
) -> tuple[list[Map], set[str]]:
    """Return the maps with a namespace that can be exported now, and the subsystems that lack one.

    They cover all subsystems, or some subsystems and some namespaces.
    """
    query = _MAPS
    if subsystems is not None:
        of_subsystem = SubsystemMap.subsystem_uuid.in_(subsystems)
        query = query.where(or_(of_subsystem, SubsystemMap.namespace_uuid.in_(namespaces or ())))
    exported: list[Map] = []
    incomplete: set[str] = set()
    for row in turn.session.execute(query):
        entry = Map(*row)
        if entry.namespace in turn.memory.of(DevicesMemory).ready:
            exported.append(entry)
        elif turn.block(entry.owner, entry.namespace_owner):
            incomplete.add(entry.subsystem)
    return exported, incomplete


@cache
def _enabled_services() -> Select[tuple[NvmeService]]:
    return select(NvmeService).filter_by(enabled=True)


def _exported_endpoints(turn: Turn) -> list[ServedEndpoint]:
    """Return the endpoints at which NVMe is exported: those of SVMs with the service enabled."""
    services = turn.session.scalars(_enabled_services())
    enabled = {service.svm_uuid for service in services}
    return [
        endpoint
        for endpoint in endpoints.of_family(turn, "nvme")
        if endpoint.svm_uuid in enabled and endpoint.is_present
    ]


def refer(turn: Turn, _nvme: NvmeServed, _hosts: HostsAdmitted) -> HostsReferred:
    """Refer hosts to the ports at which the firewall has let them in since they were exported."""
    memory = turn.memory.of(NvmeMemory)
    ports = _ports(turn)
    if ports != memory.ports:
        memory.ports = ports
        parts = [nvmet.port_part(port) for port in ports]
        memory.target.serve(turn.host, turn.apply, parts, (), turn.progress)
    return HostsReferred(turn.outcomes)


def _ports(turn: Turn) -> tuple[nvmet.Port, ...]:
    """Return the ports for the exported endpoints."""
    exported = turn.memory.of(NvmeMemory).endpoints
    takes_tls = nvmet.has_tls(turn.host)
    return tuple(_port(turn, endpoint, exported, takes_tls) for endpoint in exported)


def _port(
    turn: Turn, endpoint: ServedEndpoint, exported: Sequence[ServedEndpoint], takes_tls: bool
) -> nvmet.Port:
    """Return the port for an endpoint; it refers hosts to the other endpoints of its SVM.

    These are of its own network: a host that comes by IP need not have a Fibre Channel port.
    """
    others = [
        other
        for other in exported
        if other.svm_uuid == endpoint.svm_uuid
        and other.protocol.addressing == endpoint.protocol.addressing
        and other != endpoint
    ]
    referrals = [_referral(other, others) for other in others]
    return nvmet.Port(
        id=endpoint.id,
        address=_address(endpoint),
        transport=endpoint.protocol.kernel_name,
        ana=access.of_namespaces(turn),
        referrals=tuple(each for each in referrals if _is_due(turn, endpoint.id, each)),
        takes_tls=takes_tls,
        owner=endpoint.owner,
    )


def _address(endpoint: ServedEndpoint) -> NvmeAddress:
    """Return the address of an endpoint of NVMe, which is no port of SRP's."""
    assert not isinstance(endpoint.address, RdmaPortName)
    return endpoint.address


def _is_due(turn: Turn, port_id: int, referral: nvmet.Referral) -> bool:
    """Return whether the firewall lets hosts in where a referral leads, or it is there already."""
    address = referral.address
    if not isinstance(address, InternetAddress):
        return True
    table = turn.memory.of(FirewallMemory).table
    openings = table.openings if table else ()
    if any((each.address, each.port) == (address.ip, address.port) for each in openings):
        return True
    live = turn.memory.of(NvmeMemory).target.live(turn.host, turn.progress)
    return nvmet.has_referral(live, port_id, referral)


def _referral(endpoint: ServedEndpoint, others: Sequence[ServedEndpoint]) -> nvmet.Referral:
    """Return a referral to an endpoint.

    It is named after the LIF, and after the transport if the LIF has several.
    """
    several = sum(e.interface_uuid == endpoint.interface_uuid for e in others) > 1
    return nvmet.Referral(
        name=endpoint.interface_uuid + (f"-{endpoint.protocol.name}" if several else ""),
        address=_address(endpoint),
        transport=endpoint.protocol.kernel_name,
        port_id=endpoint.id,
    )


def _subsystem(turn: Turn, row: Subsystem) -> nvmet.Subsystem:
    """Return the subsystem of a row with its hosts and ports, without namespaces."""
    memory = turn.memory.of(NvmeMemory)
    ports = (number for number, svm in memory.svms.items() if svm == row.svm_uuid)
    return nvmet.Subsystem(
        nqn=row.target_nqn,
        serial=row.serial_number,
        model=identities.NVME_MODEL,
        firmware=__version__[:8],
        hosts=tuple(host.nqn for host in row.hosts),
        tls_hosts=_bound_to_tls(row),
        ports=() if row.uuid in memory.delayed_subsystems else tuple(ports),
        controllers=access.controllers(turn),
        owner=row.owner,
    )


def _bound_to_tls(row: Subsystem) -> frozenset[str]:
    """Return the hosts of a subsystem that are let in by TLS alone.

    A kernel that cannot bind them lets none of them in.
    """
    return frozenset(host.nqn for host in row.hosts if host.tls_psk)


def _namespace(entry: Map, has_block_size: bool) -> nvmet.Namespace:
    """Return the namespace of a map.

    Where the kernel has no setting for its blocks, its device has them already (`layers`).
    """
    block_size = entry.block_size if entry.block_size > SECTOR else 0
    return nvmet.Namespace(
        nsid=entry.nsid,
        device=names.device_node(entry.namespace),
        uuid=entry.namespace,
        nguid=identities.plain(entry.namespace),
        ana_group=entry.ana_group,
        block_size=block_size if has_block_size else None,
        owner=entry.owner,
    )


def _hosts(turn: Turn, nqns: Collection[str]) -> Iterator[nvmet.AllowedHost]:
    """Yield each host once: the kernel keeps one set of keys per host, for all subsystems."""
    if not nqns:
        return
    query = select(SubsystemHost).where(SubsystemHost.nqn.in_(nqns))
    hosts: dict[str, SubsystemHost] = {}
    for host in turn.session.scalars(query.order_by(SubsystemHost.subsystem_uuid)):
        hosts.setdefault(host.nqn, host)
    for host in hosts.values():
        yield nvmet.AllowedHost(
            nqn=host.nqn,
            key=host.host_secret or "",
            controller_key=host.controller_secret or "",
            hash=HASHES[host.hash_function],
            group=GROUPS[host.group_size],
            owner=host.owner,
        )


def _revalidate_sizes(turn: Turn, resized: Collection[str], *, every: bool) -> None:
    """Have nvmet read the sizes of exported namespaces again.

    These are the namespaces that were `resized` in this turn. After a start they are all, since
    the reconciler may have been killed between growing a device and this step.
    """
    if every or resized:
        maps, _ = _maps(turn, None, None) if every else _maps(turn, (), resized)
        for entry in maps:
            if entry.owner not in turn.failures:
                with turn.attempt(entry.namespace_owner):
                    nvmet.revalidate_size(turn.host, entry.nqn, entry.nsid)


def _disconnect_disallowed(turn: Turn, rows: Sequence[Subsystem]) -> None:
    """Disconnect the hosts that a subsystem no longer allows, or not without TLS."""
    owners = {row.target_nqn: row.owner for row in rows}
    allowed = {row.target_nqn: frozenset(host.nqn for host in row.hosts) for row in rows}
    bound = {row.target_nqn: _bound_to_tls(row) for row in rows}
    for controller in sessions.disallowed_controllers(turn.host, allowed, bound):
        with turn.attempt(owners.get(controller.subsystem, "")):
            sessions.disconnect(turn.host, controller)
            turn.did(f"controller {controller.id} of {controller.subsystem}: disconnected")


def _observe(turn: Turn, rows: Sequence[Subsystem]) -> None:
    """Observe the controllers of the array's subsystems."""
    by_nqn = {row.target_nqn: row for row in rows}
    turn.seen[NVME_CONTROLLERS] = {
        f"{by_nqn[live.subsystem].uuid}/{live.id}": {
            "subsystem": by_nqn[live.subsystem].uuid,
            "id": live.id,
            "host_nqn": live.host,
            "host_address": live.host_address,
            "port": live.port,
            "state": live.state,
            "keep_alive_ms": live.keep_alive * 1000,
            "tls_identity": live.tls_identity,
        }
        for live in sessions.controllers(turn.host)
        if live.subsystem in by_nqn
    }
