"""Space is sampled: gaps stay gaps, and unchanged values cost nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sanstone.core.history import metrics, metrics_file, space_history
from sanstone.core.history.metrics_file import BY_NAME, Key
from sanstone.core.history.space_history import Space

VOLUME, OTHER = ("storage/volumes", "a"), ("storage/volumes", "b")
MIDNIGHT = 1_800_057_600
"""A moment at which intervals of every ring begin."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the test's own."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    metrics_file.path().parent.mkdir()


def sample(after: int, used: int | None, others: int | None = None) -> None:
    """Record the space of a volume, and of another one if it is there."""
    spaces = {VOLUME: Space(size=1000, used=used)}
    if others is not None:
        spaces[OTHER] = Space(size=1000, used=others)
    space_history.record(MIDNIGHT + after, spaces)


def used_bytes(name: str, last: int, key: Key = VOLUME) -> dict[int, int | None]:
    """Return the bytes used in each interval up to a moment, by the seconds after midnight."""
    ring = BY_NAME[name]
    begins = range(MIDNIGHT, MIDNIGHT + last, ring.seconds)
    intervals = space_history.history(key, ring, begins)
    return {begin - MIDNIGHT: space.used for begin, space in intervals.items()}


def rows() -> int:
    """Return how many rows of space there are in all rings."""
    with closing(sqlite3.connect(metrics_file.path())) as database:
        tables = [f"space_{ring.name}" for ring in space_history.SAMPLED]
        return sum(
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables
        )


def test_before_the_first_sample_there_is_nothing() -> None:
    assert used_bytes("1d", 3600) == {}
    assert space_history.days("storage/volumes", None, MIDNIGHT) == {}


def test_an_interval_has_its_last_sample() -> None:
    for number in range(7):
        sample(300 * number, 10 * number)
    assert used_bytes("1d", 1800) == {300 * number: 10 * number for number in range(6)}
    assert used_bytes("1w", 3600) == {0: 50, 1800: 60}
    assert used_bytes("1y", 3600) == {0: 60}


def test_an_unchanged_value_costs_nothing_and_is_no_gap() -> None:
    sample(0, 5, 7)
    before = rows()
    for number in range(1, 12):
        sample(300 * number, 5, 7)
    assert rows() == before
    assert used_bytes("1d", 3600) == {300 * number: 5 for number in range(12)}
    assert set(used_bytes("1d", 3600, OTHER).values()) == {7}


def test_while_no_samples_were_taken_there_is_a_gap() -> None:
    sample(0, 5)
    sample(1200, 5)
    sample(1500, 6)
    assert used_bytes("1d", 1800) == {0: 5, 1200: 5, 1500: 6}


def test_an_unknown_value_is_neither_zero_nor_the_last_one() -> None:
    sample(0, 5)
    sample(300, None)
    sample(600, 5)
    assert used_bytes("1d", 900) == {0: 5, 300: None, 600: 5}


def test_an_object_is_shown_from_its_first_sample_on() -> None:
    sample(0, 5)
    sample(300, 5, 0)
    assert used_bytes("1d", 600, OTHER) == {300: 0}


def test_intervals_of_the_last_hour_have_the_sample_of_their_five_minutes() -> None:
    sample(2, 5)
    sample(302, 6)
    intervals = used_bytes("1h", 900)
    assert [intervals.get(second) for second in (0, 15, 285, 300, 585, 600)] == [
        5,
        5,
        5,
        6,
        6,
        None,
    ]


def test_days_have_the_moment_of_their_last_sample() -> None:
    sample(0, 1)
    sample(86_000, 2)
    sample(86_400 + 100, 3)
    (points,) = space_history.days("storage/volumes", ["a"], MIDNIGHT).values()
    assert [(p.moment - MIDNIGHT, p.space.used) for p in points] == [(86_000, 2), (86_500, 3)]
    assert space_history.days("storage/volumes", ["b"], MIDNIGHT) == {}


def test_deleted_objects_are_forgotten() -> None:
    metrics.record(MIDNIGHT, {}, {VOLUME, OTHER})
    sample(0, 5, 7)
    metrics.record(MIDNIGHT + 300, {}, {VOLUME})
    before = rows()
    sample(300, 5)
    assert rows() == before // 2
    assert used_bytes("1d", 900, OTHER) == {}
    assert used_bytes("1d", 900) == {0: 5, 300: 5}


def test_old_samples_are_dropped_but_for_the_last_before() -> None:
    for number in range(4):
        sample(300 * number, number)
    sample(86_400 + 700, 9)
    with closing(sqlite3.connect(metrics_file.path())) as database:
        rows = database.execute("SELECT begin FROM space_1d ORDER BY begin").fetchall()
    assert [begin - MIDNIGHT for (begin,) in rows] == [600, 900, 86_400 + 600]


def test_rings_are_bounded_and_what_rests_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space_history, "MOST_ROWS", 5)
    for number in range(40):
        sample(300 * number, number, 7)
    assert set(used_bytes("1d", 300 * 40, OTHER).values()) == {7}
    assert [*used_bytes("1d", 300 * 40).values()][-4:] == [36, 37, 38, 39]
    assert rows() < 40


def test_a_row_is_some_50_bytes() -> None:
    size = 0
    for number in range(288):
        volumes = {
            ("storage/volumes", str(n)): Space(10**12, 10**11 + number, 10**12, 10**10 + number)
            for n in range(50)
        }
        space_history.record(MIDNIGHT + 300 * number, volumes)
        size = metrics_file.path().stat().st_size
    assert size < 55 * 50 * (288 + 48 + 12 + 1)
