"""The exports of LIO, as the stage `scsi` left them: others look at its portal groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sanstone.kernel.target import lio
from sanstone.kernel.target.fabrics import Fabric
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.served_endpoint import ServedEndpoint, fabrics
from sanstone.reconcile.served_target import ServedTarget


class ServedGroup(NamedTuple):
    """A portal group that is exported: its path in configfs, its target, and its endpoint."""

    path: str
    target: str
    fabric: Fabric
    endpoint: ServedEndpoint


@dataclass
class ScsiMemory(StageMemory):
    """The exports of LIO."""

    target: ServedTarget = field(
        default_factory=lambda: ServedTarget(
            lambda host, progress: lio.read(host, fabrics(), progress), lio.read_attribute
        )
    )
    groups: dict[str, tuple[ServedGroup, ...]] = field(default_factory=dict)
    """By SVM: the exported portal groups."""
    delayed: dict[str, str] = field(default_factory=dict)
    """By path: the SVMs of portal groups that are not exported yet, since a LUN cannot be."""
    initiators: dict[str, frozenset[str]] = field(default_factory=dict)
    """By igroup: the initiators that see its maps."""

    def forget(self) -> ScsiMemory:
        """Forget all exports."""
        return ScsiMemory()
