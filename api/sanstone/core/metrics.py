"""Performance counters of the array's objects, in a database that the sampler alone writes.

Each object has totals that only grow, across restarts too, and five rings of intervals, from 15
seconds over the last hour to a day over the last year. An interval without activity has no row, and
an idle object is not written: the time of the last sample is stored once and holds for all totals.
No ring ever holds more than `MOST_ROWS`. None of this is part of the configuration: it may be lost,
and starts again.

The API can read the file but not write it. So the database has no write-ahead log, in which readers
write too: a commit waits for readers, some milliseconds.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path

from sanstone.core import places

FILE = "metrics-2.db"
MOST_ROWS = 200_000
CLUSTER = ("cluster", "")
BUCKETS_US = (100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000)
"""Upper bounds of the latency histogram in microseconds; slower operations count in the last."""


@dataclass(frozen=True)
class Ring:
    """Intervals of `seconds`, kept for `kept` seconds; `name` is ONTAP's name of the span."""

    name: str
    seconds: int
    kept: int
    duration: str


HOUR, DAY = 3600, 86_400
RINGS = (
    Ring("1h", 15, HOUR, "PT15S"),
    Ring("1d", 300, DAY, "PT5M"),
    Ring("1w", 1800, 7 * DAY, "PT30M"),
    Ring("1m", 7200, 31 * DAY, "PT2H"),
    Ring("1y", DAY, 366 * DAY, "P1D"),
)
BY_NAME = {ring.name: ring for ring in RINGS}


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


Key = tuple[str, str]
"""Kind (a resource's path) and key of an object."""
_NAMES = tuple(f.name for f in fields(Counters))
_COLUMNS = ", ".join(f"{name} INTEGER NOT NULL" for name in _NAMES)


def path() -> Path:
    """Return the database's file, beside the array's."""
    return places.database_directory() / FILE


def journal() -> Path:
    """Return the file that SQLite keeps beside it during a transaction."""
    return path().with_name(f"{FILE}-journal")


def record(now: float, done: Mapping[Key, Done], kept: set[Key] | None = None) -> None:
    """Add the activity since the last sample; idle objects cost nothing.

    `kept` are all objects that have totals from now on: new ones begin at zero, all others are
    dropped. None keeps the same objects.
    """
    with _writing() as database:
        if kept is not None:
            _keep(database, now, kept)
        database.execute("INSERT OR REPLACE INTO sample VALUES (1, ?)", (now,))
        for key, each in done.items():
            if each.counters != Counters():
                _add(database, now, key, each)


def _keep(database: sqlite3.Connection, now: float, kept: set[Key]) -> None:
    existing = {tuple(row) for row in database.execute("SELECT kind, key FROM total")}
    for table in ("total", *(f"ring_{ring.name}" for ring in RINGS)):
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
        begin = int(now) // ring.seconds * ring.seconds
        database.execute(
            f"INSERT INTO ring_{ring.name} VALUES (?, ?, ?, {_marks()}) "  # noqa: S608
            f"ON CONFLICT (kind, key, begin) DO UPDATE SET {added}",
            (*key, begin, *counters),
        )


def prune(now: float) -> None:
    """Drop what is older than its ring keeps, or beyond the most rows of a ring."""
    with _writing() as database:
        for ring in RINGS:
            table = f"ring_{ring.name}"
            database.execute(f"DELETE FROM {table} WHERE begin < ?", (now - ring.kept,))  # noqa: S608
            newest = f"(SELECT max(rowid) FROM {table})"  # noqa: S608
            database.execute(f"DELETE FROM {table} WHERE rowid <= {newest} - ?", (MOST_ROWS,))  # noqa: S608


def recover() -> bool:
    """Take back a sample that a power cut interrupted, so that readers find the ones before it.

    Return whether the file is sound, where there is one.
    """
    if path().exists():
        try:
            with closing(sqlite3.connect(path(), timeout=30)) as database:
                database.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.DatabaseError:
            return False
    return True


def totals() -> dict[Key, Total]:
    """Return the totals of all objects."""
    with _reading() as database:
        return _totals(database)


def totals_of(kind: str, keys: Sequence[str] | None = None) -> dict[str, Total]:
    """Return the totals of all objects of a kind, or of those with `keys`, by key."""
    condition, values = _of(kind, keys)
    with _reading() as database:
        by_object = _totals(database, f"WHERE {condition}", *values)
    return {key: total for (_, key), total in by_object.items()}


def interval(
    ring: Ring, begin: int, kind: str, keys: Sequence[str] | None = None
) -> dict[str, Counters]:
    """Return the activity in one interval of all objects of a kind, or of some, by key."""
    condition, values = _of(kind, keys)
    with _reading() as database:
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
    with _reading() as database:
        rows = database.execute(
            f"SELECT begin, {', '.join(_NAMES)} FROM ring_{ring.name} "  # noqa: S608
            "WHERE kind = ? AND key = ? ORDER BY begin",
            key,
        )
        return {row[0]: Counters(*row[1:]) for row in rows}


def _totals(database: sqlite3.Connection, condition: str = "", *values: str) -> dict[Key, Total]:
    """Return the totals as of the last sample, those of idle objects too."""
    sampled = _last_sample(database)
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


def _last_sample(database: sqlite3.Connection) -> float:
    """Return the time of the last sample, 0 in a file of the previous release."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'sample'").fetchone():
        return 0.0
    row = database.execute("SELECT timestamp FROM sample").fetchone()
    return float(row[0]) if row else 0.0


def _marks() -> str:
    return ", ".join("?" * len(_NAMES))


@contextmanager
def _writing() -> Iterator[sqlite3.Connection]:
    """Open a transaction, and create the tables that are missing."""
    with closing(sqlite3.connect(path(), timeout=30)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        with database:
            _create_tables(database)
            yield database


def _create_tables(database: sqlite3.Connection) -> None:
    database.execute(
        "CREATE TABLE IF NOT EXISTS total (kind TEXT NOT NULL, key TEXT NOT NULL, "
        "since REAL NOT NULL, timestamp REAL NOT NULL, histogram TEXT NOT NULL, "
        f"{_COLUMNS}, PRIMARY KEY (kind, key))"
    )
    # A file of the previous release has no such table, and both read and write it.
    database.execute(
        "CREATE TABLE IF NOT EXISTS sample (id INTEGER PRIMARY KEY, timestamp REAL NOT NULL)"
    )
    for ring in RINGS:
        database.execute(
            f"CREATE TABLE IF NOT EXISTS ring_{ring.name} (kind TEXT NOT NULL, "
            f"key TEXT NOT NULL, begin INTEGER NOT NULL, {_COLUMNS}, "
            "UNIQUE (kind, key, begin))"
        )


@contextmanager
def _reading() -> Iterator[sqlite3.Connection]:
    """Open a connection for reading; before the first sample the tables are empty."""
    readable = _is_readable()
    place = f"file:{path()}?mode=ro" if readable else ":memory:"
    with closing(sqlite3.connect(place, timeout=30, uri=True)) as database:
        if not readable:
            _create_tables(database)
        yield database


def _is_readable() -> bool:
    """Return whether there is a sample, and no interrupted one, which a writer must roll back."""
    if not path().exists() or path().stat().st_size == 0:
        return False
    with closing(sqlite3.connect(f"file:{path()}?mode=ro", timeout=30, uri=True)) as database:
        try:
            database.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
            return False
    return True
