"""`-simulate true` shows the result of a command, without any change or question."""

from __future__ import annotations

from console import Console


def test_a_new_aggregate_is_shown_and_not_created(console: Console) -> None:
    output = console.run("storage aggregate create -aggregate aggr9 -diskcount 4 -simulate true")
    assert "New Data Aggregate" in output and "aggr9" in output and "raid_dp" in output
    assert "Job" not in output
    assert "no entries" in console.run("storage aggregate show -aggregate aggr9")


def test_growth_is_shown_without_a_question(console: Console) -> None:
    question_count = len(console.questions)
    before = console.run("storage aggregate show -aggregate aggr1 -fields diskcount")
    status, output = console.attempt(
        "storage aggregate add-disks -aggregate aggr1 -diskcount 99 -simulate true"
    )
    assert status == 1 and "disks" in output, "what would be refused is"
    assert len(console.questions) == question_count
    assert console.run("storage aggregate show -aggregate aggr1 -fields diskcount") == before
