"""A thread beside the turns, for what must not keep them waiting.

It does its work once for each time that it is woken, and for several that came meanwhile once. If
it ended on a fault of its own, the next wake-up starts it anew.
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
            # Whoever stops the process does not wait for it.
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            self._work()
