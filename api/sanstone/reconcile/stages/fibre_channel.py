"""Fibre Channel: the ports of adapters, and the interfaces that serve SVMs through them.

A port is the adapter's own: it comes and goes with its driver, which also decides what can be
served through it. The observation of an interface follows from its port.

A virtual port (NPIV) is created with its target, in a turn in which its port is in a fabric and was
served itself before. That the port is as long as a virtual one shall be at it: where its own
interface is switched off, to nobody (`scsi_target`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from sanstone import protocols
from sanstone.core.events import ALERT, NOTICE, Condition
from sanstone.kernel.network import fc
from sanstone.kernel.target.addresses import WorldWideName
from sanstone.model.network import FC_NVME, FcInterface
from sanstone.model.observations import FC_PORTS
from sanstone.protocols import Protocol
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.results import FibreChannelUp, ScsiServed, VirtualPortsSeen
from sanstone.reconcile.served_endpoint import fabric
from sanstone.reconcile.turn import Turn
from sanstone.rules.network.service_policies import transports
from sanstone.rules.network.virtual_ports import virtual_names

DRIVER = f"/sys/module/{fc.LPFC}"


@dataclass
class FibreChannelMemory(StageMemory):
    """The ports of adapters, and which services use them."""

    ports: dict[str, fc.Port] = field(default_factory=dict)
    """By WWPN: the machine's ports, as they were seen last."""
    has_loops: bool = False
    """Whether nvme-fcloop is loaded."""
    present: dict[str, bool] = field(default_factory=dict)
    """By interface: whether its port is there and can serve it."""
    modules: set[str] = field(default_factory=set)
    """The kernel modules that were loaded for ports."""
    virtual: dict[str, fc.VirtualPort] = field(default_factory=dict)
    """By WWPN: the virtual ports that there are."""
    bases: dict[str, Protocol] = field(default_factory=dict)
    """By WWPN of ports at which virtual ones shall be: the transport by which the port itself is
    served, which it must be, if only to nobody."""
    seen: list[fc.RemotePort] = field(default_factory=list)
    """The ports of others that the machine's ports see."""
    refused: frozenset[str] | None = None
    """By the keys of their refusals: initiators that were seen at the last look and not let in;
    None before the first one."""


def reconcile(turn: Turn) -> FibreChannelUp:
    """Load what serves the interfaces; observe ports and interfaces."""
    memory = turn.memory.of(FibreChannelMemory)
    of_node = interfaces(turn)
    if turn.thorough and not turn.host.files.exists(DRIVER):
        nvme_targets = {each.wwpn for each in of_node if each.data_protocol == FC_NVME}
        with turn.attempt(""):
            fc.load_lpfc(turn.host, nvme_targets)
    if turn.looks or turn.whole:
        memory.ports = {port.wwpn: port for port in fc.ports(turn.host)}
        memory.has_loops = fc.has_loops(turn.host)
    if memory.virtual or any(each.is_virtual for each in of_node):
        memory.virtual = {port.wwpn: port for port in fc.virtual_ports(turn.host)}
    for interface in of_node:
        with turn.attempt(interface.owner):
            _load_modules(turn, interface)
    _observe(turn, of_node)
    return FibreChannelUp(turn.outcomes)


def observe_virtual(turn: Turn, _scsi: ScsiServed) -> VirtualPortsSeen:
    """Observe the virtual ports that the turn has created."""
    virtual = [each for each in interfaces(turn) if each.is_virtual]
    if not virtual:
        return VirtualPortsSeen(turn.outcomes)
    memory = turn.memory.of(FibreChannelMemory)
    memory.virtual = {port.wwpn: port for port in fc.virtual_ports(turn.host)}
    for interface in virtual:
        _observe_interface(turn, interface)
    return VirtualPortsSeen(turn.outcomes)


def interfaces(turn: Turn) -> Sequence[FcInterface]:
    """Return the node's interfaces, also those that are switched off."""
    return turn.once(_read)


