"""Where a test stops or breaks the fake kernel.

Every operation that changes the fake machine runs inside `with interrupt.step("what it does"):`.
That gives each of them two points at which the process can be killed, before it took effect and
after, and one at which it can be refused. A test can look at everything at these two points, too.
Operations that only read do not count.

`Killed` is a BaseException on purpose: no `except HostError` on the way up may survive it, just as
nothing survives SIGKILL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sanstone.kernel.host import HostError


class Killed(BaseException):
    """The process died here."""


class Interrupt:
    """Counts changing operations, kills at one of them, or refuses those that a test names."""

    def __init__(self) -> None:
        self.log: list[str] = []
        """The operations that took effect, oldest first."""
        self.at_each_point: Callable[[], object] = _nothing
        """A test's functions before each operation and after it."""
        self._kill_in: int | None = None
        self._kill_done = False
        self._failures: list[tuple[Callable[[str], bool], HostError]] = []

    def kill_after(self, steps: int, *, done: bool = False) -> None:
        """Raise Killed at the changing operation number `steps` (1 is the next one).

        With `done` the operation takes effect first, without it nothing of it happens.
        """
        self._kill_in, self._kill_done = steps, done

    def fail_when(self, predicate: Callable[[str], bool], error: HostError) -> None:
        """Refuse with `error` each operation if its description satisfies `predicate`."""
        self._failures.append((predicate, error))

    def clear(self) -> None:
        """Forget the kill, the failures and the test's functions; the log stays."""
        self.at_each_point = _nothing
        self._kill_in = None
        self._failures.clear()

    @contextmanager
    def step(self, description: str) -> Iterator[None]:
        """Surround one changing operation."""
        self.at_each_point()
        killed_here = False
        if self._kill_in is not None:
            self._kill_in -= 1
            killed_here = self._kill_in <= 0
        if killed_here:
            self._kill_in = None
            if not self._kill_done:
                raise Killed(description)
        for predicate, error in self._failures:
            if predicate(description):
                raise error
        yield
        self.log.append(description)
        self.at_each_point()
        if killed_here:
            raise Killed(description)


def _nothing() -> None:
    pass
