"""Records how the runs of background tasks went, for who asks (`core.tasks`)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from sanstone.core import tasks
from sanstone.core.tasks import Run, Task
from sanstone.kernel.host import Files, HostError

SELDOM = 1.0
"""Seconds within which runs that went alike are recorded once: many requests make many turns."""
LONGEST_ERROR = 500
"""Characters."""
log = logging.getLogger("sanstone.tasks")


class Recorder:
    """Runs tasks, and records each run in the folder of the records."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._recorded: dict[str, Run] = {}

    def run(self, task: Task, work: Callable[[], str | None]) -> None:
        """Run a task. `work` returns why it could not do all, or nothing where it could.

        Its exception is recorded, and raised again.
        """
        began, start = time.time(), time.monotonic()
        try:
            error = work() or ""
        except Exception as failure:
            # Of any kind, as a fault of the program must be seen as well. It is handled by the
            # caller, which knows whether the task runs again.
            text = f"{type(failure).__name__}: {failure}"
            self._record(task, Run(began, time.monotonic() - start, text[:LONGEST_ERROR]))
            raise
        self._record(task, Run(began, time.monotonic() - start, error[:LONGEST_ERROR]))

    def _record(self, task: Task, run: Run) -> None:
        before = self._recorded.get(task.name)
        if before and before.error == run.error and 0 <= run.began - before.began < SELDOM:
            return
        try:
            self._files.make_folder(str(tasks.folder()))
            self._files.store(str(tasks.file(task)), tasks.packed(run), 0o644)
        except HostError as error:
            # The task itself is done.
            log.warning("the run of %s is not recorded: %s", task.name, error)
        else:
            self._recorded[task.name] = run
