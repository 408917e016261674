"""Discovery that hosts find by themselves: each LIF that serves NVMe/TCP is announced on its link.

That is TP8009 of NVM Express: DNS-SD by multicast DNS tells hosts where discovery controllers are.
The stage writes the announcements to a file; `sanstone-announcer` answers questions from it. It
comes after the stages of targets and firewall, so that a host which hears of a LIF is let in.
Nothing is announced on the management port, nor of an SVM without a subsystem, for which no port
listens.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sqlalchemy import Select, select

from sanstone.core.database.statements import every
from sanstone.kernel.target import nvmet
from sanstone.model.network import IpInterface
from sanstone.model.nvme import NvmeService, Subsystem
from sanstone.reconcile import announcement
from sanstone.reconcile.announcement import Announcement
from sanstone.reconcile.ensured_file import ensure_file
from sanstone.reconcile.results import Announced, HostsAdmitted, NvmeServed
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.stages import endpoints, network, nvme_target
from sanstone.reconcile.stages.nvme_memory import NvmeMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.ports import MANAGEMENT_PORT

OWNER = "network/announcements:"
"""Owner of the file: all services depend on it."""


def reconcile(turn: Turn, _nvme: NvmeServed, _hosts: HostsAdmitted) -> Announced:
    """Write the announcements."""
    if not (turn.looks or turn.scope.touches(*nvme_target.WIDE, Subsystem.kind)):
        return Announced(turn.outcomes)
    turn.judge()
    with turn.attempt(OWNER):
        ensure_file(turn, announcement.path(), announcement.to_text(list(_announced(turn))))
    for service in turn.rows(every(NvmeService)):
        turn.block(service.owner, OWNER)
    return Announced(turn.outcomes)


def links(turn: Turn) -> frozenset[str]:
    """Return the links on which a LIF is to be announced as soon as it serves."""
    return frozenset(lif.port for lif, _ in _configured(turn))


def _configured(turn: Turn) -> Iterator[tuple[IpInterface, ServedEndpoint]]:
    """Yield the LIFs and endpoints that are to be announced as soon as they serve."""
    svms = {service.svm_uuid for service in turn.rows(_announced_services())}
    lifs = {lif.uuid: lif for lif in network.interfaces(turn)}
    for endpoint in endpoints.of_family(turn, "nvme"):
        is_announced = endpoint.protocol.announced and endpoint.svm_uuid in svms
        lif = lifs.get(endpoint.interface_uuid) if is_announced else None
        if lif and lif.port != MANAGEMENT_PORT:
            yield lif, endpoint


@cache
def _announced_services() -> Select[tuple[NvmeService]]:
    return select(NvmeService).filter_by(enabled=True, mdns_service_discovery_enabled=True)


def _announced(turn: Turn) -> Iterator[Announcement]:
    """Yield the announcements: where hosts are served now."""
    configured = [(lif, endpoint) for lif, endpoint in _configured(turn) if endpoint.is_present]
    serving = {svm for svm in {e.svm_uuid for _, e in configured} if _has_subsystem(turn, svm)}
    for lif, endpoint in configured:
        protocol = endpoint.protocol
        if endpoint.svm_uuid in serving and protocol.discovery_port:
            yield Announcement(
                link=lif.port,
                address=lif.address,
                prefix_length=lif.prefix_length,
                interface_uuid=lif.uuid,
                interface_name=lif.name,
                type=protocol.announced,
                port=protocol.discovery_port,
                text=(f"p={protocol.kernel_name}", f"nqn={nvmet.DISCOVERY_NQN}"),
            )


def _has_subsystem(turn: Turn, svm_uuid: str) -> bool:
    """Return whether a subsystem of an SVM is exported."""
    delayed = turn.memory.of(NvmeMemory).delayed_subsystems
    query = select(Subsystem.uuid).filter_by(svm_uuid=svm_uuid)
    return any(uuid not in delayed for uuid in turn.session.scalars(query))
