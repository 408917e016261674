"""Tells of volumes that cannot grow as they should, as long as that lasts."""

from __future__ import annotations

from sanstone.reconcile.results import VolumeSizesTold
from sanstone.reconcile.tasks.volume_sizes import VolumeSizesMemory
from sanstone.reconcile.turn import Turn


def tell(turn: Turn) -> VolumeSizesTold:
    """Report what the task that has volumes grow found before this turn."""
    turn.conditions.update(turn.memory.of(VolumeSizesMemory).conditions)
    return VolumeSizesTold(turn.outcomes)
