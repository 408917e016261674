"""The paths that the configuration gives hosts: who may reach what, and at which LIF.

A path leads from an initiator, or an NVMe host, to an endpoint of an SVM: an interface by a
transport. By SCSI a login shows the LUNs of all igroups of the initiator at once, so that there is
one path at each interface; by NVMe a host connects to each of its subsystems by itself.

A path stays the same one, and so does its key, as long as the initiator, the interface, the
transport and the SVM or subsystem do.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from sanstone.model.host_groups import DeviceMap
from sanstone.model.network import Interface
from sanstone.model.nvme import Subsystem, SubsystemMap
from sanstone.model.san import (
    DEFAULT_CREDENTIAL,
    Igroup,
    IgroupInitiator,
    IscsiCredential,
    LunMap,
    PortsetInterface,
)
from sanstone.model.svm import Svm
from sanstone.protocols import Protocol
from sanstone.rules.network.endpoints import everywhere, transports_at
from sanstone.rules.san.igroup_nesting import Nestings
from sanstone.rules.san.services import SERVICE_TABLES


@dataclass(frozen=True)
class ConfiguredPath:
    """A path. A SCSI path shows the LUNs of its `igroups`, NVMe's is of a `subsystem`.

    `devices` is the number of LUNs or namespaces that are mapped. `obstacle` tells why the SVM
    does not serve it now, '' where it does.
    """

    svm: Svm
    initiator: str
    comment: str
    transport: str
    interface: Interface
    igroups: tuple[Igroup, ...]
    subsystem: Subsystem | None
    devices: int
    obstacle: str

    @property
    def uuid(self) -> str:
        """Return its identity."""
        subsystem = self.subsystem.uuid if self.subsystem else ""
        return path_uuid(self.interface.uuid, self.transport, self.initiator, subsystem)

    @property
    def key(self) -> str:
        """Return `<svm uuid>/<uuid>`."""
        return f"{self.svm.uuid}/{self.uuid}"


def path_uuid(interface: str, transport: str, initiator: str, subsystem: str = "") -> str:
    """Return the identity of an initiator's path to an interface, or to a subsystem there."""
    text = f"{interface} {transport} {subsystem} {initiator}"
    return str(uuid.uuid5(uuid.NAMESPACE_OID, text))


def host_uuid(svm: str, initiator: str) -> str:
    """Return the identity of a host of an SVM."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{svm} {initiator}"))


def configured_paths(session: Session) -> list[ConfiguredPath]:
    """Return all paths of the array, sorted by SVM, initiator and interface."""
    endpoints = _Endpoints(session)
    paths = [*_scsi(session, endpoints), *_nvme(session, endpoints)]
    paths.sort(key=lambda path: (path.svm.name, path.initiator, path.interface.name, path.uuid))
    return paths


@dataclass(frozen=True)
class _Reached:
    """An interface of an SVM, and a transport that is offered there."""

    svm: Svm
    interface: Interface
    protocol: Protocol
    obstacle: str


class _Endpoints:
    """Where hosts reach each SVM."""

    def __init__(self, session: Session) -> None:
        self._enabled = {
            (row.svm_uuid, row.protocol): row.enabled
            for table in SERVICE_TABLES.values()
            for row in session.scalars(select(table))
        }
        self._of: dict[tuple[str, str], list[_Reached]] = defaultdict(list)
        known: set[tuple[str, str]] = set()
        for row in everywhere(session):
            interface, svm = row.interface, row.interface.svm
            if svm is None:
                continue
            for protocol in transports_at(row, interface):
                # An interface that moved to another driver's port has endpoints of both.
                key = interface.uuid, protocol.public_name
                if key not in known:
                    known.add(key)
                    reached = _Reached(svm, interface, protocol, self._obstacle(svm, protocol))
                    self._of[svm.uuid, protocol.family].append(reached)

    def of(self, svm_uuid: str, family: str) -> list[_Reached]:
        """Return those of an SVM for a family of transports."""
        return self._of.get((svm_uuid, family), [])

    def _obstacle(self, svm: Svm, protocol: Protocol) -> str:
        """Return why an SVM does not serve a transport, '' where it does."""
        if svm.state != "running":
            return f'SVM "{svm.name}" is stopped.'
        if not svm.allows(protocol.allowed_by):
            return f'SVM "{svm.name}" does not allow {protocol.allowed_by}.'
        enabled = self._enabled.get((svm.uuid, protocol.allowed_by))
        if enabled is None:
            return f'SVM "{svm.name}" has no {protocol.allowed_by} service.'
        return "" if enabled else f'The {protocol.allowed_by} service of SVM "{svm.name}" is down.'


def _scsi(session: Session, endpoints: _Endpoints) -> Iterator[ConfiguredPath]:
    """Yield the paths of the initiators in igroups, but for those that a credential denies."""
    nestings = Nestings(session)
    igroups = {row.uuid: row for row in session.scalars(select(Igroup))}
    lifs = set(
        session.execute(select(PortsetInterface.portset_uuid, PortsetInterface.interface_uuid))
    )
    maps = _counted(session, LunMap)
    credentials = {
        (row.svm_uuid, row.initiator): row.authentication_type
        for row in session.scalars(select(IscsiCredential))
    }
    members: dict[tuple[str, str], list[IgroupInitiator]] = defaultdict(list)
    for member in session.scalars(select(IgroupInitiator).order_by(IgroupInitiator.igroup_uuid)):
        members[igroups[member.igroup_uuid].svm_uuid, member.name].append(member)
    for (svm, name), rows in members.items():
        seen = [igroups[each] for each in nestings.above(row.igroup_uuid for row in rows)]
        seen.sort(key=lambda igroup: igroup.name)
        comment = next((row.comment for row in rows if row.comment), "")
        by_default = credentials.get((svm, DEFAULT_CREDENTIAL))
        denied = credentials.get((svm, name), by_default) == "deny"
        for end in endpoints.of(svm, "scsi"):
            shown = tuple(
                igroup
                for igroup in seen
                if igroup.portset_uuid is None or (igroup.portset_uuid, end.interface.uuid) in lifs
            )
            is_denied = denied and end.protocol.addressing == "ip"
            if shown and not is_denied and end.protocol.admits(name):
                yield ConfiguredPath(
                    svm=end.svm,
                    initiator=name,
                    comment=comment,
                    transport=end.protocol.public_name,
                    interface=end.interface,
                    igroups=shown,
                    subsystem=None,
                    devices=sum(maps.get(igroup.uuid, 0) for igroup in shown),
                    obstacle=end.obstacle,
                )


def _nvme(session: Session, endpoints: _Endpoints) -> Iterator[ConfiguredPath]:
    """Yield the paths of the hosts that subsystems list."""
    maps = _counted(session, SubsystemMap)
    for subsystem in session.scalars(select(Subsystem).options(selectinload(Subsystem.hosts))):
        for end in endpoints.of(subsystem.svm_uuid, "nvme"):
            for host in subsystem.hosts:
                yield ConfiguredPath(
                    svm=end.svm,
                    initiator=host.nqn,
                    comment="",
                    transport=end.protocol.public_name,
                    interface=end.interface,
                    igroups=(),
                    subsystem=subsystem,
                    devices=maps.get(subsystem.uuid, 0),
                    obstacle=end.obstacle,
                )


def _counted(session: Session, table: type[DeviceMap]) -> dict[str, int]:
    """Return how many are mapped to each igroup or subsystem."""
    group = table.group_uuid
    return dict(session.execute(select(group, func.count()).group_by(group)).tuples().all())
