"""Snapshot policies as ONTAP's scripts make them, a schedule at a time."""

from __future__ import annotations

from console import Console

SHOW = "snapshot policy schedule show -policy p1 -fields count,prefix,snapmirror-label"


def test_each_schedule_of_a_new_policy_has_parameters_of_its_own(console: Console) -> None:
    console.run(
        "snapshot policy create -vserver svm1 -policy p1 -enabled true -schedule1 hourly -count1 6 "
        "-prefix1 h -schedule2 daily -count2 2 -snapmirror-label2 d"
    )
    assert console.table(SHOW) == [
        ["svm1", "p1", "daily", "2", "daily", "d"],
        ["svm1", "p1", "hourly", "6", "h", "-"],
    ]


def test_lists_go_on_as_they_did(console: Console) -> None:
    console.run(
        "snapshot policy create -vserver svm1 -policy p1 -sched hourly,daily -count 6,3 "
        "-schedule1 weekly -count1 2"
    )
    assert [row[2:4] for row in console.table(SHOW)] == [
        ["daily", "3"],
        ["hourly", "6"],
        ["weekly", "2"],
    ]


def test_a_schedule_without_its_count_is_refused(console: Console) -> None:
    message = console.refusal(
        "snapshot policy create -vserver svm1 -policy p1 -schedule1 hourly -count2 3"
    )
    assert message.startswith("Error: command failed: Field ")


def test_schedules_come_change_and_go(console: Console) -> None:
    console.run("snapshot policy create -vserver svm1 -policy p1 -schedule1 hourly -count1 6")
    console.run(
        "snapshot policy add-schedule -vserver svm1 -policy p1 -schedule weekly -count 2 -prefix w"
    )
    console.run(
        "snapshot policy modify-schedule -vserver svm1 -policy p1 -schedule weekly -newcount 3 "
        "-newsnapmirror-label x"
    )
    assert ["svm1", "p1", "weekly", "3", "w", "x"] in console.table(SHOW)
    console.answers = [True]
    console.run("snapshot policy remove-schedule -vserver svm1 -policy p1 -schedule weekly")
    assert [row[2] for row in console.table(SHOW)] == ["hourly"]
