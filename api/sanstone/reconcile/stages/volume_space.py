"""Reports volumes that cannot grow as they should, as long as that lasts."""

from __future__ import annotations

from sanstone.reconcile.results import VolumeSpaceReported
from sanstone.reconcile.tasks.volume_space import VolumeSpaceMemory
from sanstone.reconcile.turn import Turn


def report(turn: Turn) -> VolumeSpaceReported:
    """Report what the task that has volumes grow found before this turn."""
    turn.conditions.update(turn.memory.of(VolumeSpaceMemory).conditions)
    return VolumeSpaceReported(turn.outcomes)
