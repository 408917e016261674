"""The results of a turn's stages: a class for each stage, which its function returns.

A stage that needs what another did, or that it is done, takes that one's result as an argument. The
order of the stages follows from these (`stage`). A stage that a turn leaves out has done nothing:
its result is that class without arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sanstone.kernel.host import HostError
from sanstone.model.aggregates import Disk
from sanstone.reconcile.lif_failover import Move
from sanstone.reconcile.outcomes import Outcomes


@dataclass(frozen=True)
class Result:
    """The outcomes of a stage by owner."""

    outcomes: Outcomes = field(default_factory=Outcomes)


class Everything(Result):
    """The outcomes of all other stages: the stage that takes it is the last one."""


@dataclass(frozen=True)
class DisksRead(Result):
    """The disks are known, and so are their paths. `new` are the rows of those without one."""

    new: tuple[Disk, ...] = ()


class LightsSwitched(Result):
    """The locate lights are as ordered."""


class GroupsRun(Result):
    """The RAID groups run that can."""


class LatenciesSeen(Result):
    """It is known which disks answer far slower than others."""


class RedundancyJudged(Result):
    """It is known how many disks each RAID group can lose, and which are to be replaced."""


class VolumeSpaceReported(Result):
    """Volumes that cannot grow as they should are reported."""


@dataclass(frozen=True)
class PoolsActive(Result):
    """All pools that can be are active.

    `turned` are the aggregates with a pool that became so, or ceased to be.
    """

    turned: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DevicesActive(Result):
    """The devices of LUNs and namespaces are there; a new table makes one CHANGED.

    `verified` are the UUIDs of those that this turn reads from the kernel again; `finds_stale` is
    whether it searches all live devices for those that nothing needs.
    """

    verified: frozenset[str] = frozenset()
    finds_stale: bool = False


class FirewallClosed(Result):
    """Openings that are not desired any more are closed."""


@dataclass(frozen=True)
class NetworkUp(Result):
    """Ports, addresses and routes are the desired ones. `moves` are LIFs for another port."""

    moves: tuple[Move, ...] = ()


class RdmaUp(Result):
    """The devices are there at which targets can listen for RDMA."""


class FibreChannelUp(Result):
    """The ports of adapters are known, and served by their modules."""


class NvmeServed(Result):
    """nvmet exports the desired state, and the controllers of hosts are observed."""


class ScsiServed(Result):
    """LIO exports the desired state, and the sessions of hosts are observed."""


class VirtualPortsSeen(Result):
    """It is observed what became of virtual ports."""


class FcLoginsSeen(Result):
    """The logins of initiators at Fibre Channel interfaces are observed."""


class FabricsSeen(Result):
    """It is observed what fabrics tell."""


class StaleRdmaRemoved(Result):
    """No device of ours for RDMA is left that no LIF needs."""


class HostsAdmitted(Result):
    """The firewall lets hosts in."""


class HostsReferred(Result):
    """Discovery refers hosts to where they are let in."""


class Announced(Result):
    """Multicast DNS announces where hosts are let in."""


class IsnsOrdered(Result):
    """The registrations at iSNS servers are ordered."""


class StaleDevicesRemoved(Result):
    """No live device is left that no LUN or namespace needs."""


class PartnersReleased(Result):
    """No pool is live that the partner owns, but for those that are still being released."""


@dataclass(frozen=True)
class DataRemoved(Result):
    """Orders to destroy were worked off; `finished` are the UUIDs of those that are complete."""

    finished: tuple[str, ...] = ()


class WebServerSet(Result):
    """The web server has its certificates."""


@dataclass(frozen=True)
class SoftwareRun(Result):
    """Orders about software run; `failures` are by UUID why some failed."""

    failures: Mapping[str, HostError] = field(default_factory=dict)


class BundlesCreated(Result):
    """Support bundles are created."""


@dataclass(frozen=True)
class DisksReadAgain(Result):
    """The disks are known as the turn leaves them; `new` is as in `DisksRead`, and in its place."""

    new: tuple[Disk, ...] = ()


class LoginsCreated(Result):
    """Accounts have their users in the system."""


class NodeSet(Result):
    """The node has its name, and knows its servers."""


class SnmpSet(Result):
    """The SNMP agent has its settings."""


class MemorySeen(Result):
    """The free memory is observed."""


class SensorsSeen(Result):
    """It is taken in what the management controller measures."""


class HardwareErrorsSeen(Result):
    """Errors of the hardware and the kernel are taken in."""


class SystemDisksSeen(Result):
    """The mirrors of the system disks are looked at."""


class PathsSeen(Result):
    """It is observed by which paths hosts are logged in."""


class PathMtusSeen(Result):
    """It is observed how large packets pass to hosts."""


class RefusalsSeen(Result):
    """It is taken in whom the targets refused."""


class PowerOrdered(Result):
    """Orders to restart the node, or to shut it down, run."""
