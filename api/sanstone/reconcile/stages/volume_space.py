"""Tells of volumes that cannot grow as they should, as long as that lasts."""

from __future__ import annotations

from sanstone.reconcile.results import VolumeSpaceTold
from sanstone.reconcile.tasks.volume_space import VolumeSpaceMemory
from sanstone.reconcile.turn import Turn


def tell(turn: Turn) -> VolumeSpaceTold:
    """Report what the task that has volumes grow found before this turn."""
    turn.conditions.update(turn.memory.of(VolumeSpaceMemory).conditions)
    return VolumeSpaceTold(turn.outcomes)