def _read(turn: Turn) -> Sequence[FcInterface]:
    return turn.own(FcInterface, _interfaces()).scalars().unique().all()


@cache
def _interfaces() -> Select[tuple[FcInterface]]:
    related = joinedload(FcInterface.svm), joinedload(FcInterface.endpoints)
    return select(FcInterface).options(*related).order_by(FcInterface.uuid)


def is_desired(interface: FcInterface) -> bool:
    """Return whether an interface is enabled and its SVM runs."""
    return interface.enabled and interface.svm.state == "running"


def is_live(turn: Turn, interface: FcInterface) -> bool:
    """Return whether an interface is desired, and its port can serve it now."""
    return is_desired(interface) and turn.memory.of(FibreChannelMemory).present.get(
        interface.uuid, False
    )


def port_for(turn: Turn, interface: FcInterface, protocol: Protocol) -> fc.Port | None:
    """Return the port of an interface if it is there and can serve a transport.

    Names of ports in the kernel's files are the kernel's own, never the database's.
    """
    port = turn.memory.of(FibreChannelMemory).ports.get(interface.port)
    return port if port and protocol in _transports(turn, port) else None


def address(turn: Turn, interface: FcInterface, port: fc.Port) -> WorldWideName:
    """Return the names of an interface, which is at this port."""
    names = virtual_names(turn.session, interface)
    return replace(names, base=port.wwpn) if names else WorldWideName(port.wwnn, port.wwpn)


def _transports(turn: Turn, port: fc.Port) -> list[Protocol]:
    """Return the transports that can be served through a port."""
    loops = {fc.LOOP} if turn.memory.of(FibreChannelMemory).has_loops else set()
    served = protocols.served_by({port.driver, *loops})
    return [each for each in served if not each.virtual_of or port.virtual_maximum]


def _of_interface(turn: Turn, interface: FcInterface) -> Iterator[Protocol]:
    """Yield the transport of an interface, if its port is there and can serve that."""
    port, offered = (
        turn.memory.of(FibreChannelMemory).ports.get(interface.port),
        transports(interface),
    )
    for protocol in _transports(turn, port) if port else ():
        if protocol in offered:
            yield protocol


def _load_modules(turn: Turn, interface: FcInterface) -> None:
    """Load the modules that serve an interface. Raises HostError."""
    loaded = turn.memory.of(FibreChannelMemory).modules
    for protocol in _of_interface(turn, interface):
        if missing := [each for each in protocol.modules if each not in loaded]:
            turn.host.commands.run(["modprobe", "--all", *missing])
            loaded.update(missing)


def _waits_for_restart(port: fc.Port, interface: FcInterface) -> bool:
    """Return whether a port serves an interface only after its driver is loaded again."""
    is_nvme = interface.data_protocol == FC_NVME
    return is_nvme and port.driver == fc.LPFC and not port.is_nvme_target


def _observe(turn: Turn, interfaces: Sequence[FcInterface]) -> None:
    """Observe ports and interfaces; add interfaces to the scope when their port came or went."""
    memory = turn.memory.of(FibreChannelMemory)
    former, bases = memory.present, memory.bases
    memory.bases = {}
    for interface in interfaces:
        for protocol in _of_interface(turn, interface):
            base = protocols.named(protocol.virtual_of)
            if base and is_desired(interface) and memory.modules.issuperset(protocol.modules):
                memory.bases[interface.port] = base
    turn.seen[FcInterface.kind] = {}
    memory.present = {}
    waiting = set()
    for interface in interfaces:
        port = memory.ports.get(interface.port)
        present = any(
            memory.modules.issuperset(p.modules) and (not p.virtual_of or _can_be(turn, interface))
            for p in _of_interface(turn, interface)
        )
        if port and present and _waits_for_restart(port, interface):
            present = False
            waiting.add(port.wwpn)
            text = (
                f'Interface "{interface.name}" is served after the node restarts: only then port '
                f"{port.name} becomes an NVMe target."
            )
            condition = Condition(NOTICE, "fc_interface.waits_for_restart", text, interface.owner)
            turn.conditions[f"fc_interface.waits_for_restart:{interface.uuid}"] = condition
        memory.present[interface.uuid] = present
        if not interface.is_virtual:
            _observe_interface(turn, interface, waits=interface.wwpn in waiting)
    turn.seen[FC_PORTS] = {
        port.wwpn: _observation(turn, port) | {"waits_for_restart": port.wwpn in waiting}
        for port in memory.ports.values()
    }
    changed = {uuid for uuid, _ in former.items() ^ memory.present.items()}
    based = bases.items() ^ memory.bases.items()
    at = {each.uuid for each in interfaces if each.port in {wwpn for wwpn, _ in based}}
    turn.scope.add(f"{FcInterface.kind}:{uuid}" for uuid in changed | at)


