"""How logins ask servers of others, by processes that have a network (`kernel.questions`).

A server that hangs must not hold the API up, nor keep out who has a password of the array's own: a
few threads of a process ask at a time, each for a limited time, and while no server answers they
ask only every few seconds. An event tells of that once in a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import BoundedSemaphore, Lock
from typing import Protocol, TypeVar

from sqlalchemy import Engine

from sanstone.core import errors, events, places
from sanstone.core.database.store import writing
from sanstone.kernel import questions

SILENCE = 15.0
"""Seconds without a question after no server answered."""
PATIENCE = 12.0
"""Seconds that a thread waits for the answer: a little more than asking all servers may take."""
_LOG_PERIOD = 3600.0


class Unreachable(Exception):
    """No server answers; the text says why."""


class Answered(Protocol):
    """An answer. `error` is why no server answered, '' if one did."""

    @property
    def error(self) -> str:
        """Return why no server answered."""


Answer = TypeVar("Answer", bound=Answered)


class Unasked(Exception):
    """The process that asks servers does not answer; the text says why."""


def put(socket: str, question: bytes) -> bytes:
    """Put a question by the socket of a process, and return its answer. Raises Unasked."""
    try:
        return questions.put(str(places.run_directory() / socket), question, PATIENCE)
    except OSError as error:
        raise Unasked(error.strerror or str(error)) from error


class Asking:
    """Asks one kind of servers: `at_once` threads of this process at a time.

    `event` is that of nobody's answering, and `complaint` what its text says of who is affected.
    """

    def __init__(self, database: Engine, at_once: int, event: str, complaint: str) -> None:
        self._database, self._event, self._complaint = database, event, complaint
        self._turns = BoundedSemaphore(at_once)
        self._lock = Lock()
        self._silent_until = self._logged_at = 0.0

    @property
    def silent(self) -> bool:
        """Return whether no server answered a moment ago, so that the next question waits."""
        return time.monotonic() < self._silent_until

    def ask(self, ask: Callable[[], Answer]) -> Answer:
        """Return the result of `ask`. Raises Unreachable, and ApiError, 503, when too many ask."""
        if self.silent:
            raise Unreachable("no server answered a moment ago")
        if not self._turns.acquire(blocking=False):
            text = "Too many logins wait for an answer; try again in a few seconds."
            raise errors.again(503, text, 5.0)
        try:
            answer = ask()
        finally:
            self._turns.release()
        if answer.error:
            self._silent_until = time.monotonic() + SILENCE
            self._tell(answer.error)
            raise Unreachable(answer.error)
        return answer

    def _tell(self, error: str) -> None:
        """Log an event, once in a while."""
        with self._lock:
            if self._logged_at and time.monotonic() < self._logged_at + _LOG_PERIOD:
                return
            self._logged_at = time.monotonic()
        with writing(self._database) as session:
            events.emit(session, events.ERROR, self._event, f"{self._complaint}: {error}")
