"""Fair turns at writing: first come, first served, across threads and processes.

SQLite lets one writer in at a time; the others retry after pauses of their own, so that one may
starve. So a writer waits for its turn here before it begins a transaction.

The threads of a process queue up, and the first of them queues with the other processes. The queue
of processes consists of two locks of flock(2): a process waits for `queue`, holds it while it waits
for `turn`, and holds `turn` as long as it writes. Linux keeps the waiters of such a lock in the
order of their arrival and wakes the first (fs/locks.c, __locks_insert_block: each blocks the next),
but a process that arrives at that moment may overtake it. Only the holder of `queue` competes for
`turn`, so that a process that has just written queues behind all others. Processes thus take turns:
the reconciler writes after one writer of each of the API's workers, however many threads wait in
these.

The locks end with the process that holds them, however it ends. Their files are beside the
database, which is never opened here: closing it would drop SQLite's own locks of the whole process
(sqlite.org/howtocorrupt.html, 2.2).
"""

from __future__ import annotations

import fcntl
import os
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from threading import Event, Lock

MOST = 20
"""Threads of a process that may wait with a time limit: a third of those of a worker
(gunicorn.conf.py), so that requests that only read go on."""


class NoTurn(Exception):
    """Too many other writers wait, or one of them takes too long."""


class Turns:
    """The turns of this process at the database in `file`."""

    def __init__(self, file: Path) -> None:
        self._files = [file.with_name(f"{file.name}-{name}") for name in ("queue", "turn")]
        self._lock = Lock()
        self._taken = False
        self._line: deque[Event] = deque()

    @contextmanager
    def turn(self, patience: float | None = None) -> Iterator[None]:
        """Hold the turn, after at most `patience` seconds in the queue, or any time for None.

        Raises NoTurn after that, or at once where the queue is long. The first in the queue waits
        for the other processes as long as it takes: each of them precedes it once.
        """
        self._stand_in_line(patience)
        try:
            with ExitStack() as locks:
                queue, turn = (locks.enter_context(_opened(file)) for file in self._files)
                fcntl.flock(queue, fcntl.LOCK_EX)
                fcntl.flock(turn, fcntl.LOCK_EX)
                fcntl.flock(queue, fcntl.LOCK_UN)
                yield
        finally:
            self._call_next()

    def _stand_in_line(self, patience: float | None) -> None:
        with self._lock:
            if not self._taken:
                self._taken = True
                return
            if patience is not None and len(self._line) >= MOST:
                raise NoTurn
            called = Event()
            self._line.append(called)
        if not called.wait(patience):
            with self._lock:
                # It may have got its turn just now.
                if called in self._line:
                    self._line.remove(called)
                    raise NoTurn

    def _call_next(self) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._taken = False


@cache
def at(file: Path) -> Turns:
    """Return this process's turns at a database."""
    return Turns(file)


@contextmanager
def _opened(file: Path) -> Iterator[int]:
    """Open a lock's file for reading, which is all that flock(2) needs; create it if missing.

    Never through a link: users other than root may write to the directory.
    """
    flags = os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(file, flags, 0o660)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