def _can_be(turn: Turn, interface: FcInterface) -> bool:
    """Return whether a virtual port exists, or can do so now (see `kernel.target.fabrics`)."""
    memory = turn.memory.of(FibreChannelMemory)
    virtual, port = memory.virtual.get(interface.wwpn), memory.ports.get(interface.port)
    if virtual and virtual.base == interface.port:
        return True
    return port is not None and _is_in_fabric(port) and _is_served(turn, port)


def _is_in_fabric(port: fc.Port) -> bool:
    return port.state == "online" and bool(port.fabric)


def _is_served(turn: Turn, port: fc.Port) -> bool:
    """Return whether a port's own target is enabled."""
    protocol = turn.memory.of(FibreChannelMemory).bases.get(port.wwpn)
    if protocol is None:
        return False
    its_fabric = fabric(protocol)
    target = its_fabric.target("", WorldWideName(port.wwnn, port.wwpn))
    file = f"{its_fabric.group_path(target, its_fabric.tag(0))}/enable"
    files = turn.host.files
    return files.exists(file) and files.read(file).strip() == "1"


def _observe_interface(turn: Turn, interface: FcInterface, *, waits: bool = False) -> None:
    """Observe an interface, and say why it is down unless it waits for its port."""
    memory = turn.memory.of(FibreChannelMemory)
    port, virtual = memory.ports.get(interface.port), memory.virtual.get(interface.wwpn)
    present, shown = memory.present.get(interface.uuid, False), virtual or port
    why = _obstacle(port, virtual, interface)
    is_there = present and (virtual is not None or not interface.is_virtual)
    logs_in = virtual is not None and virtual.state not in fc.LOGGED_IN
    up = is_desired(interface) and is_there and not why and not logs_in
    if is_desired(interface) and why and not waits:
        text = f'Interface "{interface.name}" is down: {why}.'
        turn.conditions[f"lif.down:{interface.uuid}"] = Condition(
            ALERT, "lif.down", text, interface.owner
        )
    turn.seen[FcInterface.kind][interface.uuid] = {
        "state": "up" if up else "down",
        "present": present,
        "address": shown.address if shown and is_there else "",
    }


def _obstacle(port: fc.Port | None, virtual: fc.VirtualPort | None, interface: FcInterface) -> str:
    """Return the obstacle to reaching an interface, '' for none and for one that soon passes."""
    if port is None:
        return f"port {interface.port} is not there"
    if port.state != "online":
        return f"port {port.name} has no link"
    if not interface.is_virtual:
        return ""
    if not port.fabric:
        return f"port {port.name} is in no fabric, which virtual ports need"
    if virtual and virtual.state not in (*fc.LOGGED_IN, fc.LOGS_IN):
        return f"the fabric or the driver of port {port.name} says of it: {virtual.state}"
    return ""


def _observation(turn: Turn, port: fc.Port) -> dict[str, object]:
    """Return the observation of a port."""
    transports_of_it = _transports(turn, port)
    return asdict(port) | {
        "physical_protocol": "ethernet" if port.driver in fc.OVER_ETHERNET else "fibre_channel",
        "supported_protocols": sorted({each.service for each in transports_of_it}),
        "transports": [each.name for each in transports_of_it],
    }
