"""`private/cli/system/node/task`: the tasks in the background, and how the last run of each went.

ONTAP has no such resource; it stands where its command line's directories do. It shows no
configuration and no row: the tasks are declared (`core.tasks`), and each leaves a record of its
last run until the next boot.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.core import tasks
from sanstone.core.declaration.resource import Field, Reader, Resource
from sanstone.core.declaration.types import Choice, Integer, Text, Timestamp
from sanstone.core.observed import Observed
from sanstone.core.tasks import Run, Task
from sanstone.rules.cluster.node import node_fields

SUCCEEDED, FAILED = "succeeded", "failed"


@dataclass(frozen=True)
class ShownTask:
    """A task, and its last run, None where it has not run since the boot."""

    task: Task
    run: Run | None
    state: str

    @property
    def name(self) -> str:
        """Return the task's name."""
        return self.task.name

    @property
    def begin(self) -> float | None:
        """Return when the last run began."""
        return self.run.began if self.run else None

    @property
    def milliseconds(self) -> int | None:
        """Return how long the last run took."""
        return round(self.run.duration * 1000) if self.run else None

    @property
    def result(self) -> str | None:
        """Return whether the last run could do all that was due."""
        if self.run is None:
            return None
        return FAILED if self.run.error else SUCCEEDED

    @property
    def error(self) -> str | None:
        """Return why it could not."""
        return (self.run.error if self.run else "") or None


class TaskResource(Resource[ShownTask]):
    """Tasks in the background."""

    path = "private/cli/system/node/task"
    doc = "Tasks that the array does in the background, and how the last run of each went."
    model = Observed
    keys = ("name",)
    order = ("name",)
    methods = frozenset({"GET"})
    fields = (
        *node_fields(),
        Field("name", Text(64), "Name of the task."),
        Field("description", Text(), "Its work.", get=lambda row, _: row.task.doc),
        Field(
            "period",
            Integer(),
            "Seconds from the beginning of one run to that of the next.",
            get=lambda row, _: round(row.task.period),
        ),
        Field(
            "state",
            Choice(tasks.NEVER, tasks.ON_TIME, tasks.LATE),
            "Whether it runs when it should: not since the boot, in time, or late, as where a run "
            "hangs or its process does not run.",
        ),
        Field("last_run.time", Timestamp(), "When its last run began.", attribute="begin"),
        Field(
            "last_run.duration",
            Integer(),
            "Milliseconds that the last run took.",
            attribute="milliseconds",
        ),
        Field(
            "last_run.result",
            Choice(SUCCEEDED, FAILED),
            "Whether the last run could do all that was due.",
            attribute="result",
        ),
        Field("last_run.error", Text(), "Why it could not.", attribute="error"),
    )

    def rows(self, reader: Reader) -> Sequence[ShownTask]:
        """Return all tasks, those that never ran, too."""
        now, runs = time.time(), {task: tasks.last_run(task) for task in tasks.ALL}
        return [ShownTask(task, run, tasks.state(task, run, now)) for task, run in runs.items()]
