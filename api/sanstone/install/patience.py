"""Retries for what a machine may lack just after its start: a network, a stick, a disk.

An unattended installation does not give up at the first attempt.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE, PAUSE = 180.0, 3.0
"""Seconds until giving up, and between two attempts."""


def patiently(attempt: Callable[[], T], missing: type[Exception]) -> T:
    """Return the result of an attempt, which is repeated while it raises `missing`.

    Raises that when the time is up, and any other error of an attempt at once.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except missing:
            if time.monotonic() >= deadline:
                raise
        time.sleep(PAUSE)
