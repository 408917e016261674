"""A thread for a task that must not delay the turns.

The thread runs the task once for each wake-up; wake-ups during a run count as one. If the thread
ended on an exception, the next wake-up starts it anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from sanstone.core.tasks import Task
from sanstone.reconcile.tasks.recorder import Recorder


class Background:
    """Runs a task in a thread of its own whenever it is woken, by `work` as `Recorder.run` does."""

    def __init__(self, task: Task, recorder: Recorder, work: Callable[[], str | None]) -> None:
        self._task, self._recorder, self._work = task, recorder, work
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Have the task run; return at once."""
        if self._thread is None or not self._thread.is_alive():
            # A daemon thread does not delay the end of the process.
            self._thread = threading.Thread(target=self._run, name=self._task.name, daemon=True)
            self._thread.start()
        self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            self._recorder.run(self._task, self._work)
