"""Patience with what a machine that was just started does not have yet: a network, a stick, a disk.

An installation that nobody sits at does not give up at the first attempt.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE, PAUSE = 180.0, 3.0
"""Seconds until it is given up, and between two attempts."""


def patiently(attempt: Callable[[], T], missing: type[Exception]) -> T:
    """Return what an attempt gives, which is made again as long as it raises `missing`.

    Raises that when the patience is at its end, and whatever else an attempt raises at once.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except missing:
            if time.monotonic() > deadline:
                raise
        time.sleep(PAUSE)
