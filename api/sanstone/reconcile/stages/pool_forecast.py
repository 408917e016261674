"""Tells of aggregates that will soon be full, while there is time to add disks.

The samples change every 5 minutes, so they are looked at no more often.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from dataclasses import dataclass

from sanstone.core import events
from sanstone.core.events import Condition
from sanstone.core.history.metrics_file import DAY
from sanstone.model.aggregates import Aggregate
from sanstone.reconcile.memory import StageMemory
from sanstone.reconcile.turn import Turn
from sanstone.rules.storage import space_forecast

SOON = 14
"""Days before an aggregate is full from which that is reported."""
PERIOD = 300.0
log = logging.getLogger("sanstone.reconciler")


@dataclass
class ForecastMemory(StageMemory):
    """The last forecast."""

    soon_full: frozenset[str] = frozenset()
    """Aggregates that will soon be full."""
    read_again: float | None = None
    """When that is to be read again, in seconds of the monotonic clock; None for at once."""


def warn(turn: Turn, aggregate: Aggregate) -> None:
    """Tell of an aggregate that will be full within `SOON` days."""
    if aggregate.uuid in _soon_full(turn):
        text = f'Aggregate "{aggregate.name}" will be full within {SOON} days if its use grows on.'
        turn.conditions[f"pool.forecast:{aggregate.uuid}"] = Condition(
            events.NOTICE, "pool.forecast", text, aggregate.owner
        )


def _soon_full(turn: Turn) -> frozenset[str]:
    """Return the UUIDs of the aggregates that will be full soon, as of the last look."""
    memory, now = turn.memory.of(ForecastMemory), time.monotonic()
    if memory.read_again is None or now >= memory.read_again:
        memory.read_again, memory.soon_full = now + PERIOD, _read(time.time())
    return memory.soon_full


def _read(now: float) -> frozenset[str]:
    try:
        forecasts = space_forecast.of_aggregates(now)
    except sqlite3.Error as error:
        # The file may be lost, and is not worth a fault.
        log.warning("nothing is foretold of aggregates: %s", error)
        return frozenset()
    return frozenset(
        uuid for uuid, each in forecasts.items() if each.full and each.full <= now + SOON * DAY
    )
