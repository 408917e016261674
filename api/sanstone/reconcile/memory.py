"""What the reconciler remembers from one turn to the next. It only saves reading."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sanstone.core.events import Condition
from sanstone.kernel.hardware.disk_health import DiskHealth
from sanstone.kernel.hardware.enclosures import Bay, Shelf
from sanstone.kernel.hardware.error_records import Errors
from sanstone.kernel.hardware.kernel_complaints import Complaint
from sanstone.kernel.hardware.pcie_links import Link
from sanstone.kernel.hardware.sensors import Sensor
from sanstone.kernel.hardware.system_event_log import LogEntry
from sanstone.kernel.network import net
from sanstone.kernel.network.fc import Port, RemotePort, VirtualPort
from sanstone.kernel.network.fc_services import Switch, ZoneSet
from sanstone.kernel.network.firewall import Table
from sanstone.kernel.network.isns import Entity
from sanstone.kernel.storage.block import Disk
from sanstone.kernel.storage.disk_sanitize import Sanitization
from sanstone.kernel.storage.stack.over_thin import ThinDevice
from sanstone.kernel.target import lio, nvmet
from sanstone.kernel.target.fabrics import Fabric
from sanstone.protocols import Protocol
from sanstone.reconcile.faults import Conditions, Faults
from sanstone.reconcile.served_endpoint import ServedEndpoint, fabrics
from sanstone.reconcile.served_target import ServedTarget

SMALLEST_SHARD = 128
"""Minimum number of LUNs and namespaces that are verified in one turn."""


class ServedGroup(NamedTuple):
    """A portal group that is exported: its path in configfs, its target, and its endpoint."""

    path: str
    target: str
    fabric: Fabric
    endpoint: ServedEndpoint


class RdmaPlace(NamedTuple):
    """Where targets can listen: a device, the index of its network interface, which no other ever
    has, and the first address (GID) of its port."""

    device: str
    interface: int
    gid: str


@dataclass
class ScsiMemory:
    """What LIO exports."""

    target: ServedTarget = field(
        default_factory=lambda: ServedTarget(
            lambda host, progress: lio.read(host, fabrics(), progress), lio.read_attribute
        )
    )
    groups: dict[str, tuple[ServedGroup, ...]] = field(default_factory=dict)
    """By SVM: the exported portal groups."""
    delayed_svms: set[str] = field(default_factory=set)
    """SVMs that are not exported yet because a LUN cannot be exported yet."""
    initiators: dict[str, frozenset[str]] = field(default_factory=dict)
    """By igroup: the initiators that see its maps."""


@dataclass
class NvmeMemory:
    """What nvmet exports."""

    target: ServedTarget = field(
        default_factory=lambda: ServedTarget(nvmet.read, nvmet.read_attribute)
    )
    nqns: dict[str, str] = field(default_factory=dict)
    """By subsystem: its NQN."""
    hosts: dict[str, frozenset[str]] = field(default_factory=dict)
    """By subsystem: the NQNs of its hosts."""
    endpoints: tuple[ServedEndpoint, ...] = ()
    """The exported endpoints."""
    ports: tuple[nvmet.Port, ...] = ()
    """The exported ports."""
    svms: dict[int, str] = field(default_factory=dict)
    """By port id: its SVM."""
    delayed_subsystems: set[str] = field(default_factory=set)
    """Subsystems that are not exported yet because a namespace cannot be exported yet."""


@dataclass
class FibreChannelMemory:
    """The ports of adapters, and what is served through them."""

    ports: dict[str, Port] = field(default_factory=dict)
    """By WWPN: the machine's ports, as they were seen last."""
    has_loops: bool = False
    """Whether nvme-fcloop is loaded."""
    present: dict[str, bool] = field(default_factory=dict)
    """By interface: whether its port is there and can serve it."""
    modules: set[str] = field(default_factory=set)
    """The kernel modules that were loaded for ports."""
    virtual: dict[str, VirtualPort] = field(default_factory=dict)
    """By WWPN: the virtual ports that there are."""
    bases: dict[str, Protocol] = field(default_factory=dict)
    """By WWPN of ports at which virtual ones shall be: the transport by which the port itself is
    served, which it must be, if only to nobody."""
    seen: list[RemotePort] = field(default_factory=list)
    """The ports of others that the machine's ports see."""
    refused: frozenset[str] | None = None
    """By the keys of their refusals: initiators that were seen at the last look and not let in;
    None before the first one."""


