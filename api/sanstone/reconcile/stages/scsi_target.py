"""LUNs as SCSI backstores, and the targets through which initiators reach them (LIO).

Each endpoint is a target portal group, in a target of its SVM or of its own (see `fabrics`): hosts
tell paths apart, and sessions show at which LIF they came in. A group holds every LUN that is
mapped in the SVM, under the LUN's own number; the numbers that a host sees are those of its maps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import bindparam, select

from sanstone import __version__, protocols
from sanstone.core import names as identities
from sanstone.core.database import statements
from sanstone.kernel import names
from sanstone.kernel.target import configfs, lio, sessions
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import InternetAddress, WorldWideName
from sanstone.kernel.target.configfs import Part
from sanstone.kernel.target.fabrics import Acl, Authentication, Fabric, MappedLun, PortalGroup
from sanstone.model.network import FcEndpoint, FcInterface, IpInterface
from sanstone.model.observations import ISCSI_SESSIONS, SRP_SESSIONS
from sanstone.model.san import (
    DEFAULT_CREDENTIAL,
    FcpService,
    Igroup,
    IgroupInitiator,
    IscsiCredential,
    IscsiService,
    Lun,
    LunMap,
    Portset,
    SrpService,
)
from sanstone.model.svm import ProtocolService, Svm
from sanstone.reconcile import access
from sanstone.reconcile.outcomes import Outcome
from sanstone.reconcile.results import DevicesActive, FibreChannelUp, NetworkUp, RdmaUp, ScsiServed
from sanstone.reconcile.served_endpoint import fabric
from sanstone.reconcile.stages import endpoints
from sanstone.reconcile.stages.devices import DevicesMemory
from sanstone.reconcile.stages.fibre_channel import FibreChannelMemory
from sanstone.reconcile.stages.lun_views import Map, Views
from sanstone.reconcile.stages.scsi_memory import ScsiMemory, ServedGroup
from sanstone.reconcile.turn import Turn
from sanstone.rules.san.services import SERVICE_TABLES

Services = dict[tuple[str, str], ProtocolService]
"""By SVM and protocol."""
TRANSPORTS = {each.connections: each.name for each in protocols.PROTOCOLS if each.connections}
"""By what the kernel calls a connection: its transport."""
KINDS = frozenset((Lun.kind, LunMap.kind, Igroup.kind, IscsiCredential.kind))
"""Owners of these kinds are acted on one by one."""
WIDE = (
    *(IscsiService.kind, FcpService.kind, SrpService.kind),
    *(IpInterface.kind, FcInterface.kind, Svm.kind, Portset.kind),
)
"""Kinds that each LUN of an SVM depends on: a turn that touches one renders all that LIO serves."""


def reconcile(
    turn: Turn,
    devices: DevicesActive,
    _network: NetworkUp,
    _rdma: RdmaUp,
    _ports: FibreChannelUp,
) -> ScsiServed:
    """Export the desired LUNs through LIO."""
    memory = turn.memory.of(ScsiMemory)
    narrow = memory.target.is_known and not turn.scope.touches(*WIDE)
    if turn.looks and narrow:
        narrow = not memory.target.verify_some(
            turn.host, turn.memory.of(DevicesMemory).shard, turn.memory.of(DevicesMemory).live
        )
    fresh = not memory.target.is_known
    if not (narrow and _serve_touched(turn, devices.verified)):
        _serve_all(turn)
    _tell_sizes(turn, devices.outcomes.keys(Lun.kind, Outcome.CHANGED), every=fresh)
    if turn.looks:
        _observe(turn)
    return ScsiServed(turn.outcomes)


def _serve_all(turn: Turn) -> None:
    """Make LIO serve exactly the desired state."""
    turn.judge()
    memory, services = turn.memory.of(ScsiMemory), _services(turn)
    views = Views(turn)
    exported, incomplete = _exported(turn, views.maps)
    groups = _groups(turn, services)
    memory.delayed = _delayed(turn, groups, incomplete)
    memory.groups = _opened(groups, services, memory.delayed)
    memory.initiators.clear()
    views.remember(memory)
    parts = [
        *lio.parts((), [*_targets(services, memory.groups), *_bases(turn)]),
        *_parts(turn, views, exported, views.names),
    ]
    memory.target.serve_all(turn.host, turn.apply, parts, turn.progress)


def _serve_touched(turn: Turn, verified: Collection[str]) -> bool:
    """Make LIO serve the LUNs and initiators in the turn's scope as is desired.

    Return whether that can be done without looking at the others.
    """
    scope, memory = turn.scope, turn.memory.of(ScsiMemory)
    luns = scope.keys(Lun.kind) | {LunMap.device_of(key) for key in scope.keys(LunMap.kind)}
    igroups = scope.keys(Igroup.kind)
    names = {name for igroup in igroups for name in memory.initiators.get(igroup, ())}
    names |= _with_credentials(turn)
    if not (luns or igroups or names):
        return True
    views = Views(turn, luns, igroups, names)
    names |= {name for igroup in igroups for name in views.initiators(igroup)}
    exported, _ = _exported(turn, views.maps)
    if any(entry.svm in memory.delayed.values() for entry in exported):
        return False
    # A map was blocked as long as its LUN could not be exported.
    turn.judge({*scope.owners, *(entry.owner for entry in exported)})
    memory.target.verify(turn.host, luns.intersection(verified))
    for igroup in igroups:
        memory.initiators.pop(igroup, None)
    views.remember(memory, igroups)
    parts = _parts(turn, views, exported, names, luns)
    try:
        memory.target.serve(turn.host, turn.apply, parts, luns | names, turn.progress)
    except configfs.OutOfScope:
        return False
    return memory.target.is_known


def _tell_sizes(turn: Turn, resized: Collection[str], *, every: bool) -> None:
    """Notify hosts of LUNs that grew in this turn, or of all after a start, since the last process
    may have ended between growth and notification."""
    if every or resized:
        query = select(Lun.uuid, Lun.serial_number)
        for uuid, serial in turn.session.execute(
            query if every else query.where(Lun.uuid.in_(resized))
        ).tuples():
            path, owner = lio.path_of_backstore(serial, uuid), f"{Lun.kind}:{uuid}"
            if (
                turn.memory.of(ScsiMemory).target.has(("backstore", path))
                and owner not in turn.failures
            ):
                with turn.attempt(owner):
                    lio.revalidate_size(turn.host, path)


def _with_credentials(turn: Turn) -> set[str]:
    """Return the initiators with credentials in the scope."""
    names: set[str] = set()
    for key in turn.scope.keys(IscsiCredential.kind):
        svm, _, initiator = key.partition("/")
        if initiator == DEFAULT_CREDENTIAL:
            query = select(IgroupInitiator.name).join(Igroup).where(Igroup.svm_uuid == svm)
            names |= set(turn.session.scalars(query))
        else:
            names.add(initiator)
    return names


def _exported(turn: Turn, maps: Iterable[Map]) -> tuple[list[Map], set[str]]:
    """Return the maps with a LUN that can be exported now, and the SVMs that lack a LUN 0."""
    exported: list[Map] = []
    incomplete: set[str] = set()
    for entry in maps:
        if entry.lun in turn.memory.of(DevicesMemory).ready:
            exported.append(entry)
        elif turn.block(entry.owner, entry.lun_owner) and entry.seen_as == 0:
            incomplete.add(entry.svm)
    return exported, incomplete


def _services(turn: Turn) -> Services:
    """Return the services by which SVMs serve LUNs."""
    served = {each.allowed_by for each in protocols.PROTOCOLS if each.family == "scsi"}
    tables: list[Any] = [SERVICE_TABLES[name] for name in sorted(served)]
    rows = [row for table in tables for row in turn.rows(statements.every(table))]
    rows.sort(key=lambda row: row.svm_uuid)
    return {(row.svm_uuid, row.protocol): row for row in rows}


def _groups(turn: Turn, services: Services) -> list[ServedGroup]:
    """Return the portal groups of the SVMs that have a service, open or not."""
    groups: list[ServedGroup] = []
    for endpoint in endpoints.of_family(turn, "scsi"):
        service = services.get((endpoint.svm_uuid, endpoint.protocol.allowed_by))
        if service:
            its_fabric = fabric(endpoint.protocol)
            target = its_fabric.target(service.target, endpoint.address)
            path = its_fabric.group_path(target, its_fabric.tag(endpoint.id))
            groups.append(ServedGroup(path, target, its_fabric, endpoint))
    return groups


def _delayed(
    turn: Turn, groups: Iterable[ServedGroup], incomplete: Collection[str]
) -> dict[str, str]:
    """Return the portal groups that are not opened yet because a host's LUN 0 is late.

    They are by their paths, each with its SVM, which is one of the `incomplete`.

    Where a host has no LUN 0, LIO shows one of its own that reads as zeroes (virtual LUN 0,
    transport_lookup_cmd_lun() in drivers/target/target_core_device.c). A host that reconnects
    would take that for its data. At any other number LIO answers that there is no LUN, and the host
    waits. A group that is there stays. A LIF that comes at a takeover is a new one: its hosts had
    their LUN 0 at the partner.
    """
    if not incomplete:
        return {}
    live = turn.memory.of(ScsiMemory).target.live(turn.host, turn.progress).nodes
    of_svm = {group.path: group.endpoint.svm_uuid for group in groups if group.path not in live}
    return {path: svm for path, svm in of_svm.items() if svm in incomplete}


def _opened(
    groups: Iterable[ServedGroup], services: Services, delayed: Collection[str]
) -> dict[str, tuple[ServedGroup, ...]]:
    """Return the portal groups through which hosts are served now, by SVM."""
    opened: dict[str, tuple[ServedGroup, ...]] = {svm: () for svm, _ in services}
    for group in groups:
        endpoint = group.endpoint
        svm = endpoint.svm_uuid
        service = services[svm, endpoint.protocol.allowed_by]
        if service.enabled and endpoint.is_present and group.path not in delayed:
            opened[svm] = (*opened[svm], group)
    return opened


def _targets(
    services: Services, groups: Mapping[str, tuple[ServedGroup, ...]]
) -> list[lio.ScsiTarget]:
    """Return the targets with their portal groups, which have neither LUNs nor ACLs yet.

    A target that is named after its service is there as long as that is.
    """
    owners: dict[tuple[Fabric, str], str] = {}
    members: dict[tuple[Fabric, str], list[PortalGroup]] = defaultdict(list)
    for service in services.values():
        for protocol in protocols.PROTOCOLS:
            if service.target and protocol.allowed_by == service.protocol:
                owners[fabric(protocol), service.target] = service.owner
    for group in (group for each in groups.values() for group in each):
        target = group.fabric, group.target
        owners.setdefault(target, group.endpoint.owner)
        members[target].append(_portal_group(group))
    return [
        lio.ScsiTarget(name, its_fabric, tuple(members[its_fabric, name]), owner)
        for (its_fabric, name), owner in owners.items()
    ]


def _bases(turn: Turn) -> Iterator[lio.ScsiTarget]:
    """Yield the targets of ports that are served to nobody, for the virtual ports at them.

    Hosts do not see the identifier of such a port's portal group, but it is the one which that has
    as soon as its own interface is switched on.
    """
    groups = (group for each in turn.memory.of(ScsiMemory).groups.values() for group in each)
    served = {group.path for group in groups}
    for wwpn, protocol in sorted(turn.memory.of(FibreChannelMemory).bases.items()):
        its_fabric = fabric(protocol)
        target = its_fabric.target("", WorldWideName("", wwpn))
        query = select(FcEndpoint).filter_by(protocol=protocol.name)
        row = turn.session.scalar(query.join(FcInterface).where(FcInterface.wwpn == wwpn))
        if row and its_fabric.group_path(target, its_fabric.tag(row.id)) not in served:
            group = PortalGroup(its_fabric.tag(row.id), relative_port=row.id, owner=row.owner)
            yield lio.ScsiTarget(target, its_fabric, (group,), row.owner)


def _portal_group(group: ServedGroup) -> PortalGroup:
    endpoint = group.endpoint
    return PortalGroup(
        tag=group.fabric.tag(endpoint.id),
        address=endpoint.address,
        relative_port=endpoint.id,
        rdma=endpoint.has_rdma,
        owner=endpoint.owner,
    )


def _parts(
    turn: Turn,
    views: Views,
    exported: Iterable[Map],
    names: Collection[str],
    luns: Collection[str] | None = None,
) -> list[Part]:
    """Return the parts that are about some LUNs, or all, and about some initiators."""
    memory, maps = turn.memory.of(ScsiMemory), list(exported)
    port_group = access.port_group(turn)
    parts = [
        part
        for entry in maps
        if luns is None or entry.lun in luns
        for part in _lun_parts(
            entry, memory.groups.get(entry.svm, ()), access.of_lun(turn, entry.lun), port_group
        )
    ]
    acls = _acl_parts(turn, views, names)
    parts += acls
    keys = {part.key for part in acls}
    for entry in maps:
        for name in views.initiators(entry.igroup):
            if luns is None or entry.lun in luns or name in names:
                for group in memory.groups.get(entry.svm, ()):
                    acl = group.fabric.acl_key(group.path, name)
                    there = acl in keys if name in names else memory.target.has(acl)
                    if there and views.is_shown(entry.igroup, group.endpoint.interface_uuid):
                        seen = MappedLun(name, entry.seen_as, entry.number, entry.lun, entry.owner)
                        parts.append(group.fabric.mapped_lun_part(group.path, seen))
    return parts


def _lun_parts(
    entry: Map, groups: Iterable[ServedGroup], state: AccessState, port_group: int
) -> Iterator[Part]:
    """Yield the parts of a LUN itself: its backstore, and its number in each portal group."""
    backstore = lio.Backstore(
        name=entry.lun,
        device=names.device_node(entry.lun),
        serial=entry.serial_number,
        vendor=identities.SCSI_VENDOR,
        product=identities.SCSI_PRODUCT,
        revision=__version__[:4],
        attributes={"emulate_tpu": str(int(entry.unmap)), "emulate_tpws": str(int(entry.unmap))},
        access=state,
        port_group=port_group,
        owner=entry.lun_owner,
    )
    yield lio.backstore_part(backstore)
    for group in groups:
        yield lio.lun_part(group.path, entry.number, backstore, entry.lun_owner)


_CREDENTIALS = select(IscsiCredential).where(IscsiCredential.svm_uuid == bindparam("svm"))


def _acl_parts(turn: Turn, views: Views, names: Collection[str]) -> list[Part]:
    """Return the ACLs of some initiators: who may log in at which LIF."""
    parts: list[Part] = []
    for svm, groups in turn.memory.of(ScsiMemory).groups.items():
        rows = turn.session.scalars(_CREDENTIALS, {"svm": svm}) if groups and names else ()
        credentials = {row.initiator: row for row in rows}
        for name in sorted(names):
            credential = credentials.get(name) or credentials.get(DEFAULT_CREDENTIAL)
            denied = credential is not None and credential.authentication_type == "deny"
            acl = Acl(name, _authentication(credential), owner=views.owner(name, svm))
            parts += [
                group.fabric.acl_part(group.path, acl)
                for group in groups
                if group.endpoint.protocol.admits(name)
                and not (denied and group.fabric.authenticates)
                and views.igroups(name, svm, group.endpoint.interface_uuid)
            ]
    return parts


def _authentication(credential: IscsiCredential | None) -> Authentication:
    if credential is None or credential.authentication_type != "chap":
        return Authentication()
    return Authentication(
        userid=credential.inbound_user,
        password=credential.inbound_password or "",
        userid_mutual=credential.outbound_user,
        password_mutual=credential.outbound_password or "",
    )


def _observe(turn: Turn) -> None:
    turn.seen[SRP_SESSIONS] = {
        f"{group.endpoint.interface_uuid}/{name}": {
            "svm": group.endpoint.svm_uuid,
            "interface": group.endpoint.interface_uuid,
            "initiator": name,
            "transport": group.endpoint.protocol.public_name,
        }
        for groups in turn.memory.of(ScsiMemory).groups.values()
        for group in groups
        if group.endpoint.protocol.addressing == "gid"
        for name in sessions.logged_in(turn.host, group.path)
    }
    by_target = {row.target: row.svm_uuid for row in _services(turn).values() if row.target}
    groups = [group for each in turn.memory.of(ScsiMemory).groups.values() for group in each]
    ports = {
        (group.target, group.fabric.tag(group.endpoint.id)): group.endpoint.address.port
        for group in groups
        if isinstance(group.endpoint.address, InternetAddress)
    }
    turn.seen[ISCSI_SESSIONS] = {
        f"{by_target[live.target]}/{live.tag}/{live.tsih}": {
            "svm": by_target[live.target],
            "tag": live.tag,
            "tsih": live.tsih,
            "initiator": live.initiator,
            "isid": live.isid,
            "alias": live.alias,
            "connections": [
                {
                    "cid": c.id,
                    "port": ports.get((live.target, live.tag)),
                    "initiator_address": c.address,
                    "state": c.state,
                    "transport": TRANSPORTS.get(c.transport),
                }
                for c in live.connections
            ],
        }
        for live in sessions.iscsi_sessions(turn.host)
        if live.target in by_target
    }
