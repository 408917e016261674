"""The fields `statistics` and `metric` of objects with I/O, and their `/metrics`.

`statistics` are raw totals that only grow, as ONTAP's performance collectors read them: operations,
bytes, and microseconds summed over operations. `metric` and each record of `/metrics` are averages
over an interval: operations and bytes per second, microseconds per operation. The parameter
`interval` of `/metrics`, 1h to 1y, selects the span, and with it the length of the intervals.

A new object has all of them, at zero: clients read the figures of an object that they have created
without waiting for a first sample.

Of devices and ports the kernel counts reads and writes alone, so that `other` is 0; at Fibre
Channel interfaces it counts commands whatever they are, and they are `other`. An object without
operations or latency of its own has fewer figures.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from sanstone.core.database.look_up import LookUp
from sanstone.core.database.session_value import SessionValue
from sanstone.core.declaration.resource import Field, Reader, Resource, constant
from sanstone.core.declaration.types import Choice, Integer, Timestamp, Type
from sanstone.core.history import latency_history, metrics, space_history
from sanstone.core.history.latency_history import Histogram
from sanstone.core.history.metrics import Counters, Done, Total
from sanstone.core.history.metrics_file import BY_NAME, RINGS, Key, Ring
from sanstone.core.history.space_history import Space
from sanstone.core.observed import Observed

PARTS = ("read", "write", "other", "total")
FIGURES = {"iops": "Operations", "throughput": "Bytes", "latency": "Microseconds"}
"""Figures of an object, with the unit of their totals."""
Getter = Callable[[Any, Reader], Any]
KeyOf = Callable[[Any], Key]
Figures = dict[str, Any]
"""Values of a row's fields, by name."""
NOTHING, UNSAMPLED = Counters(), Space()


