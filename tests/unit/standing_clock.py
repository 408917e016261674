"""The clock of tests that need no machine: it stands until a test moves it.

A delay lasts, a session lives and a certificate is valid until a test says that it is later,
however long a busy machine takes. All modules read this clock: the wall clock by time-machine,
which leaves `time.monotonic` alone for the sake of event loops; that is exchanged here. Threads,
locks, sockets and subprocesses of the standard library took the real one when they were imported,
and wait by it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
import time_machine

START = float(int(time.time()) + 12 * 3600)
"""When all tests of a process begin, in seconds since 1970: later than they end. Programs beside
them, as openssl, read the real clock: their certificates, for example, are valid already."""


def now() -> float:
    """Return the seconds since 1970, by the clock that stands."""
    return time.time()


class Clock:
    """A clock that stands: the wall clock and the monotonic one move together."""

    def __init__(self, wall: time_machine.Traveller) -> None:
        self._wall = wall
        self._since = time.monotonic() - time.time()

    @property
    def now(self) -> float:
        """The seconds since 1970; to set them moves the clock."""
        return time.time()

    @now.setter
    def now(self, seconds: float) -> None:
        self._wall.move_to(seconds)

    def monotonic(self) -> float:
        """Return the seconds since some moment."""
        return self.now + self._since

    def sleep(self, seconds: float) -> None:
        """Take the place of `time.sleep` where nothing happens meanwhile."""
        self.now += seconds


_real_monotonic = time.monotonic


def go_on() -> None:
    """Let the monotonic clock go on, in a process that a test has forked and that has a loop."""
    time.monotonic = _real_monotonic


@contextmanager
def standing(start: float = START) -> Iterator[Clock]:
    """Have a clock stand at `start`, in seconds since 1970, for all modules."""
    with time_machine.travel(start, tick=False) as wall:
        clock = Clock(wall)
        with patch.object(time, "monotonic", clock.monotonic):
            yield clock


@pytest.fixture(scope="session", autouse=True)
def clock_of_all() -> Iterator[Clock]:
    """The clock, also for fixtures of several tests; a conftest.py imports both fixtures."""
    with standing() as clock:
        yield clock


@pytest.fixture
def clock(clock_of_all: Clock) -> Iterator[Clock]:
    """The clock, which a test moves; the next test begins when this one did."""
    yield clock_of_all
    clock_of_all.now = START
