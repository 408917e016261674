"""Totals that only grow, and rings that do not."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sanstone.core.history import metrics, metrics_file
from sanstone.core.history.metrics import Counters, Done
from sanstone.core.history.metrics_file import BY_NAME, RINGS

LUN, OTHER = ("storage/luns", "a"), ("storage/luns", "b")
NOON = 1_800_014_400.0
"""A moment at which intervals of every ring but the longest begin."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the test's own."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    metrics_file.path().parent.mkdir()


def reads_done(reads: int = 0, *histogram: int) -> Done:
    """Return reads of 4 KiB that took 100 microseconds each."""
    return Done(Counters(reads=reads, read_bytes=4096 * reads, read_us=100 * reads), histogram)


def test_before_the_first_sample_there_is_nothing() -> None:
    assert metrics.totals() == {}
    assert metrics.history(LUN, RINGS[0]) == {}


def test_totals_add_up_and_know_since_when() -> None:
    metrics.record(NOON, {LUN: reads_done(3, 1, 2)}, {LUN})
    metrics.record(NOON + 15, {LUN: reads_done(4, 0, 4)}, {LUN})
    metrics.record(NOON + 30, {}, {LUN})
    total = metrics.totals()[LUN]
    assert (total.since, total.timestamp) == (NOON, NOON + 30)
    assert total.done == reads_done(7, 1, 6)


def test_each_ring_has_what_was_done_in_its_intervals() -> None:
    for number in range(4):
        metrics.record(NOON + 150 * number, {LUN: reads_done(number + 1)}, {LUN})
    fine, coarse = (metrics.history(LUN, BY_NAME[name]) for name in ("1h", "1d"))
    assert {begin - NOON: c.reads for begin, c in fine.items()} == {0: 1, 150: 2, 300: 3, 450: 4}
    assert {begin - NOON: c.reads for begin, c in coarse.items()} == {0: 3, 300: 7}


def test_an_interval_in_which_nothing_was_done_costs_nothing() -> None:
    metrics.record(NOON, {LUN: reads_done()}, {LUN})
    assert metrics.history(LUN, RINGS[0]) == {}
    assert LUN in metrics.totals()


def test_an_idle_object_is_as_new_as_the_last_sample() -> None:
    metrics.record(NOON, {}, {LUN, OTHER})
    metrics.record(NOON + 15, {LUN: reads_done(1)})
    assert {total.timestamp for total in metrics.totals().values()} == {NOON + 15}
    assert metrics.totals()[OTHER].done == Done()


def test_the_file_of_the_release_before_is_read_and_gone_on_with() -> None:
    metrics.record(NOON, {LUN: reads_done(3, 1)}, {LUN})
    with closing(sqlite3.connect(metrics_file.path())) as database:
        database.execute("DROP TABLE sample")
    before = metrics.totals()[LUN]
    assert (before.timestamp, before.done) == (NOON, reads_done(3, 1))
    metrics.record(NOON + 15, {}, {LUN})
    assert metrics.totals()[LUN].timestamp == NOON + 15


INTERRUPTED = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE total SET histogram = hex(randomblob(100000))")
os._exit(0)
"""
"""Ends as by a power cut: a part of a change is in the file, and the journal to undo it."""


def interrupt_a_write() -> None:
    """Have a process end in the middle of writing a sample."""
    subprocess.run([sys.executable, "-c", INTERRUPTED, str(metrics_file.path())], check=True)
    assert metrics_file.journal().exists()


def test_a_write_that_was_cut_short_keeps_nobody_from_reading() -> None:
    metrics.record(NOON, {LUN: reads_done(3)}, {LUN})
    interrupt_a_write()
    assert metrics.totals_of(LUN[0]) == {}
    metrics.record(NOON + 15, {LUN: reads_done(4)}, {LUN})
    assert metrics.totals()[LUN].done == reads_done(7)


def test_figures_survive_a_power_cut() -> None:
    metrics.record(NOON, {LUN: reads_done(3)}, {LUN})
    interrupt_a_write()
    metrics_file.recover()
    assert metrics.totals()[LUN].done == reads_done(3)


def test_a_damaged_file_is_distinguished_from_a_sound_one() -> None:
    assert metrics_file.recover()
    metrics.record(NOON, {LUN: reads_done(3)}, {LUN})
    assert metrics_file.recover()
    metrics_file.path().write_bytes(b"no database" * 1000)
    assert not metrics_file.recover()


def test_deleted_objects_are_forgotten() -> None:
    metrics.record(NOON, {LUN: reads_done(1), OTHER: reads_done(1)}, {LUN, OTHER})
    metrics.record(NOON + 15, {}, {LUN})
    assert metrics.totals().keys() == {LUN}
    assert metrics.history(OTHER, RINGS[0]) == {}
    assert metrics.history(LUN, RINGS[0])


def test_samples_older_than_the_ring_are_dropped() -> None:
    metrics.record(NOON, {LUN: reads_done(1)}, {LUN})
    metrics.record(NOON + 3700, {LUN: reads_done(1)}, {LUN})
    metrics.prune(NOON + 3700)
    assert [begin - NOON for begin in metrics.history(LUN, BY_NAME["1h"])] == [3690]
    assert len(metrics.history(LUN, BY_NAME["1d"])) == 2


def test_no_ring_holds_more_than_so_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MOST_ROWS", 5)
    for number in range(9):
        metrics.record(NOON + 15 * number, {LUN: reads_done(1)}, {LUN})
    metrics.prune(NOON + 200)
    assert len(metrics.history(LUN, RINGS[0])) == 5
    assert metrics.totals()[LUN].done.counters.reads == 9
