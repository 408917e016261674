"""The paths of hosts: which are logged in, since when, and which were and are no more.

What was seen of a path is its observation, so that it outlives the process and a boot: after that
all hosts are lost until they come back. A path that is not logged in and that the configuration has
taken away, or by which nothing is reached any more, is forgotten: the host may have gone for good.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from sanstone import protocols
from sanstone.model.network import FCP, AnyEndpoint
from sanstone.model.nvme import Subsystem
from sanstone.model.observations import (
    FC_LOGINS,
    ISCSI_SESSIONS,
    NVME_CONTROLLERS,
    PATHS,
    SRP_SESSIONS,
)
from sanstone.reconcile.results import FcLoginsSeen, NvmeServed, PathsSeen, ScsiServed
from sanstone.reconcile.stages.endpoints import by_key
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.endpoints import EndpointKey
from sanstone.rules.san.configured_paths import configured_paths, path_uuid
from sanstone.rules.san.paths import MTU

LOGGED_IN, READY, FATAL = "logged_in", "ready", "fatal"


def observe(turn: Turn, _nvme: NvmeServed, _scsi: ScsiServed, _logins: FcLoginsSeen) -> PathsSeen:
    """Observe by which paths hosts are logged in."""
    if not turn.looks:
        return PathsSeen(turn.outcomes)
    now, memory = time.time(), turn.seen.every(PATHS)
    live = _live(turn)
    for key, facts in live.items():
        before = memory.get(key, {})
        since = before.get("since", now) if before.get("connected") else now
        # The MTU of `path_mtus` holds until the host logs in anew.
        known = {MTU: before[MTU]} if before.get("connected") and MTU in before else {}
        memory[key] = {"connected": True, "since": since, **known, **facts}
    away = memory.keys() - live.keys()
    for key in away:
        if memory[key].get("connected"):
            memory[key] = memory[key] | {"connected": False, "since": now}
    if away:
        kept = {path.key for path in configured_paths(turn.session) if path.devices}
        for key in away - kept:
            del memory[key]
    return PathsSeen(turn.outcomes)


def _live(turn: Turn) -> dict[str, dict[str, Any]]:
    """Return by path the host's addresses and its own name for itself."""
    live: dict[str, dict[str, Any]] = {}
    for key, alias, addresses in (
        *_sessions(turn),
        *_port_logins(turn),
        *_srp_sessions(turn),
        *_controllers(turn),
    ):
        facts = live.setdefault(key, {"alias": alias, "addresses": []})
        facts["addresses"] = sorted({*facts["addresses"], *addresses})
    return live


def _sessions(turn: Turn) -> Iterator[tuple[str, str, list[str]]]:
    """Yield path, alias and address of each connection of an iSCSI session."""
    endpoints = by_key(turn)
    for session in turn.seen.every(ISCSI_SESSIONS).values():
        endpoint = endpoints.get(EndpointKey(turn.node_uuid, "scsi", session["tag"]))
        if endpoint is None:
            continue
        for connection in session["connections"]:
            if connection["state"] == LOGGED_IN and connection["transport"]:
                place = endpoint.interface_uuid, connection["transport"]
                key = _key(session["svm"], *place, session["initiator"])
                yield key, session["alias"], [connection["initiator_address"]]


def _port_logins(turn: Turn) -> Iterator[tuple[str, str, list[str]]]:
    """Yield path, alias and addresses of each initiator that is logged in at a port by FCP."""
    interfaces = {row.interface_uuid: row for row in by_key(turn).values()}
    for login in turn.seen.every(FC_LOGINS).values():
        endpoint = interfaces.get(login["interface"])
        if endpoint and login["protocol"] == FCP:
            address = [login["address"]] if login["address"] else []
            place = endpoint.interface_uuid, transport_name(endpoint)
            yield _key(login["svm"], *place, login["wwpn"]), "", address


def _srp_sessions(turn: Turn) -> Iterator[tuple[str, str, list[str]]]:
    """Yield path, alias and addresses of each initiator that is logged in by SRP.

    The kernel tells no address.
    """
    for session in turn.seen.every(SRP_SESSIONS).values():
        place = session["interface"], session["transport"]
        yield _key(session["svm"], *place, session["initiator"]), "", []


def _controllers(turn: Turn) -> Iterator[tuple[str, str, list[str]]]:
    """Yield path, alias and addresses of each NVMe controller that is ready."""
    endpoints = by_key(turn)
    for controller in turn.seen.every(NVME_CONTROLLERS).values():
        endpoint = endpoints.get(EndpointKey(turn.node_uuid, "nvme", controller["port"]))
        subsystem = turn.session.get(Subsystem, controller["subsystem"])
        # Its state is a list of the bits set in the controller's status register.
        states = controller["state"].split("|")
        if endpoint and subsystem and READY in states and FATAL not in states:
            place = endpoint.interface_uuid, transport_name(endpoint)
            key = _key(subsystem.svm_uuid, *place, controller["host_nqn"], subsystem.uuid)
            yield key, "", [controller["host_address"]]


def transport_name(endpoint: AnyEndpoint) -> str:
    """Return the API's name for the transport of an endpoint."""
    protocol = protocols.named(endpoint.protocol)
    return protocol.public_name if protocol else endpoint.protocol


def _key(svm: str, interface: str, transport: str, initiator: str, subsystem: str = "") -> str:
    """Return the key of a path."""
    return f"{svm}/{path_uuid(interface, transport, initiator, subsystem)}"
