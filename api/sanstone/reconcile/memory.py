"""What the reconciler remembers from one turn to the next. It only saves reading."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

from sanstone.kernel.network import net
from sanstone.kernel.network.firewall import Table
from sanstone.kernel.storage.block import Disk
from sanstone.kernel.storage.dm import ThinDevice
from sanstone.kernel.target import lio, nvmet
from sanstone.kernel.target.fabrics import Fabric
from sanstone.reconcile.faults import Condition, Conditions, Faults
from sanstone.reconcile.served_endpoint import ServedEndpoint, fabrics
from sanstone.reconcile.served_target import ServedTarget

SMALLEST_SHARD = 128
"""LUNs and namespaces that are verified in one turn at least."""


class ServedGroup(NamedTuple):
    """A portal group that is served: its path in configfs, its target, and its endpoint."""

    path: str
    target: str
    fabric: Fabric
    endpoint: ServedEndpoint


@dataclass
class ScsiMemory:
    """What LIO serves."""

    target: ServedTarget = field(
        default_factory=lambda: ServedTarget(
            lambda host, progress: lio.read(host, fabrics(), progress), lio.read_attribute
        )
    )
    groups: dict[str, tuple[ServedGroup, ...]] = field(default_factory=dict)
    """By SVM: the portal groups that are served."""
    held: set[str] = field(default_factory=set)
    """SVMs that are not served yet because a LUN is late."""
    initiators: dict[str, frozenset[str]] = field(default_factory=dict)
    """By igroup: the initiators that see its maps."""


@dataclass
class NvmeMemory:
    """What nvmet serves."""

    target: ServedTarget = field(
        default_factory=lambda: ServedTarget(nvmet.read, nvmet.read_attribute)
    )
    nqns: dict[str, str] = field(default_factory=dict)
    """By subsystem: its NQN."""
    hosts: dict[str, frozenset[str]] = field(default_factory=dict)
    """By subsystem: the NQNs of its hosts."""
    ports: tuple[nvmet.Port, ...] = ()
    svms: dict[int, str] = field(default_factory=dict)
    """By port: its SVM."""
    held: set[str] = field(default_factory=set)
    """Subsystems that are not served yet because a namespace is late."""


@dataclass
class Memory:
    """What the last turns found. `disks` is None when they must be looked for again."""

    scsi: ScsiMemory = field(default_factory=ScsiMemory)
    nvme: NvmeMemory = field(default_factory=NvmeMemory)
    faults: Faults = field(default_factory=Faults)
    conditions: Conditions = field(default_factory=Conditions)
    recorded_faults: dict[str, str] | None = None
    """By owner: the faults that the database tells of; None until they were written once."""
    recorded_conditions: dict[str, Condition] | None = None
    disks: dict[str, Disk] | None = None
    unusable_disks: list[Disk] = field(default_factory=list)
    """Disks that cannot be told apart."""
    pools: dict[str, int] = field(default_factory=dict)
    """Active aggregates, with the number of their RAID groups."""
    active_pools: set[str] = field(default_factory=set)
    """Aggregates whose pool was active at the end of its stage."""
    devices: dict[str, ThinDevice] = field(default_factory=dict)
    """Live devices, by the UUID of their LUN or namespace."""
    ready: set[str] = field(default_factory=set)
    """LUNs and namespaces, by UUID, that can be exported now."""
    unverified: deque[str] = field(default_factory=deque)
    """Owners of LUNs and namespaces that are still to be verified in this round."""
    shard: int = SMALLEST_SHARD
    """How many of them are verified in one turn."""
    lifs: dict[str, bool] = field(default_factory=dict)
    """Whether the address of a LIF was on its port."""
    network: tuple[object, net.State] | None = None
    """What the network was last made to be, and what it was then."""
    firewall: Table | None = None
    """What connections were last allowed by LIFs."""
    started: float = field(default_factory=time.monotonic)

    def forget_all(self) -> None:
        """Drop all that saves reading the machine; what was said of it stays."""
        self.forget_few()
        self.devices.clear()
        self.scsi, self.nvme = ScsiMemory(), NvmeMemory()

    def forget_few(self) -> None:
        """Drop what saves reading what there are few of, so that it is read again."""
        self.disks = None
        self.pools.clear()
        self.network = None
        self.firewall = None
