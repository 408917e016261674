"""`-simulate true`: what would be made is shown, and nothing is made or asked."""

from __future__ import annotations

from console import Console


def test_a_new_aggregate_is_shown_and_not_made(console: Console) -> None:
    said = console.run("storage aggregate create -aggregate aggr9 -diskcount 4 -simulate true")
    assert "New Data Aggregate" in said and "aggr9" in said and "raid_dp" in said
    assert "Job" not in said
    assert "no entries" in console.run("storage aggregate show -aggregate aggr9")


def test_growth_is_shown_without_a_question(console: Console) -> None:
    asked = len(console.asked)
    before = console.run("storage aggregate show -aggregate aggr1 -fields diskcount")
    status, said = console.attempt(
        "storage aggregate add-disks -aggregate aggr1 -diskcount 99 -simulate true"
    )
    assert status == 1 and "disks" in said, "what would be refused is"
    assert len(console.asked) == asked
    assert console.run("storage aggregate show -aggregate aggr1 -fields diskcount") == before
