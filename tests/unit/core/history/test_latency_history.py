"""Histograms add up from ring to ring, whatever happens between, and stay small."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanstone.core.history import latency_history, metrics, metrics_file
from sanstone.core.history.latency_history import Histogram
from sanstone.core.history.metrics import Counters, Done
from sanstone.core.history.metrics_file import BY_NAME, RINGS, writing

LUN, OTHER = ("storage/luns", "a"), ("storage/luns", "b")
MIDNIGHT = 1_800_057_600
"""A moment at which intervals of every ring begin."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the test's own."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    metrics_file.path().parent.mkdir()


def sample(after: int, **histograms: Histogram) -> None:
    """Record the I/O of objects, by their keys."""
    counts_by_key = {
        ("storage/luns", key): Done(Counters(reads=sum(counts)), counts)
        for key, counts in histograms.items()
    }
    metrics.record(MIDNIGHT + after, counts_by_key, {LUN, OTHER})


def histograms_of(name: str, last: int, key: tuple[str, str] = LUN) -> dict[int, Histogram]:
    """Return the histograms of a ring up to a moment, by the seconds after midnight."""
    ring = BY_NAME[name]
    begins = range(MIDNIGHT, MIDNIGHT + last, ring.seconds)
    intervals = latency_history.history(key, ring, begins)
    return {begin - MIDNIGHT: counts for begin, counts in intervals.items()}


def test_before_the_first_sample_there_is_nothing() -> None:
    assert histograms_of("1h", 3600) == {}


def test_an_interval_has_what_was_done_in_it() -> None:
    sample(0, a=(1, 0, 300), b=(7,))
    sample(15, b=(1,))
    sample(30, a=(0, 2))
    assert histograms_of("1h", 60) == {0: (1, 0, 300), 30: (0, 2)}
    assert histograms_of("1h", 60, OTHER) == {0: (7,), 15: (1,)}


def test_two_samples_in_one_interval_add_up() -> None:
    sample(0, a=(1, 0, 5))
    sample(14, a=(1, 2))
    assert histograms_of("1h", 60) == {0: (2, 2, 5)}


def test_counts_may_be_large() -> None:
    large = (0, 2**7 - 1, 2**7, 0, 2**40, 0, 0, 0, 0, 0, 0, 0, 1)
    sample(0, a=large)
    assert histograms_of("1h", 15) == {0: large}


def test_coarser_rings_have_the_sums_of_intervals_that_ended() -> None:
    for number in range(0, 86_400 + 300, 150):
        sample(number, a=(1, number % 7))
    assert histograms_of("1d", 600) == {0: (2, 3), 300: (2, 6 + 2)}
    sums = {name: histograms_of(name, 86_400) for name in ("1d", "1w", "1m", "1y")}
    assert {name: len(intervals) for name, intervals in sums.items()} == {
        "1d": 288,
        "1w": 48,
        "1m": 12,
        "1y": 1,
    }
    whole = tuple(map(sum, zip(*sums["1d"].values(), strict=True)))
    assert sums["1y"] == {0: whole}
    assert whole[0] == 576


def test_io_before_a_pause_is_summed_up_after_it() -> None:
    sample(0, a=(1,))
    sample(45, a=(2,))
    sample(9000, a=(4,))
    assert histograms_of("1d", 9000) == {0: (3,)}
    assert histograms_of("1w", 9000) == {0: (3,)}
    assert histograms_of("1m", 9000) == {0: (3,)}


def test_a_clock_that_was_set_back_loses_nothing() -> None:
    sample(0, a=(1,))
    sample(300, a=(1,))
    sample(30, a=(2,))
    sample(315, a=(4,))
    sample(600, a=(8,))
    assert histograms_of("1d", 600) == {0: (3,), 300: (5,)}


def test_deleted_objects_are_out_of_reach() -> None:
    sample(0, a=(1,))
    metrics.record(MIDNIGHT + 15, {}, {OTHER})
    assert histograms_of("1h", 60) == {}
    sample(30, a=(2,))
    assert histograms_of("1h", 60) == {30: (2,)}


def test_rings_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency_history, "MOST_ROWS", 4)
    for number in range(8):
        sample(15 * number, a=(1,))
    metrics.prune(MIDNIGHT + 120)
    assert histograms_of("1h", 120).keys() == {60, 75, 90, 105}
    metrics.prune(MIDNIGHT + 75 + RINGS[0].kept)
    assert histograms_of("1h", 120).keys() == {75, 90, 105}


def test_a_row_is_some_30_bytes() -> None:
    histogram = (0, 200, 1500, 900, 300, 20, 3, 1)
    with writing(metrics_file.OBJECTS | latency_history.TABLES) as database:
        for number in range(20):
            histograms = {("storage/luns", str(n)): histogram for n in range(500)}
            latency_history.add(database, MIDNIGHT + 15 * number, histograms)
    assert metrics_file.path().stat().st_size < 10_000 * 40
