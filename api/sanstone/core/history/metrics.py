"""Performance counters of the array's objects, in a database that the sampler alone writes.

Each object has totals that only grow, across restarts too, and five rings of intervals, from 15
seconds over the last hour to a day over the last year. An interval without activity has no row, and
an idle object is not written: the time of the last sample is stored once and holds for all totals.
No ring ever holds more than `MOST_ROWS`. The latencies of each interval are in
`latency_history`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields

from sanstone.core.history import latency_history
from sanstone.core.history.metrics_file import (
    OBJECTS,
    RINGS,
    Key,
    Ring,
    Tables,
    newest_from,
    reading,
    writing,
)

MOST_ROWS = 200_000
CLUSTER = ("cluster", "")
BUCKETS_US = (100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000)
"""Upper bounds of the latency histogram in microseconds; slower operations count in the last."""


@dataclass(frozen=True)
class Counters:
    """Counters since some moment: operations, bytes, microseconds that operations took.

    For processors, summed over all of them: `busy` are the hundredths of a second in which they
    worked, out of those that `passed`.
    """

    reads: int = 0
    writes: int = 0
    others: int = 0
    read_bytes: int = 0
    written_bytes: int = 0
    read_us: int = 0
    write_us: int = 0
    busy: int = 0
    passed: int = 0

    def __add__(self, other: Counters) -> Counters:
        return Counters(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def since(self, before: Counters) -> Counters:
        """Return the increase since `before`; a counter that has decreased was reset in between."""
        pairs = zip(astuple(self), astuple(before), strict=True)
        return Counters(*(now - then if now >= then else now for now, then in pairs))


@dataclass(frozen=True)
class Done:
    """Activity of one object since the last sample, with its latency histogram."""

    counters: Counters = field(default_factory=Counters)
    histogram: tuple[int, ...] = ()

    def __add__(self, other: Done) -> Done:
        longest = max(len(self.histogram), len(other.histogram))
        padded = [(*d.histogram, *[0] * (longest - len(d.histogram))) for d in (self, other)]
        histogram = tuple(a + b for a, b in zip(*padded, strict=True))
        return Done(self.counters + other.counters, histogram)


@dataclass(frozen=True)
class Total:
    """Totals of one object since it was created; times are in seconds since 1970."""

    since: float
    timestamp: float
    done: Done


_NAMES = tuple(f.name for f in fields(Counters))
_COLUMNS = ", ".join(f"{name} INTEGER NOT NULL" for name in _NAMES)
_TABLES: Tables = {
    "total": "(kind TEXT NOT NULL, key TEXT NOT NULL, since REAL NOT NULL, "
    f"timestamp REAL NOT NULL, histogram TEXT NOT NULL, {_COLUMNS}, PRIMARY KEY (kind, key))",
    "sample": "(id INTEGER PRIMARY KEY, timestamp REAL NOT NULL)",
    **{
        f"ring_{ring.name}": "(kind TEXT NOT NULL, key TEXT NOT NULL, begin INTEGER NOT NULL, "
        f"{_COLUMNS}, UNIQUE (kind, key, begin))"
        for ring in RINGS
    },
}


def record(now: float, done: Mapping[Key, Done], kept: set[Key] | None = None) -> None:
    """Add the activity since the last sample; idle objects cost nothing.

    `kept` are all objects that have totals from now on: new ones begin at zero, all others are
    dropped. None keeps the same objects.
    """
    with writing(_TABLES | OBJECTS | latency_history.TABLES) as database:
        if kept is not None:
            _keep(database, now, kept)
        database.execute("INSERT OR REPLACE INTO sample VALUES (1, ?)", (now,))
        for key, each in done.items():
            if each.counters != Counters():
                _add(database, now, key, each)
        histograms = {key: each.histogram for key, each in done.items() if any(each.histogram)}
        latency_history.add(database, now, histograms)


def _keep(database: sqlite3.Connection, now: float, kept: set[Key]) -> None:
    existing = {tuple(row) for row in database.execute("SELECT kind, key FROM total")}
    for table in ("total", "object", *(f"ring_{ring.name}" for ring in RINGS)):
        database.executemany(
            f"DELETE FROM {table} WHERE kind = ? AND key = ?",  # noqa: S608
            existing - kept,
        )
    database.executemany(
        f"INSERT INTO total VALUES (?, ?, ?, ?, ?, {_marks()})",  # noqa: S608
        [(*key, now, now, "[]", *astuple(Counters())) for key in sorted(kept - existing)],
    )


def _add(database: sqlite3.Connection, now: float, key: Key, each: Done) -> None:
    """Add one object's activity to its total and to the current interval of each ring."""
    added = f"{', '.join(f'{n} = {n} + excluded.{n}' for n in _NAMES)}"
    counters = astuple(each.counters)
    before = database.execute("SELECT histogram FROM total WHERE kind = ? AND key = ?", key)
    histograms = [Done(histogram=tuple(json.loads(text))) for (text,) in before]
    histogram = sum(histograms, Done(histogram=each.histogram)).histogram
    database.execute(
        f"INSERT INTO total VALUES (?, ?, ?, ?, ?, {_marks()}) ON CONFLICT (kind, key) DO UPDATE "  # noqa: S608
        f"SET timestamp = excluded.timestamp, histogram = excluded.histogram, {added}",
        (*key, now, now, json.dumps(histogram), *counters),
    )
    for ring in RINGS:
        begin = ring.begin(now)
        database.execute(
            f"INSERT INTO ring_{ring.name} VALUES (?, ?, ?, {_marks()}) "  # noqa: S608
            f"ON CONFLICT (kind, key, begin) DO UPDATE SET {added}",
            (*key, begin, *counters),
        )


