"""The effect of a change on users of the array: hosts connected now, and aggregates' capacity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core.declaration.resource import Reader
from sanstone.model.aggregates import Aggregate, AggregateDisk
from sanstone.model.host_groups import DeviceMap, HostGroup
from sanstone.model.network import FCP, FcInterface, IpInterface
from sanstone.model.nodes import Node
from sanstone.model.nvme import Namespace, NvmeService, Subsystem, SubsystemMap
from sanstone.model.observations import FC_LOGINS, ISCSI_SESSIONS, NVME_CONTROLLERS, SRP_SESSIONS
from sanstone.model.san import (
    FcpService,
    Igroup,
    IgroupInitiator,
    IscsiService,
    Lun,
    LunMap,
    SrpService,
)
from sanstone.model.svm import Svm
from sanstone.model.volumes import ThinDevice, Volume
from sanstone.rules.network.endpoints import EndpointKey, by_key
from sanstone.rules.san import igroup_nesting
from sanstone.rules.storage.raid import pool_size

CAPACITY = {Aggregate, AggregateDisk, Volume}
"""The tables with the rows that decide about `capacities`."""


class ConnectedHost(NamedTuple):
    """A host that is logged in or connected: its IQN, WWPN, identifier of SRP or NQN."""

    protocol: str
    name: str


class Capacity(NamedTuple):
    """Bytes of an aggregate: what its pool has, and what its volumes were promised of it."""

    size: int
    provisioned: int

    @property
    def overcommitment_percent(self) -> int:
        """Return how much more than it has is promised, 0 for nothing."""
        return max(0, 100 * self.provisioned // self.size - 100) if self.size else 0


def connected_hosts(session: Session, owners: Iterable[str]) -> list[ConnectedHost]:
    """Return the hosts connected now that use any of the owners (`<kind>:<key>`)."""
    keys: dict[str, set[str]] = defaultdict(set)
    for owner in owners:
        kind, _, key = owner.partition(":")
        keys[kind].add(key)
    reader = Reader(session)
    whole = bool(keys[Node.kind])
    igroups = _groups_of(session, keys, Igroup, Lun, LunMap)
    subsystems = _groups_of(session, keys, Subsystem, Namespace, SubsystemMap)
    # Queried once, not for each session: there may be thousands, and other writers wait.
    members = _initiators(session, igroups)
    hosts = {
        ConnectedHost("iscsi", row.data["initiator"])
        for row in reader.observed(ISCSI_SESSIONS).values()
        if whole
        or (row.data["svm"], row.data["initiator"]) in members
        or row.data["svm"] in keys[Svm.kind] | keys[IscsiService.kind]
        or _comes_by(reader, EndpointKey(row.node_uuid, "scsi", row.data["tag"]), keys)
    }
    hosts |= {
        ConnectedHost("fcp", row.data["wwpn"])
        for row in reader.observed(FC_LOGINS).values()
        if row.data["protocol"] == FCP
        and (
            whole
            or (row.data["svm"], row.data["wwpn"]) in members
            or row.data["svm"] in keys[Svm.kind] | keys[FcpService.kind]
            or row.data["interface"] in keys[FcInterface.kind]
        )
    }
    hosts |= {
        ConnectedHost("srp", row.data["initiator"])
        for row in reader.observed(SRP_SESSIONS).values()
        if whole
        or (row.data["svm"], row.data["initiator"]) in members
        or row.data["svm"] in keys[Svm.kind] | keys[SrpService.kind]
        or row.data["interface"] in keys[IpInterface.kind]
    }
    served = select(Subsystem.uuid).where(
        Subsystem.svm_uuid.in_(keys[Svm.kind] | keys[NvmeService.kind])
    )
    subsystems |= set(session.scalars(served))
    hosts |= {
        ConnectedHost("nvme", row.data["host_nqn"])
        for row in reader.observed(NVME_CONTROLLERS).values()
        if whole
        or row.data["subsystem"] in subsystems
        or _comes_by(reader, EndpointKey(row.node_uuid, "nvme", row.data["port"]), keys)
    }
    return sorted(hosts)


def _initiators(session: Session, igroups: set[str]) -> set[tuple[str, str]]:
    """Return the SVM and name of each initiator that sees maps of igroups: of nested ones, too."""
    below = igroup_nesting.Nestings(session).below(igroups)
    query = select(Igroup.svm_uuid, IgroupInitiator.name).join(IgroupInitiator.igroup)
    return set(session.execute(query.where(Igroup.uuid.in_(below))).tuples())


def _comes_by(reader: Reader, key: EndpointKey, keys: Mapping[str, set[str]]) -> bool:
    """Return whether an endpoint belongs to one of the interfaces among some owners."""
    endpoint = reader.once(by_key).get(key)
    return endpoint is not None and endpoint.key in keys[endpoint.kind]


def _groups_of(
    session: Session,
    keys: Mapping[str, set[str]],
    group: type[HostGroup],
    device: type[ThinDevice],
    device_map: type[DeviceMap],
) -> set[str]:
    """Return the igroups or subsystems that some owners are, or are mapped to."""
    in_volumes = select(device.uuid).where(device.volume_uuid.in_(keys[Volume.kind]))
    devices = keys[device.kind] | set(session.scalars(in_volumes))
    mapped = select(device_map.group_uuid).where(device_map.device_uuid.in_(devices))
    named = {device_map.group_of(key) for key in keys[device_map.kind]}
    return keys[group.kind] | named | set(session.scalars(mapped))


def capacities(session: Session) -> dict[str, tuple[str, Capacity]]:
    """Return the name and capacity of each aggregate, by UUID, as the session's rows have it.

    The size of one that does not exist yet, or is to grow, is reckoned from its disks.
    """
    reader = Reader(session)
    query = select(Volume.aggregate_uuid, func.sum(Volume.size)).group_by(Volume.aggregate_uuid)
    provisioned = dict(session.execute(query).tuples().all())
    return {
        row.uuid: (row.name, Capacity(_size(row, reader), provisioned.get(row.uuid, 0)))
        for row in session.scalars(select(Aggregate))
    }


def _size(row: Aggregate, reader: Reader) -> int:
    facts = row.facts(reader)
    groups: dict[int, list[AggregateDisk]] = defaultdict(list)
    for member in row.members:
        groups[member.raid_group].append(member)
    if facts.get("size") and facts.get("groups", 0) >= len(groups):
        return int(facts["size"])
    sizes = [[m.disk.facts(reader).get("size", 0) for m in group] for group in groups.values()]
    return pool_size(row.raid_type, sizes)
