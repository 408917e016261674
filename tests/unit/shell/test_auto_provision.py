"""`storage aggregate auto-provision` shows what it would make, and makes it when told to."""

from __future__ import annotations

from console import Console


def test_what_is_recommended_is_shown_and_nothing_made_after_a_no(console: Console) -> None:
    status, said = console.attempt("storage aggregate auto-provision")
    assert status == 1
    assert "New Data Aggregate" in said
    assert "Do you want to create recommended aggregates?" in console.asked[-1]
    assert "was created" not in said


def test_a_dry_run_tells_what_it_would_make(console: Console) -> None:
    console.run("set -dry-run on")
    said = console.run("storage aggregate auto-provision")
    console.run("set -dry-run off")
    assert "create  storage/aggregates" in said
