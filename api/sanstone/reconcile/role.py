"""The role in which a node serves a LUN or a namespace: active or on standby.

The owner of its aggregate is active: the device has the data behind it, and paths are optimized.
The partner stands by: it has the same device and the same target, so that hosts know its paths and
a takeover swaps a table. There is no pool behind the device, but an error table, and paths to it
are inaccessible. An object shows the observations of the active node; the node on standby records
none.

No host may ever do I/O to an error table: it would take the error for one of its data. So a path
becomes inaccessible before the data goes, and optimized after the data came (`access`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from sanstone.reconcile.memory import StageMemory


class Role(Enum):
    """What a node does for an object."""

    ACTIVE = auto()
    STANDBY = auto()


@dataclass
class StandbyMemory(StageMemory):
    """Which devices have no data behind them on this machine.

    That is so of what the partner owns, and after a takeover of what waits for its pool.
    """

    luns: set[str] = field(default_factory=set)
    """UUIDs of LUNs."""
    namespaces: dict[str, str] = field(default_factory=dict)
    """By UUID of the namespace: the node that is home to its aggregate."""

    def discard(self, uuid: str) -> None:
        """Note that a device has its data, or is gone."""
        self.luns.discard(uuid)
        self.namespaces.pop(uuid, None)
