"""The fields `space.forecast` of aggregates and volumes (see `core.history.forecast`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sanstone.core.database.look_up import LookUp
from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration.resource import Field, Getter, Reader
from sanstone.core.declaration.types import Integer, Size, Timestamp, Type
from sanstone.core.history import space_history
from sanstone.core.history.forecast import CONSIDERED, LEAST_DAYS, Forecast, forecast
from sanstone.core.history.metrics_file import DAY
from sanstone.core.history.space_history import Point
from sanstone.model.aggregates import Aggregate
from sanstone.model.volumes import Volume, usable
from sanstone.rules.storage.space_forecast import of_aggregate

MOST = 2**62
"""Most bytes a day, either way."""


def forecast_fields() -> tuple[Field, ...]:
    """Return the fields of aggregates and volumes."""
    absent = f"Absent with samples of fewer than {LEAST_DAYS} days."

    def field(name: str, kind: Type, doc: str, get: Callable[[Forecast], Any]) -> Field:
        return Field(f"space.forecast.{name}", kind, doc, get=_foretold(get), costly=True)

    return (
        field(
            "full_time",
            Timestamp(),
            "When it will be full, if its use goes on growing as in the last six weeks. Absent "
            "where that is more than five years ahead, or its use does not grow. " + absent,
            lambda each: None if each.full is None else int(each.full),
        ),
        field(
            "days_left",
            Integer(),
            "Days until then.",
            lambda each: (
                None if each.full is None else max(0, round((each.full - time.time()) / DAY))
            ),
        ),
        field(
            "growth_per_day",
            Size(-MOST, MOST),
            "Bytes by which its use grows a day, negative where it shrinks: the median of the "
            f"slopes between all days. {absent}",
            lambda each: each.growth_per_day,
        ),
        field(
            "samples_since",
            Timestamp(),
            f"When the first sample was taken that this considers. {absent}",
            lambda each: int(each.since),
        ),
    )


def _foretold(get: Callable[[Forecast], Any]) -> Getter:
    def getter(row: Aggregate | Volume, reader: Reader) -> Any:
        forecast = _of(row, reader)
        return None if forecast is None else get(forecast)

    return getter


def _of(row: Aggregate | Volume, reader: Reader) -> Forecast | None:
    """Return the forecast of an object; the samples are read once for all that are shown."""
    days = _days.of(reader.session)
    if days is None:
        days = LookUp(_load)
        for kind, keys in reader.expected.items():
            days.expect(kind, keys)
        _days.set(reader.session, days)
    points = days.get(row.kind, row.uuid) or ()
    if isinstance(row, Volume):
        return forecast(points, usable(row.size, row.snapshot_reserve_percent), time.time())
    return of_aggregate(points, time.time())


def _load(kind: str, keys: Sequence[str] | None) -> Mapping[str, Sequence[Point]]:
    return space_history.days(kind, keys, time.time() - CONSIDERED)


_days: SessionValue[LookUp[str, Sequence[Point]] | None] = SessionValue(lambda _: None)
