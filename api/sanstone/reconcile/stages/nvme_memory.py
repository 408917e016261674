"""The exports of nvmet, as the stage `nvme` left them."""

from __future__ import annotations

from dataclasses import dataclass, field

from sanstone.kernel.target import nvmet
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.served_endpoint import ServedEndpoint
from sanstone.reconcile.served_target import ServedTarget


@dataclass
class NvmeMemory(StageMemory):
    """The exports of nvmet."""

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

    def forget(self) -> NvmeMemory:
        """Forget all exports."""
        return NvmeMemory()