class HealthReading(NamedTuple):
    """What a disk said of its health, and when, in seconds since 1970."""

    health: DiskHealth
    time: float


@dataclass
class Readings:
    """What disks and shelves said last. A thread writes it, see `tasks.disk_reader`."""

    health: dict[str, HealthReading] = field(default_factory=dict)
    """By a disk's identity."""
    sanitizations: dict[str, Sanitization] = field(default_factory=dict)
    """Of the disks that answered last, by their identities."""
    shelves: tuple[Shelf, ...] | None = None
    """The shelves, with a disk's identity in the place of its name; None until they were read."""
    shelves_read: float = 0.0
    """When the shelves were read, in seconds of the monotonic clock."""

    def bays(self) -> dict[str, tuple[Shelf, Bay]]:
        """Return the shelf and bay of each disk, by its identity."""
        return {
            bay.disk: (shelf, bay) for shelf in self.shelves or () for bay in shelf.bays if bay.disk
        }

    def note_light(self, light: str, *, lit: bool) -> None:
        """Remember that a bay's light was switched."""
        self.shelves = tuple(
            replace(
                shelf,
                bays=tuple(
                    replace(bay, lit=lit) if bay.light == light else bay for bay in shelf.bays
                ),
            )
            for shelf in self.shelves or ()
        )


class ControllerReadings(NamedTuple):
    """What the machine's management controller (BMC) said last; None for what was not read yet.

    `silences` is how often in a row it did not answer.
    """

    present: bool = True
    sensors: tuple[Sensor, ...] | None = None
    entries: tuple[LogEntry, ...] | None = None
    silences: int = 0


@dataclass
class ControllerMemory:
    """The management controller. A thread reads it, see `tasks.sensor_reader`."""

    readings: ControllerReadings | None = None
    """The thread writes it; None until it has looked whether there is one."""
    taken_in: ControllerReadings | None = None
    """What of that was taken in last."""


class ErrorReadings(NamedTuple):
    """What the machine told of errors last; None for what was not read yet."""

    records: tuple[Errors, ...] | None = None
    links: tuple[Link, ...] | None = None


@dataclass
class ErrorsMemory:
    """Errors of the hardware and the kernel. A thread reads them, see `tasks.error_reader`."""

    readings: ErrorReadings | None = None
    """The thread writes it."""
    taken_in: ErrorReadings | None = None
    """What of that was taken in last."""
    complaints: deque[Complaint] = field(default_factory=deque)
    """The kernel's complaints in its log, oldest first. The thread adds them, the stage takes them
    out."""


class Way(NamedTuple):
    """Between a LIF and a host: their addresses, and the MTU of the LIF's port in bytes."""

    source: str
    destination: str
    mtu: int


@dataclass
class PathMtus:
    """How large packets pass between LIFs and connected hosts."""

    ways: frozenset[Way] = frozenset()
    """Those that are to be looked at."""
    passing: dict[Way, int | None] = field(default_factory=dict)
    """By way: the largest packet that passed when it was looked at, None where the host answered
    nothing. A thread writes it, see `tasks.path_prober`."""


class FabricTold(NamedTuple):
    """What a fabric told of itself, and when, in seconds since 1970."""

    zone_set: ZoneSet | None
    switches: tuple[Switch, ...]
    time: float


@dataclass
class FabricsMemory:
    """What Fibre Channel fabrics told. A thread writes it, see `tasks.fabric_asker`."""

    wanted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By name of the fabrics that there are: the ports in it (WWPNs), to be asked through."""
    told: dict[str, FabricTold] = field(default_factory=dict)
    """By name of a fabric. The thread writes it."""
    observed: Mapping[str, FabricTold] | None = None
    """What of that was observed last; None before the first time."""


class Registration(NamedTuple):
    """What is to be registered at an iSNS server."""

    server: str
    entity: Entity


class Registered(NamedTuple):
    """A target that an iSNS server knows, and until when, in seconds since 1970."""

    server: str
    entity: str
    target: str
    until: float


@dataclass
class IsnsMemory:
    """Registrations at iSNS servers, by SVM. A thread makes them, see `tasks.isns_registrar`."""

    wanted: Mapping[str, Registration] = field(default_factory=dict)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The addresses of LIFs, from which servers are told."""
    registered: dict[str, Registered] | None = None
    """What servers know; None until it was looked up. From then on the thread writes it."""
    errors: dict[str, str] = field(default_factory=dict)
    """Why it failed the last time. The thread writes it."""
    ordered: set[str] = field(default_factory=set)
    """SVMs that are to be registered anew at once, as somebody asked. The thread takes them out."""


