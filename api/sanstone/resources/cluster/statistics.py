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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from sanstone.core import latency_history, metrics, space_history
from sanstone.core.latency_history import Histogram
from sanstone.core.look_up import LookUp
from sanstone.core.metrics import Counters, Done, Total
from sanstone.core.metrics_file import BY_NAME, RINGS, Key, Ring
from sanstone.core.observed import Observed
from sanstone.core.resource import Field, Reader, Resource, constant
from sanstone.core.session_value import SessionValue
from sanstone.core.space_history import Space
from sanstone.core.types import Choice, Integer, Timestamp, Type

PARTS = ("read", "write", "other", "total")
FIGURES = {"iops": "Operations", "throughput": "Bytes", "latency": "Microseconds"}
"""Figures of an object, with the unit of their totals."""
Getter = Callable[[Any, Reader], Any]
KeyOf = Callable[[Any], Key]
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
    made: float | None = getattr(row, "create_time", None)
    return None if made is None else Total(made, made, Done())


def owned_key(row: Any) -> Key:
    """Return the key of an owned row."""
    return row.kind, row.key


def counters_of(row: Any, reader: Reader) -> Counters | None:
    """Return what an owned row has counted since it exists, None if it was never sampled."""
    total = _total_of(row, owned_key(row), reader)
    return None if total is None else total.done.counters


def part_of(counters: Counters, figure: str, part: str) -> int:
    """Return operations (`iops`), bytes (`throughput`) or microseconds (`latency`) of a part."""
    read, write, other = {
        "iops": (counters.reads, counters.writes, counters.others),
        "throughput": (counters.read_bytes, counters.written_bytes, 0),
        "latency": (counters.read_us, counters.write_us, 0),
    }[figure]
    return {"read": read, "write": write, "other": other, "total": read + write + other}[part]


def rate(counters: Counters, figure: str, part: str, seconds: int) -> int:
    """Return a part per second, or microseconds per operation."""
    value = part_of(counters, figure, part)
    if figure == "latency":
        return round(value / (part_of(counters, "iops", part) or 1))
    return round(value / seconds)


def utilization(counters: Counters) -> int:
    """Return the utilization of the processors in percent; 0 if nothing was counted."""
    return round(100 * counters.busy / (counters.passed or 1))


def _total(get: Callable[[Total], Any], key_of: KeyOf) -> Getter:
    def getter(row: Any, reader: Reader) -> Any:
        total_row = _total_of(row, key_of(row), reader)
        return None if total_row is None else get(total_row)

    return getter


def _latest(get: Callable[[int, Counters], Any], key_of: KeyOf) -> Getter:
    def getter(row: Any, reader: Reader) -> Any:
        if _total_of(row, key_of(row), reader) is None:
            return None
        begin, counters = last_interval(key_of(row), reader)
        return get(begin, counters)

    return getter


def processor_fields() -> tuple[Field, ...]:
    """Return the fields of processor figures, in addition to `statistics_fields`."""
    return (
        _field(
            "statistics.processor_utilization_raw",
            Integer(),
            "Hundredths of a second in which processors worked, summed over them.",
            _total(lambda total: total.done.counters.busy, owned_key),
        ),
        _field(
            "statistics.processor_utilization_base",
            Integer(),
            "Hundredths of a second that passed meanwhile, summed over them.",
            _total(lambda total: total.done.counters.passed, owned_key),
        ),
        _field(
            "metric.processor_utilization",
            Integer(0, 100),
            "How much of their time processors worked, in percent.",
            _latest(lambda _begin, counters: utilization(counters), owned_key),
        ),
    )


def statistics_fields(
    key_of: KeyOf = owned_key, figures: Sequence[str] = tuple(FIGURES)
) -> tuple[Field, ...]:
    """Return the fields `statistics` and `metric` of a resource, with these of `FIGURES`."""

    def total(get: Callable[[Total], Any]) -> Getter:
        return _total(get, key_of)

    def latest(get: Callable[[int, Counters], Any]) -> Getter:
        return _latest(get, key_of)

    made = [
        _field("statistics.status", Choice("ok"), "Whether they are good.", total(lambda _: "ok")),
        _field(
            "statistics.timestamp",
            Timestamp(),
            "When they were read.",
            total(lambda t: t.timestamp),
        ),
        _field("metric.status", Choice("ok"), "Whether it is good.", latest(lambda _b, _c: "ok")),
        _field("metric.timestamp", Timestamp(), "Begin of the interval.", latest(lambda b, _c: b)),
        _field(
            "metric.duration",
            Choice(RINGS[0].duration),
            "Length of the interval.",
            latest(lambda _b, _c: RINGS[0].duration),
        ),
    ]
    for figure in figures:
        for part in PARTS:
            made.append(
                _field(
                    f"statistics.{figure}_raw.{part}",
                    Integer(),
                    f"{FIGURES[figure]} in all, {part}.",
                    total(lambda t, w=figure, p=part: part_of(t.done.counters, w, p)),  # type: ignore[misc]
                )
            )
            made.append(
                _field(
                    f"metric.{figure}.{part}",
                    Integer(),
                    _average(figure, part),
                    latest(lambda _b, c, w=figure, p=part: rate(c, w, p, RINGS[0].seconds)),  # type: ignore[misc]
                )
            )
    return tuple(made)


def last_interval(key: Key, reader: Reader) -> tuple[int, Counters]:
    """Return the beginning of the last whole interval of 15 seconds, and its activity."""
    counted = _counted(reader)
    return counted.begin, counted.latest(*key)


def _field(name: str, kind: Type, doc: str, get: Getter) -> Field:
    return Field(name, kind, doc, get=get, costly=True)


def _average(figure: str, part: str) -> str:
    per = "per operation" if figure == "latency" else "per second"
    return f"{FIGURES[figure]} {per}, {part}."


class Histories:
    """What is known of an object in some intervals, read when it is first asked for."""

    def __init__(self, key: Key, ring: Ring, begins: Sequence[int]) -> None:
        self._asked = key, ring, begins

    @cached_property
    def counters(self) -> Mapping[int, Counters]:
        """Activity, by the beginning of each interval with any."""
        key, ring, _begins = self._asked
        return metrics.history(key, ring)

    @cached_property
    def latencies(self) -> Mapping[int, Histogram]:
        """Operations by latency, by the beginning of each interval with any."""
        return latency_history.history(*self._asked)

    @cached_property
    def spaces(self) -> Mapping[int, Space]:
        """Space in use, by the beginning of each interval with a sample."""
        return space_history.history(*self._asked)


@dataclass(frozen=True)
class Metric:
    """An object's activity in one interval. `object` is its row."""

    object: Any
    timestamp: int
    ring: Ring
    histories: Histories

    @property
    def counters(self) -> Counters:
        """What was done."""
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

    def averaged(figure: str, part: str) -> Getter:
        return lambda row, _reader: rate(row.counters, figure, part, row.ring.seconds)

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
            Field(f"{figure}.{part}", Integer(), _average(figure, part), get=averaged(figure, part))
            for figure in figures
            for part in PARTS
        ),
    )


class MetricsResource(Resource[Metric]):
    """Base of the `/metrics` of a resource."""

    model = Observed
    order = ("timestamp",)
    methods = frozenset({"GET"})
    options = (
        Field("interval", Choice(*BY_NAME), "How far back: 1h, 1d, 1w, 1m or 1y.", default="1h"),
    )

    def objects(self, reader: Reader) -> Sequence[tuple[Any, Key]]:
        """Return the objects of the request, with their keys."""
        raise NotImplementedError

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
