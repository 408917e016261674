"""`storage aggregate auto-provision` shows aggregates, and creates them after a yes."""

from __future__ import annotations

from console import Console


def test_recommendations_are_shown_and_nothing_is_created_after_a_no(console: Console) -> None:
    status, output = console.attempt("storage aggregate auto-provision")
    assert status == 1
    assert "New Data Aggregate" in output
    assert "Do you want to create recommended aggregates?" in console.questions[-1]
    assert "was created" not in output


def test_a_dry_run_lists_new_aggregates(console: Console) -> None:
    console.run("set -dry-run on")
    output = console.run("storage aggregate auto-provision")
    console.run("set -dry-run off")
    assert "create  storage/aggregates" in output