class _Counted:
    """Counters of the objects that a request shows, as of one moment."""

    def __init__(self, expected: Mapping[str, Sequence[str]]) -> None:
        ring = RINGS[0]
        self.begin = (int(time.time()) // ring.seconds - 1) * ring.seconds
        self.totals = LookUp(metrics.totals_of)
        self._intervals = LookUp(partial(metrics.interval, ring, self.begin))
        for kind, keys in expected.items():
            self.totals.expect(kind, keys)
            self._intervals.expect(kind, keys)

    def latest(self, kind: str, key: str) -> Counters:
        """Return an object's activity in the last whole interval of 15 seconds."""
        return self._intervals.get(kind, key) or Counters()


_counted_in: SessionValue[_Counted | None] = SessionValue(lambda _: None)


def _counted(reader: Reader) -> _Counted:
    """Return the counters, read once per request."""
    counted = _counted_in.of(reader.session)
    if counted is None:
        counted = _Counted(reader.expected)
        _counted_in.set(reader.session, counted)
    return counted


def _total_of(row: Any, key: Key, reader: Reader) -> Total | None:
    """Return an object's total, which is zero before its first sample.

    An object without a time of creation has none until then.
    """
    total = _counted(reader).totals.get(*key)
    if total is not None:
        return total
    created: float | None = getattr(row, "create_time", None)
    return None if created is None else Total(created, created, Done())


def owned_key(row: Any) -> Key:
    """Return the key of an owned row."""
    return row.kind, row.key


def counters_of(row: Any, reader: Reader) -> Counters | None:
    """Return the counters of an owned row since its creation, None if it was never sampled."""
    total = _total_of(row, owned_key(row), reader)
    return None if total is None else total.done.counters


def parts_of(counters: Counters, figure: str) -> tuple[int, int, int, int]:
    """Return operations (`iops`), bytes (`throughput`) or microseconds (`latency`) of `PARTS`."""
    read, write, other = {
        "iops": (counters.reads, counters.writes, counters.others),
        "throughput": (counters.read_bytes, counters.written_bytes, 0),
        "latency": (counters.read_us, counters.write_us, 0),
    }[figure]
    return read, write, other, read + write + other


def rates(counters: Counters, figure: str, seconds: int) -> list[int]:
    """Return each part of a figure per second, or in microseconds per operation."""
    values = parts_of(counters, figure)
    if figure == "latency":
        operations = parts_of(counters, "iops")
        return [round(us / (number or 1)) for us, number in zip(values, operations, strict=True)]
    return [round(value / seconds) for value in values]


def utilization(counters: Counters) -> int:
    """Return the utilization of the processors in percent; 0 if nothing was counted."""
    return round(100 * counters.busy / (counters.passed or 1))


def processor_fields() -> tuple[Field, ...]:
    """Return the fields of processor figures, in addition to `statistics_fields`."""

    def compute(row: Any, reader: Reader) -> Figures:
        total = _total_of(row, owned_key(row), reader)
        if total is None:
            return {}
        counted = _counted(reader)
        return {
            "statistics.processor_utilization_raw": total.done.counters.busy,
            "statistics.processor_utilization_base": total.done.counters.passed,
            "metric.processor_utilization": utilization(counted.latest(*owned_key(row))),
        }

    return (
        _field(
            "statistics.processor_utilization_raw",
            Integer(),
            "Hundredths of a second in which processors worked, summed over them.",
            compute,
        ),
        _field(
            "statistics.processor_utilization_base",
            Integer(),
            "Hundredths of a second that passed meanwhile, summed over them.",
            compute,
        ),
        _field(
            "metric.processor_utilization",
            Integer(0, 100),
            "How much of their time processors worked, in percent.",
            compute,
        ),
    )


def statistics_fields(
    key_of: KeyOf = owned_key, figures: Sequence[str] = tuple(FIGURES)
) -> tuple[Field, ...]:
    """Return the fields `statistics` and `metric` of a resource, with these of `FIGURES`."""

    def compute(row: Any, reader: Reader) -> Figures:
        key = key_of(row)
        total = _total_of(row, key, reader)
        return {} if total is None else _figures_of(total, key, _counted(reader), figures)

    fields = [
        _field("statistics.status", Choice("ok"), "Whether they are good.", compute),
        _field("statistics.timestamp", Timestamp(), "When they were read.", compute),
        _field("metric.status", Choice("ok"), "Whether it is good.", compute),
        _field("metric.timestamp", Timestamp(), "Begin of the interval.", compute),
        _field("metric.duration", Choice(RINGS[0].duration), "Length of the interval.", compute),
    ]
    for figure in figures:
        for part in PARTS:
            name, text = f"statistics.{figure}_raw.{part}", f"{FIGURES[figure]} in all, {part}."
            fields.append(_field(name, Integer(), text, compute))
            name, text = f"metric.{figure}.{part}", _average(figure, part)
            fields.append(_field(name, Integer(), text, compute))
    return tuple(fields)


def _figures_of(total: Total, key: Key, counted: _Counted, figures: Sequence[str]) -> Figures:
    """Return the values of an object's fields `statistics` and `metric`, by their names."""
    counters, latest, seconds = total.done.counters, counted.latest(*key), RINGS[0].seconds
    values: Figures = {
        "statistics.status": "ok",
        "statistics.timestamp": total.timestamp,
        "metric.status": "ok",
        "metric.timestamp": counted.begin,
        "metric.duration": RINGS[0].duration,
    }
    for figure in figures:
        totals, averages = parts_of(counters, figure), rates(latest, figure, seconds)
        for part, raw, average in zip(PARTS, totals, averages, strict=True):
            values[f"statistics.{figure}_raw.{part}"] = raw
            values[f"metric.{figure}.{part}"] = average
    return values


def _field(name: str, kind: Type, doc: str, compute: Callable[[Any, Reader], Figures]) -> Field:
    """Return the field of a figure. All of a row are computed when the first is read."""

    def get(row: Any, reader: Reader) -> Any:
        return reader.once_a_row(row, compute).get(name)

    return Field(name, kind, doc, get=get, costly=True)


def _average(figure: str, part: str) -> str:
    per = "per operation" if figure == "latency" else "per second"
    return f"{FIGURES[figure]} {per}, {part}."


class Histories:
    """The figures of an object in some intervals, loaded when the first is read."""

    def __init__(self, key: Key, ring: Ring, begins: Sequence[int]) -> None:
        self._extent = key, ring, begins

    @cached_property
    def counters(self) -> Mapping[int, Counters]:
        """Activity, by the beginning of each interval with any."""
        key, ring, _begins = self._extent
        return metrics.history(key, ring)

    @cached_property
    def latencies(self) -> Mapping[int, Histogram]:
        """Operations by latency, by the beginning of each interval with any."""
        return latency_history.history(*self._extent)

    @cached_property
    def spaces(self) -> Mapping[int, Space]:
        """Space in use, by the beginning of each interval with a sample."""
        return space_history.history(*self._extent)


@dataclass(frozen=True)
class Metric:
    """An object's activity in one interval. `object` is its row."""

    object: Any
    timestamp: int
    ring: Ring
    histories: Histories

    @property
    def counters(self) -> Counters:
        """The operations."""
        return self.histories.counters.get(self.timestamp, NOTHING)

    @property
    def latencies(self) -> Histogram:
        """The operations by latency."""
        return self.histories.latencies.get(self.timestamp, ())

    @property
    def space(self) -> Space:
        """The space in use, all of it unknown where there was no sample."""
        return self.histories.spaces.get(self.timestamp, UNSAMPLED)


def metric_fields(figures: Sequence[str] = tuple(FIGURES)) -> tuple[Field, ...]:
    """Return the fields of a record of `/metrics`, with these of `FIGURES`."""

    def averaged(figure: str, index: int) -> Getter:
        return lambda row, _reader: rates(row.counters, figure, row.ring.seconds)[index]

    return (
        Field("timestamp", Timestamp(), "Begin of the interval."),
        Field(
            "duration",
            Choice(*(ring.duration for ring in RINGS)),
            "Length of the interval.",
            get=lambda row, _: row.ring.duration,
            always=True,
        ),
        Field("status", Choice("ok"), "Whether it is good.", get=constant("ok"), always=True),
        *(
            Field(
                f"{figure}.{part}", Integer(), _average(figure, part), get=averaged(figure, index)
            )
            for figure in figures
            for index, part in enumerate(PARTS)
        ),
    )


class MetricsResource(Resource[Metric], ABC):
    """Base of the `/metrics` of a resource."""

    model = Observed
    order = ("timestamp",)
    methods = frozenset({"GET"})
    options = (
        Field("interval", Choice(*BY_NAME), "How far back: 1h, 1d, 1w, 1m or 1y.", default="1h"),
    )

    @abstractmethod
    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the objects of the request, with their keys."""

    def rows(self, reader: Reader) -> Sequence[Metric]:
        """Return a record of every whole interval since the object was first seen."""
        ring, now = BY_NAME[reader.options.get("interval", "1h")], int(time.time())
        records = []
        for each, key in self.objects(reader):
            if total := _counted(reader).totals.get(*key):
                oldest = max(now - ring.kept, int(total.since))
                first = -(-oldest // ring.seconds) * ring.seconds
                begins = range(first, now - ring.seconds + 1, ring.seconds)
                histories = Histories(key, ring, begins)
                records += [Metric(each, begin, ring, histories) for begin in begins]
        return records
