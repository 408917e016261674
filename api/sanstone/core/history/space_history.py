"""How the space of aggregates and volumes was used: samples in rings beside those of the figures.

A sample is taken every 5 minutes, which is the finest ring that has any. Only what differs from the
sample before is written, and `space_sample` tells for all objects in which intervals there was a
sample: an interval without one is a gap, and an object that stays as it is costs nothing. An
interval has what its last sample found. What could not be found out is None.

A row is some 50 bytes, so an object that changes all the time has 68 KB: 288 rows of 5 minutes, 336
of half an hour, 372 of two hours, 366 of a day. No ring holds more than `MOST_ROWS` beside the last
row of each object, 50 MB: of 12,288 volumes that never rest 81 intervals, of 2700 all of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import astuple, dataclass, fields

from sanstone.core.history import metrics_file
from sanstone.core.history.metrics_file import (
    OBJECTS,
    RINGS,
    Key,
    Ring,
    Tables,
    object_id,
    reading,
    writing,
)

MOST_ROWS = 1_000_000
SAMPLED = RINGS[1:]
"""The rings with samples, the finest first."""


@dataclass(frozen=True)
class Space:
    """Space of an aggregate or a volume in bytes; None is unknown, or nothing that it has.

    `provisioned` is the sum of the sizes of its volumes, LUNs and namespaces, `snapshots` the space
    that snapshots hold, and `metadata_percent` how full the metadata of a pool is.
    """

    size: int | None = None
    used: int | None = None
    provisioned: int | None = None
    snapshots: int | None = None
    metadata_percent: int | None = None


@dataclass(frozen=True)
class Point:
    """The space of an object as of a moment, in seconds since 1970."""

    moment: float
    space: Space


_NAMES = tuple(f.name for f in fields(Space))
_SHOWN = ", ".join(_NAMES)
_TABLES: Tables = OBJECTS | {
    "space_sample": "(ring TEXT NOT NULL, begin INTEGER NOT NULL, timestamp REAL NOT NULL, "
    "PRIMARY KEY (ring, begin)) WITHOUT ROWID",
    **{
        f"space_{ring.name}": "(object INTEGER NOT NULL, begin INTEGER NOT NULL, "
        f"{', '.join(f'{name} INTEGER' for name in _NAMES)}, "
        "PRIMARY KEY (object, begin)) WITHOUT ROWID"
        for ring in SAMPLED
    },
}


def record(now: float, spaces: Mapping[Key, Space]) -> None:
    """Add a sample: the space of all objects that there are."""
    with writing(_TABLES) as database:
        before = dict(_last(database))
        changed = [
            (number, astuple(space))
            for key, space in sorted(spaces.items())
            if before.get(number := object_id(database, key)) != space
        ]
        marks = ", ".join("?" * len(_NAMES))
        for ring in SAMPLED:
            begin = ring.begin(now)
            sampled = (ring.name, begin, now)
            database.execute("INSERT OR REPLACE INTO space_sample VALUES (?, ?, ?)", sampled)
            database.executemany(
                f"INSERT OR REPLACE INTO space_{ring.name} VALUES (?, ?, {marks})",  # noqa: S608
                [(number, begin, *space) for number, space in changed],
            )
        existing = {number for (number,) in database.execute("SELECT id FROM object")}
        _prune(database, now, before.keys() - existing)


def _last(database: sqlite3.Connection) -> Iterator[tuple[int, Space]]:
    """Yield the values of each object's last sample, by its number."""
    query = f"SELECT object, max(begin), {_SHOWN} FROM space_{SAMPLED[0].name} GROUP BY object"  # noqa: S608
    for number, _begin, *values in database.execute(query):
        yield number, Space(*values)


