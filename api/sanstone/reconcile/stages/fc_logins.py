"""The initiators that are logged in at Fibre Channel interfaces, by FCP and by NVMe.

A port of an initiator that logs in to a port of ours is seen there, whether the target lets it in
or not: who is seen and not let in is refused (`refused`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sanstone.kernel.network import fc
from sanstone.kernel.target import sessions
from sanstone.model.network import FC_NVME, FCP, AnyEndpoint, FcInterface
from sanstone.model.observations import FC_LOGINS, NVME_CONTROLLERS
from sanstone.reconcile.results import FcLoginsSeen, NvmeServed, ScsiServed, VirtualPortsSeen
from sanstone.reconcile.stages.endpoints import by_key
from sanstone.reconcile.stages.fibre_channel import FibreChannelMemory
from sanstone.reconcile.stages.scsi_memory import ScsiMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.endpoints import EndpointKey

_PORT_NAME = re.compile(r"pn-0x([0-9a-f]{1,16})")


class _Login(NamedTuple):
    interface: str
    svm: str
    protocol: str
    wwpn: str


def observe(
    turn: Turn, _nvme: NvmeServed, _scsi: ScsiServed, _virtual: VirtualPortsSeen
) -> FcLoginsSeen:
    """Observe the logins."""
    if not turn.looks:
        return FcLoginsSeen(turn.outcomes)
    memory = turn.memory.of(FibreChannelMemory)
    logins = {*_by_fcp(turn), *_by_nvme(turn)}
    is_looked_for = logins or any(memory.present.values())
    memory.seen = fc.remote_ports(turn.host) if is_looked_for else []
    seen = {port.wwpn: port for port in memory.seen}
    turn.seen[FC_LOGINS] = {}
    for login in sorted(logins):
        port = seen.get(login.wwpn)
        turn.seen[FC_LOGINS][f"{login.interface}/{login.wwpn}"] = login._asdict() | {
            "wwnn": port.wwnn if port else "",
            "address": port.address if port else "",
        }
    return FcLoginsSeen(turn.outcomes)


def refused(turn: Turn) -> Iterator[tuple[AnyEndpoint, fc.RemotePort]]:
    """Yield the initiators that were seen at ports and are not let in by FCP, with where that is.

    Only what serves hosts refuses them; nothing is known where the logins could not be read.
    """
    memory, endpoints = turn.memory.of(FibreChannelMemory), by_key(turn)
    own = memory.ports.keys() | memory.virtual.keys()
    if FC_LOGINS not in turn.seen:
        return
    logged_in = {(each["interface"], each["wwpn"]) for each in turn.seen[FC_LOGINS].values()}
    for group in (
        group for groups in turn.memory.of(ScsiMemory).groups.values() for group in groups
    ):
        served = group.endpoint
        endpoint = endpoints.get(EndpointKey(turn.node_uuid, "scsi", served.id))
        if endpoint and isinstance(endpoint.interface, FcInterface):
            interface = endpoint.interface
            for port in memory.seen:
                is_known = (interface.uuid, port.wwpn) in logged_in or port.wwpn in own
                if port.is_initiator and port.seen_by == interface.wwpn and not is_known:
                    yield endpoint, port


def _by_fcp(turn: Turn) -> Iterator[_Login]:
    """Yield the logins of initiators at portal groups of ports."""
    for groups in turn.memory.of(ScsiMemory).groups.values():
        for group in groups:
            endpoint = group.endpoint
            if endpoint.protocol.service == FCP:
                for name in sessions.logged_in(turn.host, group.path):
                    yield _Login(endpoint.interface_uuid, endpoint.svm_uuid, FCP, name)


def _by_nvme(turn: Turn) -> Iterator[_Login]:
    """Yield the ports of hosts that are connected to subsystems at ports."""
    endpoints = by_key(turn)
    for controller in turn.seen.every(NVME_CONTROLLERS).values():
        endpoint = endpoints.get(EndpointKey(turn.node_uuid, "nvme", controller["port"]))
        name = _PORT_NAME.search(controller["host_address"])
        if endpoint and name and isinstance(endpoint.interface, FcInterface):
            interface = endpoint.interface
            wwpn = ":".join(re.findall("..", name[1].zfill(16)))
            yield _Login(interface.uuid, interface.svm_uuid, FC_NVME, wwpn)
