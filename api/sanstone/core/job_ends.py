"""Notify requests that wait for a job when jobs have ended, so that they need not poll.

The reconciler listens on a socket; a waiting request connects to it and gets a byte each time that
jobs have ended. A connection needs room in the socket's queue but no accept, so the reconciler
accepts new connections only when it has something to send. Nothing depends on it: a waiter that
cannot connect, or loses its byte, looks again after a pause.

A waiter connects before it looks at its job. So it is notified of a job that ends after that look,
and sees one that ended before.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sanstone.core import places

ROOM = 512
"""Connections that may wait to be accepted: more than the API has threads (gunicorn.conf.py). Linux
counts those that were closed since, too (net/unix/af_unix.c, unix_stream_connect)."""
PAUSE, LONGEST_PAUSE = 0.1, 1.0
"""Seconds between two looks of a waiter that cannot be notified, and of one that can."""


def path() -> Path:
    """Return the path of the socket that the reconciler listens on."""
    return places.run_directory() / "job-ends.sock"


class Teller:
    """The reconciler's side, on a socket that is bound to `path` and never blocks."""

    def __init__(self, listener: socket.socket) -> None:
        self._waiters: list[socket.socket] = []
        self._listener = listener
        self._listener.listen(ROOM)

    def tell(self) -> None:
        """Notify all waiters that jobs have ended, and drop those that are gone."""
        self._take_new()
        remaining = []
        for waiter in self._waiters:
            try:
                waiter.send(b"e")
            except BlockingIOError:
                # It has unread bytes enough to make it look again.
                remaining.append(waiter)
            except OSError:
                waiter.close()
            else:
                remaining.append(waiter)
        self._waiters = remaining

    def close(self) -> None:
        """Stop notifying; waiters go on by polling."""
        for each in (self._listener, *self._waiters):
            each.close()

    def _take_new(self) -> None:
        while True:
            try:
                waiter, _ = self._listener.accept()
            except BlockingIOError:
                return
            waiter.setblocking(False)
            self._waiters.append(waiter)


class Waiter:
    """A waiting request's side; `connection` is None where nobody notifies it."""

    def __init__(self, connection: socket.socket | None) -> None:
        self._connection = connection

    def wait(self, seconds: float) -> None:
        """Wait until jobs have ended, for at most so many seconds."""
        if self._connection is None:
            time.sleep(min(seconds, PAUSE))
            return
        readable = select.poll()
        readable.register(self._connection, select.POLLIN)
        if readable.poll(min(seconds, LONGEST_PAUSE) * 1000) and self._has_ended():
            # The reconciler has. Its successor takes up the job, and does not know of this one.
            self._connection = None

    def _has_ended(self) -> bool:
        """Read all notifications. Return whether the reconciler has closed the connection."""
        try:
            return self._connection is None or not self._connection.recv(4096)
        except ConnectionResetError:
            return True


@contextmanager
def waiter(file: Path) -> Iterator[Waiter]:
    """Provide a waiter that is notified of all jobs that end from now on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as connection:
        try:
            connection.connect(str(file))
        except (FileNotFoundError, ConnectionRefusedError, BlockingIOError):
            yield Waiter(None)
            return
        yield Waiter(connection)