@dataclass
class NamesMemory:
    """Names of trap hosts, which a thread looks up, see `tasks.name_resolver`."""

    wanted: frozenset[str] = frozenset()
    addresses: dict[str, str] = field(default_factory=dict)
    """The address that each name led to the last time it led to one. The thread writes it."""
    errors: dict[str, str] = field(default_factory=dict)
    """Why a name leads nowhere now. The thread writes it."""


@dataclass
class Memory:
    """What the last turns observed. `disks` is None when the disks must be read again."""

    scsi: ScsiMemory = field(default_factory=ScsiMemory)
    nvme: NvmeMemory = field(default_factory=NvmeMemory)
    fibre_channel: FibreChannelMemory = field(default_factory=FibreChannelMemory)
    faults: Faults = field(default_factory=Faults)
    conditions: Conditions = field(default_factory=Conditions)
    recorded_faults: dict[str, str] | None = None
    """By owner: the fault messages in the database; None until a turn has written them."""
    recorded_conditions: dict[str, Condition] | None = None
    """The conditions that events report; None until a turn has written them."""
    disks: dict[str, Disk] | None = None
    unusable_disks: list[Disk] = field(default_factory=list)
    """Disks without an identity of their own, which cannot be told from others."""
    readings: Readings = field(default_factory=Readings)
    controller: ControllerMemory = field(default_factory=ControllerMemory)
    errors: ErrorsMemory = field(default_factory=ErrorsMemory)
    path_mtus: PathMtus = field(default_factory=PathMtus)
    fabrics: FabricsMemory = field(default_factory=FabricsMemory)
    isns: IsnsMemory = field(default_factory=IsnsMemory)
    trap_hosts: NamesMemory = field(default_factory=NamesMemory)
    pools: dict[str, int] = field(default_factory=dict)
    """By active aggregate: the number of its RAID groups."""
    active_pools: set[str] = field(default_factory=set)
    """Aggregates whose pool was active at the end of the stage of pools in the last turn."""
    soon_full: tuple[float, frozenset[str]] | None = None
    """Aggregates that will soon be full, and when that was read, by the monotonic clock."""
    devices: dict[str, ThinDevice] = field(default_factory=dict)
    """Live devices, by the UUID of their LUN or namespace."""
    ready: set[str] = field(default_factory=set)
    """UUIDs of the LUNs and namespaces that can be exported now."""
    unverified: deque[str] = field(default_factory=deque)
    """Owners of the LUNs and namespaces still to be verified in the current round."""
    shard: int = SMALLEST_SHARD
    """How many LUNs and namespaces one turn verifies."""
    lifs: dict[str, bool] = field(default_factory=dict)
    """By LIF: whether its address was on its port."""
    rdma: dict[str, RdmaPlace] = field(default_factory=dict)
    """By LIF at which targets can listen for RDMA: where that is."""
    mute_rdma: frozenset[str] = frozenset()
    """RDMA devices of ours at which nobody connects until they are made anew."""
    network: net.State | None = None
    """The actual state of the network after the last turn; None when it must be read again."""
    firewall: Table | None = None
    """The firewall's table that the last turn applied; None when it must be read again."""
    failed_logins: dict[str, int] = field(default_factory=dict)
    """By SVM: how many logins at its iSCSI target had failed to authenticate."""
    started: float = field(default_factory=lambda: time.monotonic())
    """Time of the start, in seconds of the monotonic clock."""

    def forget_all(self) -> None:
        """Discard all that saves reading the machine. Faults and conditions are kept."""
        self.forget_inventory()
        self.devices.clear()
        self.scsi, self.nvme = ScsiMemory(), NvmeMemory()

    def forget_inventory(self) -> None:
        """Discard the inventory, so that it is read again: disks, pools, network and firewall."""
        self.disks = None
        self.pools.clear()
        self.network = None
        self.firewall = None
