"""A past for the furnished array: figures of half an hour, and samples of space of two months.

Aggregates and volumes fill steadily, so that there is a forecast, and were off for a day, so that
there is a gap. LUNs were read and written, mostly quickly.
"""

from __future__ import annotations

import math
import time

from simulator import Simulator

from sanstone.core.history import metrics, metrics_file, space_history
from sanstone.core.history.metrics import CLUSTER, Counters, Done
from sanstone.core.history.metrics_file import DAY, Key
from sanstone.core.history.space_history import Space

DAYS, DAYS_OF_MONTH = 60, 30
INTERVALS = 120
FULL_IN = 41
"""Days until an aggregate of the past is full."""


def add_history(simulator: Simulator) -> None:
    """Record a past that ends now."""
    now = time.time()  # noqa: TID251 - browsers show times beside it
    counted = set(metrics.totals())
    # Figures recorded so far are too young.
    metrics_file.path().unlink()
    metrics.record(now - (DAYS + 1) * DAY, {}, counted)
    aggregates = _sizes(simulator, "storage/aggregates", "space.block_storage.size")
    volumes = _sizes(simulator, "storage/volumes", "space.size")
    for age in _ages():
        spaces = {key: _aggregate(size, age) for key, size in aggregates.items()}
        spaces |= {key: _volume(size, age) for key, size in volumes.items()}
        space_history.record(now - age, spaces)
    busy = (CLUSTER, *_sizes(simulator, "storage/luns", "space.size"))
    for number in range(INTERVALS):
        done = _done(number)
        metrics.record(now - 15 * (INTERVALS - number), dict.fromkeys(busy, done))


def _sizes(simulator: Simulator, path: str, field: str) -> dict[Key, int]:
    """Return the size of each object of a kind."""
    sizes: dict[Key, int] = {}
    for record in simulator.get(f"{path}?fields={field}")["records"]:
        value = record
        for name in field.split("."):
            value = value[name]
        sizes[path, record["uuid"]] = int(value)
    return sizes


def _ages() -> list[int]:
    """Return how long ago samples were taken, in seconds: daily, then every two hours."""
    daily = range(DAYS * DAY, DAYS_OF_MONTH * DAY, -DAY)
    hourly = range(DAYS_OF_MONTH * DAY, -1, -7200)
    return [age for age in (*daily, *hourly) if not 10 * DAY < age < 11 * DAY]


def _aggregate(size: int, age: int) -> Space:
    growth = size // 120
    used = size - FULL_IN * growth - growth * age // DAY
    return Space(size, used, provisioned=3 * size // 2, metadata_percent=12)


def _volume(size: int, age: int) -> Space:
    used = size // 2 - size * age // (200 * DAY)
    snapshots = size // 10 - size * (age % (7 * DAY)) // (100 * DAY)
    return Space(size, used, 4 * size // 5, snapshots)


def _done(number: int) -> Done:
    """Return the I/O of an interval: more and slower in waves."""
    wave = 1 + math.sin(number / 12)
    histogram = tuple(
        round(40 * wave * share)
        for share in (0, 20, 160, 240, 90, 30, 8 * wave, 3 * wave, wave / 9)
    )
    operations = sum(histogram)
    reads = operations * 2 // 3
    writes = operations - reads
    times = {"read_us": 700 * reads, "write_us": 1100 * writes}
    bytes_moved = {"read_bytes": 32768 * reads, "written_bytes": 16384 * writes}
    return Done(Counters(reads=reads, writes=writes, **times, **bytes_moved), histogram)
