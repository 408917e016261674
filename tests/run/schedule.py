"""When each step runs."""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from run import load
from run.execution import Done, Running
from run.plan import Step


class Interrupted(Exception):
    """A signal ended the run, and with it all that ran."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Signals:
    """INT and TERM, as bytes to read: an exception at any place could lose a process."""

    def __init__(self) -> None:
        self.readable, self._writable = os.pipe()
        os.set_blocking(self._writable, False)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take them until left."""
        before = signal.set_wakeup_fd(self._writable)
        handlers = {
            number: signal.signal(number, self._taken) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for end in (self.readable, self._writable):
                os.close(end)

    def first(self) -> int:
        """Return the number of the first that came."""
        return os.read(self.readable, 1)[0]

    def _taken(self, number: int, frame: FrameType | None) -> None:
        """Leave it to who reads."""


class Schedule:
    """Runs steps, and calls `began` and `ended` with each; the load goes into `history`."""

    def __init__(
        self,
        folder: Path,
        history: load.History,
        began: Callable[[Step], None],
        ended: Callable[[Done], None],
    ) -> None:
        self._folder = folder
        self._history = history
        self._began = began
        self._ended = ended
        self._running: dict[str, Running] = {}
        self._done: dict[str, Done] = {}

    def run(self, steps: Sequence[Step]) -> list[Done]:
        """Run `steps`, each when its time has come, and return them in their order.

        Raises Interrupted, and LookupError where a step waits for one that is not among them.
        """
        signals = Signals()
        with signals.taken(), selectors.DefaultSelector() as selector:
            selector.register(signals.readable, selectors.EVENT_READ)
            try:
                waiting = list(steps)
                while waiting or self._running:
                    before = len(waiting)
                    waiting = self._start(waiting, selector)
                    if self._running:
                        self._wait(selector, signals)
                    elif len(waiting) == before:
                        raise LookupError(f"no step is there that {waiting[0]} waits for")
            finally:
                self._end_all()
        return [self._done[step.name] for step in steps]

    def _wait(self, selector: selectors.BaseSelector, signals: Signals) -> None:
        """Wait for steps that end, and take them in, for PERIOD at most."""
        self._history.add(load.sample(list(self._running)))
        for key, _ in selector.select(load.PERIOD):
            if key.fd == signals.readable:
                raise Interrupted(signals.first())
            selector.unregister(key.fd)
            self._end(self._running.pop(key.data).wait())

    def _start(self, waiting: list[Step], selector: selectors.BaseSelector) -> list[Step]:
        """Start the steps that can run, and return those that cannot yet."""
        remaining = []
        for step in waiting:
            lacking = tuple(
                name for name in step.needs if name in self._done and not self._done[name].passed
            )
            if lacking:
                fault = f"not run without {', '.join(lacking)}"
                self._end(Done(step, self._folder, started=False, faults=[fault]))
            elif self._has_room(step) and all(
                name in self._done for name in (*step.needs, *step.after)
            ):
                running = Running(step, self._folder)
                self._running[step.name] = running
                selector.register(running.handle, selectors.EVENT_READ, step.name)
                self._began(step)
            else:
                remaining.append(step)
        return remaining

    def _has_room(self, step: Step) -> bool:
        alike = [each for each in self._running.values() if each.step.kind is step.kind]
        return len(alike) < step.kind.at_once

    def _end(self, done: Done) -> None:
        self._done[done.step.name] = done
        self._ended(done)

    def _end_all(self) -> None:
        """End the running steps, all at once, since each takes its seconds."""
        for each in self._running.values():
            each.end()
        for each in self._running.values():
            each.wait()
        self._running.clear()