def prune(now: float) -> None:
    """Drop rows that are older than their ring keeps, or beyond the most rows of a ring."""
    with writing(_TABLES | latency_history.TABLES) as database:
        latency_history.prune(database, now)
        for ring in RINGS:
            table = f"ring_{ring.name}"
            database.execute(f"DELETE FROM {table} WHERE begin < ?", (now - ring.kept,))  # noqa: S608
            newest = f"(SELECT max(rowid) FROM {table})"  # noqa: S608
            database.execute(f"DELETE FROM {table} WHERE rowid <= {newest} - ?", (MOST_ROWS,))  # noqa: S608


def totals() -> dict[Key, Total]:
    """Return the totals of all objects."""
    with reading(_TABLES) as database:
        return _totals(database)


def totals_of(kind: str, keys: Sequence[str] | None = None) -> dict[str, Total]:
    """Return the totals of all objects of a kind, or of those with `keys`, by key."""
    condition, values = _of(kind, keys)
    with reading(_TABLES) as database:
        by_object = _totals(database, f"WHERE {condition}", *values)
    return {key: total for (_, key), total in by_object.items()}


def interval(
    ring: Ring, begin: int, kind: str, keys: Sequence[str] | None = None
) -> dict[str, Counters]:
    """Return the activity in one interval of all objects of a kind, or of some, by key."""
    condition, values = _of(kind, keys)
    with reading(_TABLES) as database:
        rows = database.execute(
            f"SELECT key, {', '.join(_NAMES)} FROM ring_{ring.name} "  # noqa: S608
            f"WHERE {condition} AND begin = ?",
            (*values, begin),
        )
        return {row[0]: Counters(*row[1:]) for row in rows}


def _of(kind: str, keys: Sequence[str] | None) -> tuple[str, tuple[str, ...]]:
    """Return the SQL condition for objects of a kind, and its values."""
    if keys is None:
        return "kind = ?", (kind,)
    listed = json.dumps(list(keys))
    return "kind = ? AND key IN (SELECT value FROM json_each(?))", (kind, listed)


def history(key: Key, ring: Ring) -> dict[int, Counters]:
    """Return an object's activity in each interval, by the beginning of the interval."""
    with reading(_TABLES) as database:
        rows = database.execute(
            f"SELECT begin, {', '.join(_NAMES)} FROM ring_{ring.name} "  # noqa: S608
            "WHERE kind = ? AND key = ? ORDER BY begin",
            key,
        )
        return {row[0]: Counters(*row[1:]) for row in rows}


def newest(ring: Ring, most: int) -> Iterator[tuple[int, Key, Counters]]:
    """Yield the activity in the newest intervals of all objects, in `most` rows or fewer.

    That of the array is there in all intervals, whatever it takes.
    """
    table = f"ring_{ring.name}"
    with reading(_TABLES) as database:
        rows = database.execute(
            f"SELECT begin, kind, key, {', '.join(_NAMES)} FROM {table} "  # noqa: S608
            "WHERE begin >= ? OR (kind, key) = (?, ?) ORDER BY begin, kind, key",
            (newest_from(database, table, most), *CLUSTER),
        )
        for begin, kind, key, *counters in rows:
            yield begin, (kind, key), Counters(*counters)


def _totals(database: sqlite3.Connection, condition: str = "", *values: str) -> dict[Key, Total]:
    """Return the totals as of the last sample, those of idle objects too."""
    row = database.execute("SELECT timestamp FROM sample").fetchone()
    # A file of an earlier release has no such time until the first sample.
    sampled = float(row[0]) if row else 0.0
    return {
        (kind, key): Total(
            since,
            max(timestamp, sampled),
            Done(Counters(*counters), tuple(json.loads(histogram))),
        )
        for kind, key, since, timestamp, histogram, *counters in database.execute(
            f"SELECT * FROM total {condition}",  # noqa: S608 - one of those above
            values,
        )
    }


def _marks() -> str:
    return ", ".join("?" * len(_NAMES))
