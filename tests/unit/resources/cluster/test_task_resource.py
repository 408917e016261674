"""Tasks in the background: each is listed, whether or not it ran."""

from __future__ import annotations

from in_process import Array
from standing_clock import Clock

from sanstone.core import tasks
from sanstone.core.tasks import Run, Task

PATH = "private/cli/system/node/task"


def record(task: Task, run: Run) -> None:
    """Leave a record, as the task's process does."""
    tasks.folder().mkdir(exist_ok=True)
    tasks.file(task).write_bytes(tasks.packed(run))


def test_tasks_that_never_ran_are_listed(api: Array) -> None:
    records = api.records(f"{PATH}?fields=*")
    assert [record["name"] for record in records] == sorted(task.name for task in tasks.ALL)
    assert {record["state"] for record in records} == {"never"}
    assert not any("last_run" in record for record in records)


def test_how_the_last_run_went(api: Array, clock: Clock) -> None:
    record(tasks.SAMPLES, Run(clock.now - 3, 0.25))
    record(tasks.EVENTS, Run(clock.now - 3, 1.0, "the database is locked"))
    record(tasks.ERRORS, Run(clock.now - 3600, 0.0))
    [samples] = api.records(f"{PATH}?name=samples&fields=*")
    assert (samples["state"], samples["period"]) == ("on_time", 15)
    assert samples["last_run"] == {
        "time": samples["last_run"]["time"],
        "duration": 250,
        "result": "succeeded",
    }
    [events] = api.records(f"{PATH}?last_run.result=failed&fields=*")
    assert events["name"] == "events"
    assert events["last_run"]["error"] == "the database is locked"
    [late] = api.records(f"{PATH}?state=late")
    assert late["name"] == "errors"
