"""When aggregates will be full, foretold of samples of their space by `core.history.forecast`."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.history import space_history
from sanstone.core.history.forecast import CONSIDERED, Forecast, forecast
from sanstone.core.history.space_history import Point
from sanstone.model.aggregates import Aggregate


def of_aggregates(now: float) -> dict[str, Forecast]:
    """Return the forecast for each aggregate, by UUID."""
    days = space_history.days(Aggregate.kind, None, now - CONSIDERED)
    forecasts = {uuid: of_aggregate(points, now) for uuid, points in days.items()}
    return {uuid: each for uuid, each in forecasts.items() if each}


def of_aggregate(points: Sequence[Point], now: float) -> Forecast | None:
    """Return the forecast for an aggregate by its samples; None where these tell nothing."""
    return forecast(points, points[-1].space.size, now) if points else None
