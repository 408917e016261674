"""The figures in a support bundle: tables of comma-separated values, a row an interval.

Objects are named by the path of their resource and their key; what they are called is in the parts
`rest/`. An interval in which an object did nothing, or did not change its space, has no row.
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, fields
from functools import partial

from sanstone.core.history import latency_history, metrics, space_history
from sanstone.core.history.metrics import BUCKETS_US, Counters
from sanstone.core.history.metrics_file import BY_NAME, Key, Ring
from sanstone.core.history.space_history import Space

MOST_ROWS = 50_000
"""Of each table: with 80 bytes a row, 4 MB."""
FIGURES = "1h", "1d", "1w"
LATENCIES = "1h", "1d"
SPACE = "1w", "1y"
"""Rings that are in a bundle."""
Rows = Iterable[tuple[int, Key, Sequence[int | None]]]


def parts() -> dict[str, Callable[[], str]]:
    """Return, by the names of their files, the functions that return the tables."""
    return {
        **{f"statistics/figures-{name}.csv": partial(_figures, BY_NAME[name]) for name in FIGURES},
        **{
            f"statistics/latencies-{name}.csv": partial(_latencies, BY_NAME[name])
            for name in LATENCIES
        },
        **{f"statistics/space-{name}.csv": partial(_space, BY_NAME[name]) for name in SPACE},
    }


def _figures(ring: Ring) -> str:
    names = [field.name for field in fields(Counters)]
    rows = metrics.newest(ring, MOST_ROWS)
    return _table(names, ((begin, key, astuple(counters)) for begin, key, counters in rows))


def _latencies(ring: Ring) -> str:
    names = [f"up_to_{bound}_us" for bound in BUCKETS_US] + ["longer"]
    rows = latency_history.newest(ring, MOST_ROWS)
    # Empty buckets at the end are not stored.
    padded = (
        (begin, key, [*counts, *[0] * (len(names) - len(counts))]) for begin, key, counts in rows
    )
    return _table(names, padded)


def _space(ring: Ring) -> str:
    names = [field.name for field in fields(Space)]
    rows = space_history.newest(ring, MOST_ROWS)
    return _table(names, ((begin, key, astuple(space)) for begin, key, space in rows))


def _table(names: Sequence[str], rows: Rows) -> str:
    """Return a table; `time` is when the interval began."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["time", "kind", "key", *names])
    for begin, key, values in rows:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begin))
        writer.writerow([moment, *key, *values])
    return text.getvalue()
