"""Hosts that the targets refused, as the kernel tells of them, or shows them at ports.

Any machine that reaches a LIF can knock, under ever new names. So a bounded number is kept, the
last ones; one condition tells that there are any, and no event is about a name.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from sqlalchemy import select

from sanstone.core.database.statements import every
from sanstone.core.events import ERROR, Condition
from sanstone.kernel.target import refusals
from sanstone.kernel.target.addresses import RdmaPortName
from sanstone.kernel.target.refusals import FailedLogins, Refusal
from sanstone.model.network import AnyEndpoint
from sanstone.model.nodes import Node
from sanstone.model.nvme import Subsystem
from sanstone.model.observations import KERNEL_LOG, REFUSED_INITIATORS
from sanstone.model.san import IscsiService
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import FcLoginsSeen, NvmeServed, RefusalsSeen, ScsiServed
from sanstone.reconcile.stages import fc_logins
from sanstone.reconcile.stages.endpoints import by_key
from sanstone.reconcile.stages.fibre_channel import FibreChannelMemory
from sanstone.reconcile.stages.paths import transport_name
from sanstone.reconcile.stages.scsi_memory import ScsiMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.endpoints import EndpointKey, transports_at
from sanstone.rules.san.configured_paths import configured_paths
from sanstone.rules.san.refusals import KEPT, NOT_ALLOWED, NOT_AUTHENTICATED

ISCSI = "iscsi"
FORGOTTEN = 7 * 86_400
"""Seconds after which a refusal is forgotten."""
REPORTED = 3600
"""Seconds for which the condition lasts after a refusal."""
CONDITION = Condition(
    ERROR,
    "host.refused",
    "Hosts try to log in and are refused: vserver host refused show tells which, and why.",
)


@dataclass(frozen=True)
class _Knock:
    """Somebody who was refused `count` times, the last time at `moment`."""

    svm: str
    initiator: str
    transport: str
    reason: str
    moment: float
    count: int = 1
    interface: str = ""
    subsystem: str = ""
    address: str = ""

    @property
    def who(self) -> tuple[str, str, str]:
        """Return the SVM, the initiator, and the LIF or subsystem."""
        return self.svm, self.initiator, self.subsystem or self.interface

    @property
    def key(self) -> str:
        """Return `<svm uuid>/<uuid>`, by who it is and where it knocked."""
        where = f"{self.svm} {self.transport} {self.reason} {self.interface}{self.subsystem}"
        return f"{self.svm}/{uuid5(NAMESPACE_OID, f'{where} {self.initiator}')}"


@dataclass
class RefusalsMemory(StageMemory):
    """The kernel's counters at the last look."""

    failed_logins: dict[str, int] = field(default_factory=dict)
    """By SVM: how many logins at its iSCSI target had failed to authenticate."""


def observe(
    turn: Turn, _nvme: NvmeServed, _scsi: ScsiServed, _logins: FcLoginsSeen
) -> RefusalsSeen:
    """Take in the hosts that the targets refused since the last look."""
    if not turn.looks:
        return RefusalsSeen(turn.outcomes)
    turn.judge()
    knocks: list[_Knock] = []
    with turn.attempt(f"{Node.kind}:{turn.node_uuid}", subject="refused hosts"):
        failed = _failed_logins(turn)
        knocks += _not_authenticated(turn, failed)
        knocks += _not_allowed(turn, failed)
    now, kept = time.time(), turn.seen.every(REFUSED_INITIATORS)
    ports = list(_at_ports(turn))
    allowed = _allowed(turn) if knocks or ports or kept else set()
    knocks += _new(turn, [each for each in ports if each.who not in allowed], kept)
    for knock in knocks:
        _note(kept, knock)
    if kept:
        for key, data in list(kept.items()):
            who = key.partition("/")[0], str(data.get("initiator")), _where(data)
            is_allowed = data.get("reason") == NOT_ALLOWED and who in allowed
            if is_allowed or _last(data) < now - FORGOTTEN:
                del kept[key]
        newest_first = sorted(kept, key=lambda key: _last(kept[key]), reverse=True)
        for key in newest_first[KEPT:]:
            del kept[key]
    if any(_last(data) > now - REPORTED for data in kept.values()):
        turn.conditions["hosts.refused"] = CONDITION
    return RefusalsSeen(turn.outcomes)


def _last(data: Mapping[str, Any]) -> float:
    """Return when a refusal was the last time, 0 for what somebody else wrote."""
    last = data.get("last")
    return float(last) if isinstance(last, int | float) else 0.0


def _note(kept: dict[str, dict[str, Any]], knock: _Knock) -> None:
    """Add a refusal to those that are kept."""
    before = kept.get(knock.key, {})
    kept[knock.key] = {
        "initiator": knock.initiator,
        "transport": knock.transport,
        "reason": knock.reason,
        "interface": knock.interface,
        "subsystem": knock.subsystem,
        "address": knock.address or before.get("address", ""),
        "first": before.get("first", knock.moment),
        "last": knock.moment,
        "count": int(before.get("count", 0)) + knock.count,
    }


def _where(data: Mapping[str, Any]) -> str:
    """Return the UUID of the LIF or of the subsystem that a refusal was at."""
    return str(data.get("subsystem") or data.get("interface") or "")


