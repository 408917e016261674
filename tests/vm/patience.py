"""Waiting for what is bound to happen, without saying when: a test is no stopwatch."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 150.0
"""More than two of the reconciler's full periods on a machine that is busy."""


def eventually(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until `condition()` is true. Raises AssertionError when it never becomes so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.5)
