"""A support bundle has the figures of the last days, as tables that anybody can read."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from sanstone.core.history import metrics, metrics_file, space_history
from sanstone.core.history.metrics import CLUSTER, Counters, Done
from sanstone.core.history.space_history import Space
from sanstone.support import statistics

NOON = 1_800_014_400
LUN, OTHER = ("storage/luns", "a"), ("storage/luns", "b")
VOLUME = ("storage/volumes", "v")
READ = Done(Counters(reads=3, read_bytes=12288, read_us=900), (2, 0, 1))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database of the test's own."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    metrics_file.path().parent.mkdir()


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a part, by their columns."""
    text = statistics.parts()[f"statistics/{name}.csv"]()
    return list(csv.DictReader(io.StringIO(text)))


def test_hosts_io_is_listed_by_time_and_object() -> None:
    metrics.record(NOON, {LUN: READ, OTHER: READ}, {LUN, OTHER})
    metrics.record(NOON + 300, {LUN: READ})
    rows = table("figures-1d")
    assert [(row["time"], row["kind"], row["key"]) for row in rows] == [
        ("2027-01-15T12:00:00Z", *LUN),
        ("2027-01-15T12:00:00Z", *OTHER),
        ("2027-01-15T12:05:00Z", *LUN),
    ]
    assert (rows[0]["reads"], rows[0]["read_bytes"], rows[0]["writes"]) == ("3", "12288", "0")


def test_latencies_have_a_column_for_each_bucket() -> None:
    metrics.record(NOON, {LUN: READ}, {LUN})
    [row] = table("latencies-1h")
    assert (row["key"], row["up_to_100_us"], row["up_to_500_us"]) == ("a", "2", "1")
    assert row["longer"] == "0"


def test_space_has_a_row_for_each_change() -> None:
    for number, size in enumerate((1, 1, 2)):
        space_history.record(NOON + 1800 * number, {VOLUME: Space(size=10, used=size)})
    assert [(row["time"], row["used"], row["snapshots"]) for row in table("space-1w")] == [
        ("2027-01-15T12:00:00Z", "1", ""),
        ("2027-01-15T13:00:00Z", "2", ""),
    ]


def test_of_many_rows_the_newest_are_there_and_all_of_the_array(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statistics, "MOST_ROWS", 5)
    for number in range(4):
        metrics.record(NOON + 300 * number, dict.fromkeys((LUN, OTHER, CLUSTER), READ))
        space_history.record(NOON + 1800 * number, dict.fromkeys((LUN, OTHER), Space(number)))
    figures = [(row["time"][11:16], row["kind"]) for row in table("figures-1d")]
    assert [moment for moment, kind in figures if kind != "cluster"] == ["12:15", "12:15"]
    assert [moment for moment, kind in figures if kind == "cluster"] == [
        *("12:00", "12:05", "12:10", "12:15")
    ]
    assert len(table("space-1w")) == 4


def test_before_the_first_sample_the_tables_are_empty() -> None:
    assert {name: table(name.split("/")[1][:-4]) for name in statistics.parts()} == {
        name: [] for name in statistics.parts()
    }
