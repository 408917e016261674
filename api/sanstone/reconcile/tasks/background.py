"""A thread for work that must not delay the turns.

The thread does the work once for each wake-up; wake-ups during the work count as one. If the thread
ended on an exception, the next wake-up starts it anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class Background:
    """Does `work` in a thread of its own whenever it is woken."""

    def __init__(self, name: str, work: Callable[[], None]) -> None:
        self._name, self._work = name, work
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Have the work done; return at once."""
        if self._thread is None or not self._thread.is_alive():
            # A daemon thread does not delay the end of the process.
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            self._work()
