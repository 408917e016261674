"""iSNS: the registrations at name servers, and their results.

A thread talks to the servers (`tasks.isns_registrar`), since one that does not answer must hold up
no turn. What a server knows is an observation, so that it is taken back after a restart too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sanstone.core.database.statements import every
from sanstone.core.events import ERROR, Condition
from sanstone.kernel.network.isns import Entity, Portal
from sanstone.kernel.target.addresses import InternetAddress
from sanstone.model.network import IpInterface
from sanstone.model.san import IscsiService, IsnsRegistration
from sanstone.model.svm import Svm
from sanstone.reconcile.results import HostsAdmitted, IsnsOrdered, ScsiServed
from sanstone.reconcile.served_endpoint import fabric
from sanstone.reconcile.stages import endpoints
from sanstone.reconcile.tasks.isns_registrar import IsnsMemory, Registered, Registration
from sanstone.reconcile.turn import Turn
from sanstone.rules.san.isns import FAILED, PENDING, REGISTERED, entity_name

EVENT = "isns.failed"
WIDE = IsnsRegistration.kind, IscsiService.kind, IpInterface.kind, Svm.kind


def reconcile(turn: Turn, _scsi: ScsiServed, _hosts: HostsAdmitted) -> IsnsOrdered:
    """Order the registrations, and take in their results."""
    if not (turn.looks or turn.scope.touches(*WIDE)):
        return IsnsOrdered(turn.outcomes)
    turn.judge()
    memory = turn.memory.of(IsnsMemory)
    if memory.registered is None:
        observed = turn.seen.every(IsnsRegistration.kind)
        known = {svm: _registered(facts) for svm, facts in observed.items()}
        memory.registered = {svm: each for svm, each in known.items() if each}
    rows = {row.svm_uuid: row for row in turn.session.scalars(every(IsnsRegistration))}
    portals = _portals(turn)
    memory.desired = _desired(turn, rows, portals)
    memory.ordered |= turn.scope.keys(IsnsRegistration.kind) & memory.desired.keys()
    memory.sources = {svm: tuple(p.address for p in entries) for svm, entries in portals.items()}
    registered, errors = dict(memory.registered), dict(memory.errors)
    turn.seen[IsnsRegistration.kind] = {
        svm: _observation(
            registered.get(svm), errors.get(svm, ""), is_desired=svm in memory.desired
        )
        for svm in memory.desired.keys() | registered.keys()
    }
    for svm, error in errors.items():
        if svm in memory.desired:
            turn.conditions[f"{EVENT}:{svm}"] = _condition(rows[svm], error)
    return IsnsOrdered(turn.outcomes)


def _desired(
    turn: Turn, rows: dict[str, IsnsRegistration], portals: dict[str, list[Portal]]
) -> dict[str, Registration]:
    """Return the registrations by SVM: of targets that are served now."""
    services = [service for service in turn.rows(every(IscsiService)) if service.enabled]
    return {
        service.svm_uuid: Registration(
            rows[service.svm_uuid].address,
            Entity(
                name=entity_name(service.svm_uuid),
                target=service.target_name,
                alias=service.target_alias,
                portals=tuple(portals[service.svm_uuid]),
            ),
        )
        for service in services
        if service.svm_uuid in portals
        and service.svm_uuid in rows
        and rows[service.svm_uuid].enabled
    }


def _portals(turn: Turn) -> dict[str, list[Portal]]:
    """Return the portals at which SVMs serve iSCSI now."""
    by_svm: dict[str, list[Portal]] = defaultdict(list)
    for endpoint in endpoints.of_family(turn, "scsi"):
        address = endpoint.address
        if endpoint.is_present and isinstance(address, InternetAddress):
            tag = fabric(endpoint.protocol).tag(endpoint.id)
            by_svm[endpoint.svm_uuid].append(Portal(address.ip, address.port, tag))
    return by_svm


def _observation(registered: Registered | None, error: str, *, is_desired: bool) -> dict[str, Any]:
    """Return the observation of a registration: its state, and what the server knows."""
    state = FAILED if error else REGISTERED if registered and is_desired else PENDING
    return {"state": state, "message": error, **(registered._asdict() if registered else {})}


def _registered(facts: Mapping[str, Any]) -> Registered | None:
    """Return the server's registration by an observation, None for none."""
    if "until" not in facts:
        return None
    return Registered(facts["server"], facts["entity"], facts["target"], facts["until"])


def _condition(row: IsnsRegistration, error: str) -> Condition:
    text = (
        f'The iSCSI target of SVM "{row.svm.name}" is not registered at iSNS server '
        f"{row.address}: {error}."
    )
    return Condition(ERROR, EVENT, text, row.owner)
