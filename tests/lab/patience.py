"""Waiting for what is bound to happen, without saying when: a test is no stopwatch."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 150.0
"""More than two of the reconciler's full periods on a machine that is busy."""
SHORTEST, LONGEST, GROWTH = 0.1, 1.5, 1.5
"""Seconds between looks, and how they grow: to look is work, and a machine may be busy enough."""


def eventually(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until `condition()` is true. Raises AssertionError when it never becomes so."""
    deadline = time.monotonic() + seconds
    pause = SHORTEST
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(pause)
        pause = min(LONGEST, pause * GROWTH)