def _prune(database: sqlite3.Connection, now: float, removed: Set[int]) -> None:
    """Drop objects that are gone, and rows that are too old or too many.

    The last row of an object before the kept ones stays: it has the values that did not change
    since.
    """
    for ring in SAMPLED:
        table, oldest = f"space_{ring.name}", int(now) - ring.kept
        sampled = "DELETE FROM space_sample WHERE ring = ? AND begin < ?"
        database.execute(sampled, (ring.name, oldest))
        numbers = [(number,) for number in removed]
        database.executemany(f"DELETE FROM {table} WHERE object = ?", numbers)  # noqa: S608
        (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
        if count > MOST_ROWS:
            query = f"SELECT begin FROM {table} ORDER BY begin DESC LIMIT 1 OFFSET ?"  # noqa: S608
            oldest = max(oldest, *database.execute(query, (MOST_ROWS,)).fetchone())
        database.execute(
            f"DELETE FROM {table} WHERE begin < ?1 AND EXISTS (SELECT 1 FROM {table} AS later "  # noqa: S608
            f"WHERE later.object = {table}.object AND later.begin > {table}.begin "
            "AND later.begin <= ?1)",
            (oldest,),
        )


def history(key: Key, ring: Ring, begins: Sequence[int]) -> dict[int, Space]:
    """Return the space of an object in each of some intervals in which there was a sample.

    In an interval that is shorter than those of samples it is as in the one that this lies in.
    """
    kind, of = key
    sampled = max(ring, SAMPLED[0], key=lambda each: each.seconds)
    first = sampled.begin(min(begins, default=0))
    points = {
        begin: point.space for begin, point in _points(sampled, first, kind, [of]).get(of, ())
    }
    return {
        begin: points[sampled.begin(begin)] for begin in begins if sampled.begin(begin) in points
    }


def newest(ring: Ring, most: int) -> Iterator[tuple[int, Key, Space]]:
    """Yield the newest changes of the space of all objects, in `most` rows or fewer."""
    for begin, key, values in metrics_file.newest(_TABLES, f"space_{ring.name}", _SHOWN, most):
        yield begin, key, Space(*values)


def days(kind: str, keys: Sequence[str] | None, since: float) -> dict[str, list[Point]]:
    """Return the space at the end of each day with a sample, by key; today's is the last sample."""
    ring = SAMPLED[-1]
    by_key = _points(ring, ring.begin(since), kind, keys)
    return {key: [point for _begin, point in points] for key, points in by_key.items()}


def _points(
    ring: Ring, first: int, kind: str, keys: Sequence[str] | None
) -> dict[str, list[tuple[int, Point]]]:
    """Return by key the last sample of each interval from `first` on, with its beginning."""
    condition, values = "kind = ?", [kind]
    if keys is not None:
        condition += " AND key IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(list(keys)))
    with reading(_TABLES) as database:
        samples = database.execute(
            "SELECT begin, timestamp FROM space_sample WHERE ring = ? AND begin >= ? "
            "ORDER BY begin",
            (ring.name, first),
        ).fetchall()
        rows = database.execute(
            f"SELECT key, begin, {_SHOWN} FROM space_{ring.name} "  # noqa: S608
            f"JOIN object ON object.id = object WHERE {condition} ORDER BY key, begin",
            values,
        ).fetchall()
    changes: dict[str, list[tuple[int, Space]]] = {}
    for key, begin, *values_of_row in rows:
        changes.setdefault(key, []).append((begin, Space(*values_of_row)))
    return {key: list(_filled(samples, of_key)) for key, of_key in changes.items()}


def _filled(
    samples: Sequence[tuple[int, float]], changes: Sequence[tuple[int, Space]]
) -> Iterator[tuple[int, Point]]:
    """Yield an object's space at each sample: that of the last change up to it."""
    remaining = list(reversed(changes))
    space: Space | None = None
    for begin, timestamp in samples:
        while remaining and remaining[-1][0] <= begin:
            space = remaining.pop()[1]
        if space is not None:
            yield begin, Point(timestamp, space)
