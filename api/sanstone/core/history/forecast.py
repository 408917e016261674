"""When space will be full, if it goes on being used as in the last weeks.

The growth is the Theil-Sen estimate over the last sample of each day: the median of the slopes
between all pairs of days. A few days that are unlike the others, such as those of a restore or of a
deletion, do not change it, as they would a least-squares line. The forecast goes on from the space
in use now. There is none with fewer than `LEAST_DAYS` days, none while the use does not grow, and
none further ahead than `FURTHEST`, where it would say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from sanstone.core.history.metrics_file import DAY
from sanstone.core.history.space_history import Point

CONSIDERED = 42 * DAY
"""How far back samples are considered, in seconds."""
LEAST_DAYS = 7
FURTHEST = 5 * 366 * DAY
STALE = 2 * DAY
"""Age of the last sample from which on nothing is foretold."""
APART = DAY // 2
"""Least distance of two samples that tell a slope: the last of yesterday may be minutes ago."""


@dataclass(frozen=True)
class Forecast:
    """How use grows, in bytes a day, and when the space will be full, None for not foreseeable.

    Times are in seconds since 1970; `since` is that of the first sample considered.
    """

    since: float
    growth_per_day: int
    full: float | None


def forecast(points: Sequence[Point], size: int | None, now: float) -> Forecast | None:
    """Return the forecast for a space of `size` bytes, None with too few samples.

    `points` are the last samples of days, the oldest first.
    """
    used = [
        (point.moment, point.space.used)
        for point in points
        if point.space.used is not None and now - CONSIDERED <= point.moment <= now
    ]
    if len(used) < LEAST_DAYS or now - used[-1][0] > STALE or not size:
        return None
    slopes = [
        (after - before) / (later - earlier)
        for (earlier, before), (later, after) in combinations(used, 2)
        if later - earlier >= APART
    ]
    growth = median(slopes)
    last, in_use = used[-1]
    full = last + max(0, size - in_use) / growth if growth > 0 else None
    if full is not None and full > now + FURTHEST:
        full = None
    return Forecast(used[0][0], round(growth * DAY), full)
