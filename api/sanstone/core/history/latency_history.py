"""How long the operations of each interval took: histograms in the five rings of the figures.

The finest ring gets a row for each object with operations. When an interval of a coarser ring ends,
it gets the sum of its rows in the ring before, so that a row is written once and what was summed
survives a restart. A row is some 30 bytes: the counts as variable-length numbers without the empty
buckets at the end. No ring ever holds more than `MOST_ROWS`, 35 MB: the last 10 minutes and 40 days
of 12,288 LUNs that are all busy, each in a volume of its own, and all of its span for up to 2700
objects. Rows of an object that is gone are out of reach and age out.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from sanstone.core.history import metrics_file
from sanstone.core.history.metrics_file import (
    OBJECTS,
    RINGS,
    Key,
    Ring,
    Tables,
    newest_from,
    object_id,
    reading,
)

MOST_ROWS = 1_000_000
Histogram = tuple[int, ...]
"""Operations in each bucket of `metrics.BUCKETS_US`, without the empty ones at the end."""
TABLES: Tables = {
    "latency_ended": "(ring TEXT PRIMARY KEY, until INTEGER NOT NULL)",
    **{
        f"latency_{ring.name}": "(begin INTEGER NOT NULL, object INTEGER NOT NULL, "
        "counts BLOB NOT NULL, PRIMARY KEY (begin, object)) WITHOUT ROWID"
        for ring in RINGS
    },
}


def add(database: sqlite3.Connection, now: float, done: Mapping[Key, Sequence[int]]) -> None:
    """Add operations to the current interval, and sum up those that have ended, in `database`."""
    for finer, coarser in pairwise(RINGS):
        _sum_up(database, now, finer, coarser)
    finest = RINGS[0]
    table, begin = f"latency_{finest.name}", finest.begin(now)
    before: dict[int, bytes] = dict(
        database.execute(f"SELECT object, counts FROM {table} WHERE begin = ?", (begin,))  # noqa: S608
    )
    by_number = {object_id(database, key): counts for key, counts in done.items()}
    database.executemany(
        f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)",  # noqa: S608
        [
            (begin, number, _packed(_sum(counts, _unpacked(before.get(number, b"")))))
            for number, counts in sorted(by_number.items())
        ],
    )


def _sum_up(database: sqlite3.Connection, now: float, finer: Ring, coarser: Ring) -> None:
    """Sum up the intervals of a ring that have ended since the last time."""
    current = coarser.begin(now)
    row = database.execute("SELECT until FROM latency_ended WHERE ring = ?", (coarser.name,))
    (until,) = row.fetchone() or (None,)
    if until == current:
        return
    if until is not None and until < current:
        sums: dict[tuple[int, int], Histogram] = {}
        rows = database.execute(
            f"SELECT begin, object, counts FROM latency_{finer.name} "  # noqa: S608
            "WHERE begin >= ? AND begin < ?",
            (until, current),
        )
        for begin, number, counts in rows:
            place = coarser.begin(begin), number
            sums[place] = _sum(sums.get(place, ()), _unpacked(counts))
        database.executemany(
            f"INSERT OR REPLACE INTO latency_{coarser.name} VALUES (?, ?, ?)",  # noqa: S608
            [(*place, _packed(counts)) for place, counts in sorted(sums.items())],
        )
    # The clock may have been set back: then these intervals end again.
    database.execute("INSERT OR REPLACE INTO latency_ended VALUES (?, ?)", (coarser.name, current))


def prune(database: sqlite3.Connection, now: float) -> None:
    """Drop rows that are older than their ring keeps, or beyond the most rows of a ring."""
    for ring in RINGS:
        table = f"latency_{ring.name}"
        oldest = max(now - ring.kept, newest_from(database, table, MOST_ROWS))
        database.execute(f"DELETE FROM {table} WHERE begin < ?", (oldest,))  # noqa: S608


def history(key: Key, ring: Ring, begins: Sequence[int]) -> dict[int, Histogram]:
    """Return the operations of an object in each of some intervals that has any."""
    with reading(TABLES | OBJECTS) as database:
        rows = database.execute(
            f"SELECT begin, counts FROM latency_{ring.name} "  # noqa: S608
            "WHERE object = (SELECT id FROM object WHERE kind = ? AND key = ?) "
            "AND begin IN (SELECT value FROM json_each(?))",
            (*key, json.dumps(list(begins))),
        )
        return {begin: _unpacked(counts) for begin, counts in rows}


def newest(ring: Ring, most: int) -> Iterator[tuple[int, Key, Histogram]]:
    """Yield the operations in the newest intervals of all objects, in `most` rows or fewer."""
    table = f"latency_{ring.name}"
    for begin, key, (counts,) in metrics_file.newest(TABLES | OBJECTS, table, "counts", most):
        yield begin, key, _unpacked(counts)


def _sum(one: Sequence[int], other: Sequence[int]) -> Histogram:
    return tuple(a + b for a, b in zip_longest(one, other, fillvalue=0))


def _packed(counts: Sequence[int]) -> bytes:
    """Return numbers by seven bits each byte, the lowest first; 128 is added where more follow."""
    packed = bytearray()
    filled = max((place for place, count in enumerate(counts, 1) if count), default=0)
    for count in counts[:filled]:
        remaining = count
        while remaining > 127:
            packed.append(remaining & 127 | 128)
            remaining >>= 7
        packed.append(remaining)
    return bytes(packed)


def _unpacked(packed: bytes) -> Histogram:
    counts: list[int] = []
    count = shift = 0
    for byte in packed:
        count |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            counts.append(count)
            count = shift = 0
    return tuple(counts)
