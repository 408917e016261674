"""Fibre Channel: the ports of adapters, and the interfaces that serve SVMs through them.

A port is the adapter's own: it comes and goes with its driver, which also decides what can be
served through it. What is observed of an interface follows from its port.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from sanstone import protocols
from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.kernel.network import fc
from sanstone.model.network import FC_NVME, FcInterface
from sanstone.protocols import Protocol
from sanstone.reconcile.turn import Turn
from sanstone.resources.network.fc_port import KIND

DRIVER = f"/sys/module/{fc.LPFC}"


def reconcile(turn: Turn) -> None:
    """Load what serves the interfaces; observe ports and interfaces."""
    memory = turn.memory.fibre_channel
    interfaces = _interfaces(turn)
    if turn.thorough and not turn.host.files.exists(DRIVER):
        nvme_targets = {each.wwpn for each in interfaces if each.data_protocol == FC_NVME}
        with turn.attempt(""):
            fc.load_lpfc(turn.host, nvme_targets)
    if turn.looks or turn.whole:
        memory.ports = {port.wwpn: port for port in fc.ports(turn.host)}
        memory.has_loops = fc.has_loops(turn.host)
    for interface in interfaces:
        with turn.attempt(interface.owner):
            _load_modules(turn, interface)
    _observe(turn, interfaces)


def is_desired(interface: FcInterface) -> bool:
    """Return whether an interface is enabled and its SVM runs."""
    return interface.enabled and interface.svm.state == "running"


def is_live(turn: Turn, interface: FcInterface) -> bool:
    """Return whether an interface is desired, and its port can serve it now."""
    return is_desired(interface) and turn.memory.fibre_channel.present.get(interface.uuid, False)


def port_for(turn: Turn, interface: FcInterface, protocol: Protocol) -> fc.Port | None:
    """Return the port of an interface if it is there and can serve a transport.

    Names of ports in the kernel's files are the kernel's own, never the database's.
    """
    port = turn.memory.fibre_channel.ports.get(interface.wwpn)
    return port if port and protocol in _transports(turn, port) else None


def _interfaces(turn: Turn) -> Sequence[FcInterface]:
    query = select(FcInterface).options(joinedload(FcInterface.svm))
    rows = turn.session.scalars(query.filter_by(node_uuid=turn.node_uuid))
    return sorted(rows, key=lambda row: row.uuid)


def _transports(turn: Turn, port: fc.Port) -> list[Protocol]:
    """Return the transports that can be served through a port."""
    loops = {fc.LOOP} if turn.memory.fibre_channel.has_loops else set()
    return protocols.served_by({port.driver, *loops})


def _of_interface(turn: Turn, interface: FcInterface) -> Iterator[Protocol]:
    """Yield the transport of an interface, if its port is there and can serve that."""
    port = turn.memory.fibre_channel.ports.get(interface.wwpn)
    for protocol in _transports(turn, port) if port else ():
        if protocol.service == interface.data_protocol:
            yield protocol


def _load_modules(turn: Turn, interface: FcInterface) -> None:
    """Load the modules that serve an interface. Raises HostError."""
    loaded = turn.memory.fibre_channel.modules
    for protocol in _of_interface(turn, interface):
        if missing := [each for each in protocol.modules if each not in loaded]:
            turn.host.commands.run(["modprobe", "--all", *missing])
            loaded.update(missing)


def _waits_for_restart(port: fc.Port, interface: FcInterface) -> bool:
    """Return whether a port serves an interface only after its driver is loaded again."""
    is_nvme = interface.data_protocol == FC_NVME
    return is_nvme and port.driver == fc.LPFC and not port.is_nvme_target


def _observe(turn: Turn, interfaces: Sequence[FcInterface]) -> None:
    """Observe ports and interfaces; add the interfaces to the scope whose port came or went."""
    memory = turn.memory.fibre_channel
    waiting, seen = set(), {}
    for interface in interfaces:
        port = memory.ports.get(interface.wwpn)
        present = any(memory.modules.issuperset(p.modules) for p in _of_interface(turn, interface))
        if port and present and _waits_for_restart(port, interface):
            present = False
            waiting.add(port.wwpn)
            text = (
                f'Interface "{interface.name}" is served after the node restarts: only then port '
                f"{port.name} becomes an NVMe target."
            )
            told = Condition(NOTICE, "fc_interface.waits_for_restart", text, interface.owner)
            turn.conditions[f"fc_interface.waits_for_restart:{interface.uuid}"] = told
        up = port is not None and is_desired(interface) and present and port.state == "online"
        if is_desired(interface) and not up and interface.wwpn not in waiting:
            why = f"port {port.name} has no link" if port else f"port {interface.wwpn} is not there"
            text = f'Interface "{interface.name}" is down: {why}.'
            told = Condition(ALERT, "lif.down", text, interface.owner)
            turn.conditions[f"lif.down:{interface.uuid}"] = told
        seen[interface.uuid] = {"state": "up" if up else "down", "present": present}
    turn.seen[KIND] = {
        port.wwpn: _observation(turn, port) | {"waits_for_restart": port.wwpn in waiting}
        for port in memory.ports.values()
    }
    turn.seen[FcInterface.kind] = seen
    former, memory.present = memory.present, {k: bool(v["present"]) for k, v in seen.items()}
    changed = former.items() ^ memory.present.items()
    turn.scope.add(f"{FcInterface.kind}:{uuid}" for uuid, _ in changed)


def _observation(turn: Turn, port: fc.Port) -> dict[str, object]:
    """Return what is observed of a port."""
    transports = _transports(turn, port)
    return asdict(port) | {
        "physical_protocol": "ethernet" if port.driver in fc.OVER_ETHERNET else "fibre_channel",
        "supported_protocols": sorted({each.service for each in transports}),
        "transports": [each.name for each in transports],
    }