def _allowed(turn: Turn) -> set[tuple[str, str, str]]:
    """Return the hosts allowed in by now: SVM, initiator, and the LIF or subsystem."""
    return {
        (
            path.svm.uuid,
            path.initiator,
            path.subsystem.uuid if path.subsystem else path.interface.uuid,
        )
        for path in configured_paths(turn.session)
    }


def _failed_logins(turn: Turn) -> dict[str, FailedLogins]:
    """Return the kernel's counters of each SVM's iSCSI target. Raises FileError."""
    services = turn.session.scalars(every(IscsiService, IscsiService.svm_uuid))
    return {
        service.svm_uuid: refusals.failed_logins(turn.host, service.target_name)
        for service in services
        if refusals.is_counted(turn.host, service.target_name)
    }


def _not_authenticated(turn: Turn, failed: dict[str, FailedLogins]) -> list[_Knock]:
    """Return the hosts that failed to authenticate since the last look.

    Counts from before the process started are left out: they may have been reported.
    """
    memory = turn.memory.of(RefusalsMemory)
    before = memory.failed_logins
    memory.failed_logins = {svm: logins.authentication for svm, logins in failed.items()}
    now = time.time()
    return [
        _Knock(
            svm=svm,
            initiator=logins.initiator,
            transport=ISCSI,
            reason=NOT_AUTHENTICATED,
            moment=now,
            count=logins.authentication - before[svm],
            address=logins.address,
        )
        for svm, logins in failed.items()
        if logins.authentication > before.get(svm, logins.authentication)
    ]


def _at_ports(turn: Turn) -> Iterator[_Knock]:
    """Yield the initiators at Fibre Channel ports that are not let in."""
    now = time.time()
    for endpoint, port in fc_logins.refused(turn):
        yield _Knock(
            svm=endpoint.interface.svm_uuid or "",
            initiator=port.wwpn,
            transport=transport_name(endpoint),
            reason=NOT_ALLOWED,
            moment=now,
            interface=endpoint.interface_uuid,
            address=port.address,
        )


def _new(turn: Turn, knocks: Sequence[_Knock], kept: Mapping[str, object]) -> list[_Knock]:
    """Return those who were not there at the last look: an initiator stays where it is refused.

    At the first look of a process nobody knows since when, so that those who are known are old.
    """
    memory = turn.memory.of(FibreChannelMemory)
    before = kept.keys() if memory.refused is None else memory.refused
    memory.refused = frozenset(knock.key for knock in knocks)
    return [knock for knock in knocks if knock.key not in before]


def _not_allowed(turn: Turn, failed: dict[str, FailedLogins]) -> Iterator[_Knock]:
    """Yield the hosts in the kernel's log that were not taken in before. Raises FileError."""
    refused = refusals.refusals(turn.host.log.read_new())
    if not refused:
        return
    boot, position = turn.host.log.boot(), turn.seen.of(KERNEL_LOG, turn.node_uuid)
    taken_in = position.get("sequence", -1) if position.get("boot") == boot else -1
    uptime = float(turn.host.files.read("/proc/uptime").split()[0])
    position |= {"boot": boot, "sequence": max(taken_in, refused[-1].sequence)}
    now, endpoints = time.time(), by_key(turn)
    groups = [group for each in turn.memory.of(ScsiMemory).groups.values() for group in each]
    ports = {group.endpoint.address: group.endpoint.id for group in groups}
    subsystems = {row.target_nqn: row for row in turn.session.scalars(select(Subsystem))}
    for refusal in refused:
        moment = now - max(0.0, uptime - refusal.seconds)
        if refusal.sequence <= taken_in:
            continue
        if subsystem := subsystems.get(refusal.subsystem):
            yield _at_subsystem(refusal, subsystem, moment, endpoints.values())
        tag = ports.get(RdmaPortName(refusal.port), refusal.tag)
        endpoint = endpoints.get(EndpointKey(turn.node_uuid, "scsi", tag))
        if endpoint and endpoint.interface.svm_uuid and not refusal.subsystem:
            last = failed.get(endpoint.interface.svm_uuid)
            is_last = last is not None and last.initiator == refusal.initiator
            address = last.address if last is not None and is_last else refusal.address
            yield _at_interface(refusal, endpoint, moment, address)


def _at_subsystem(
    refusal: Refusal, subsystem: Subsystem, moment: float, ends: Iterable[AnyEndpoint]
) -> _Knock:
    """Return the host that requested a subsystem.

    By which transport is known where the interfaces of the SVM offer one alone.
    """
    offered = {
        protocol.public_name
        for endpoint in ends
        if endpoint.interface.svm_uuid == subsystem.svm_uuid
        for protocol in transports_at(endpoint, endpoint.interface)
        if protocol.family == "nvme"
    }
    return _Knock(
        svm=subsystem.svm_uuid,
        initiator=refusal.initiator,
        transport=offered.pop() if len(offered) == 1 else "",
        reason=NOT_AUTHENTICATED if refusal.lacks_key else NOT_ALLOWED,
        moment=moment,
        subsystem=subsystem.uuid,
    )


def _at_interface(refusal: Refusal, endpoint: AnyEndpoint, moment: float, address: str) -> _Knock:
    """Return the host that knocked at a LIF."""
    return _Knock(
        svm=endpoint.interface.svm_uuid or "",
        initiator=refusal.initiator,
        transport=transport_name(endpoint),
        reason=NOT_ALLOWED,
        moment=moment,
        interface=endpoint.interface_uuid,
        address=address,
    )
