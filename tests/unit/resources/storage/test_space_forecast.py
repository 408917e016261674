"""The forecast of full aggregates and volumes, in the API and in events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scenarios import san
from simulator import Simulator, simulated
from standing_clock import now

from sanstone.core.history import metrics_file, space_history
from sanstone.core.history.metrics_file import DAY
from sanstone.core.history.space_history import Space

GIB = 1024**3
EVENTS = "support/ems/events?fields=message.name&message.name=pool.forecast*"


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array with an aggregate and a volume, both without samples."""
    with simulated(tmp_path) as simulator:
        san(simulator)
        yield simulator


def sampled(array: Simulator, kind: str, size: int, *sizes: int) -> None:
    """Have samples of the only object of a kind, one for each day up to now."""
    [record] = array.get(kind)["records"]
    first = now() - DAY * (len(sizes) - 1)
    metrics_file.path().touch()
    for number, each in enumerate(sizes):
        space_history.record(first + DAY * number, {(kind, record["uuid"]): Space(size, each)})


def foretold(array: Simulator, kind: str) -> Any:
    """Return the forecast of the only object of a kind."""
    [record] = array.get(f"{kind}?fields=space.forecast")["records"]
    return record.get("space", {}).get("forecast")


def test_an_aggregate_shows_when_it_will_be_full(array: Simulator) -> None:
    kind = "storage/aggregates"
    assert foretold(array, kind) is None
    sampled(array, kind, 1000 * GIB, *range(400 * GIB, 500 * GIB, 10 * GIB))
    forecast = foretold(array, kind)
    full, since = forecast.pop("full_time"), forecast.pop("samples_since")
    assert forecast == {"days_left": 51, "growth_per_day": 10 * GIB}
    assert since < full


def test_a_volume_is_full_with_what_it_may_hold(array: Simulator) -> None:
    kind = "storage/volumes"
    [volume] = array.get(f"{kind}?fields=size")["records"]
    size = volume["size"]
    array.do("PATCH", f"{kind}/{volume['uuid']}", {"space": {"snapshot": {"reserve_percent": 50}}})
    sampled(array, kind, size, *(size * percent // 100 for percent in range(10, 40)))
    assert foretold(array, kind)["days_left"] == 11


def test_a_shrinking_object_has_no_full_time(array: Simulator) -> None:
    kind = "storage/aggregates"
    sampled(array, kind, 1000 * GIB, *range(500 * GIB, 400 * GIB, -10 * GIB))
    assert foretold(array, kind).keys() == {"growth_per_day", "samples_since"}
    assert foretold(array, kind)["growth_per_day"] == -10 * GIB


def test_the_forecast_is_shown_on_request_only(array: Simulator) -> None:
    kind = "storage/aggregates"
    sampled(array, kind, 1000 * GIB, *range(400 * GIB, 500 * GIB, 10 * GIB))
    [record] = array.get(f"{kind}?fields=*")["records"]
    assert "forecast" not in record["space"]


@pytest.mark.parametrize(("size", "events"), [(595, ["pool.forecast"]), (700, [])])
def test_an_aggregate_that_will_soon_be_full_is_an_event(
    array: Simulator, size: int, events: list[str]
) -> None:
    sizes = range(400 * GIB, 500 * GIB, 10 * GIB)
    sampled(array, "storage/aggregates", size * GIB, *sizes)
    array.start()
    array.settle()
    assert [each["message"]["name"] for each in array.get(EVENTS)["records"]] == events


def test_a_damaged_file_of_figures_is_no_fault(array: Simulator) -> None:
    metrics_file.path().write_bytes(b"no database at all" * 1000)
    array.start()
    array.settle()
    [record] = array.get("storage/aggregates?fields=state")["records"]
    assert record["state"] == "online"
