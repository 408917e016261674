"""The firewall's openings, as its stages left them: discovery refers to nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.kernel.network.firewall import Table
from sanstone.reconcile.memory import StageMemory


@dataclass
class FirewallMemory(StageMemory):
    """The firewall's table that the last turn applied; None when it must be read again."""

    table: Table | None = None

    def forget_inventory(self) -> None:
        """Have the table read again."""
        self.table = None
