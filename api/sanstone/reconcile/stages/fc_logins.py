"""The initiators that are logged in at Fibre Channel interfaces, by FCP and by NVMe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sanstone.kernel.network import fc
from sanstone.kernel.target import sessions
from sanstone.model.network import FC_NVME, FCP, FcInterface
from sanstone.reconcile.stages.nvme_target import CONTROLLERS
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.endpoints import EndpointKey, by_key
from sanstone.resources.san.fc_login import KIND

_PORT_NAME = re.compile(r"pn-0x([0-9a-f]{1,16})")


class _Login(NamedTuple):
    interface: str
    svm: str
    protocol: str
    wwpn: str


def observe(turn: Turn) -> None:
    """Observe the logins."""
    if not turn.looks:
        return
    logins = {*_by_fcp(turn), *_by_nvme(turn)}
    seen = {port.wwpn: port for port in fc.remote_ports(turn.host)} if logins else {}
    turn.seen[KIND] = {}
    for login in sorted(logins):
        port = seen.get(login.wwpn)
        turn.seen[KIND][f"{login.interface}/{login.wwpn}"] = login._asdict() | {
            "wwnn": port.wwnn if port else "",
            "address": port.address if port else "",
        }


def _by_fcp(turn: Turn) -> Iterator[_Login]:
    """Yield the logins of initiators at portal groups of ports."""
    for groups in turn.memory.scsi.groups.values():
        for group in groups:
            endpoint = group.endpoint
            if endpoint.protocol.service == FCP:
                for name in sessions.logged_in(turn.host, group.path):
                    yield _Login(endpoint.interface_uuid, endpoint.svm_uuid, FCP, name)


def _by_nvme(turn: Turn) -> Iterator[_Login]:
    """Yield the ports of hosts that are connected to subsystems at ports."""
    endpoints = by_key(turn.session)
    for controller in turn.observed(CONTROLLERS).values():
        endpoint = endpoints.get(EndpointKey(turn.node_uuid, "nvme", controller["port"]))
        name = _PORT_NAME.search(controller["host_address"])
        if endpoint and name and isinstance(endpoint.interface, FcInterface):
            interface = endpoint.interface
            wwpn = ":".join(re.findall("..", name[1].zfill(16)))
            yield _Login(interface.uuid, interface.svm_uuid, FC_NVME, wwpn)
