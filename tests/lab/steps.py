"""Prints each step and how long it took, for people who watch.

    steps = Steps()
    with steps.step("Build an aggregate"):
        steps.tell("8 disks, raid_dp")
    steps.summary()

Every line begins with the time since the start, in minutes and seconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Steps:
    """Numbered steps; those that were done are kept for the summary."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._done: list[tuple[str, float]] = []

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Announce a step, and say how long it took once it is done."""
        began = time.monotonic()
        print(f"\n{self._clock()}  {len(self._done) + 1}. {title}", flush=True)
        yield
        seconds = time.monotonic() - began
        self._done.append((title, seconds))
        self.tell(f"done in {seconds:.1f} s")

    def tell(self, text: str) -> None:
        """Print a result of the step; each line of `text` on one of its own."""
        for line in text.splitlines():
            print(f"{self._clock()}     {line}", flush=True)

    def summary(self) -> None:
        """Print the steps done and their seconds."""
        rows = [(str(n), title, f"{s:.1f} s") for n, (title, s) in enumerate(self._done, 1)]
        total = f"{time.monotonic() - self._started:.1f} s"
        print("\n" + table(("", "step", "time"), [*rows, ("", "all of it", total)]))

    def _clock(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._started), 60)
        return f"{minutes:2}:{seconds:02}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table with columns as wide as their longest word, under a ruled heading."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, ["─" * width for width in widths], *rows)
    ]
    return "\n".join(lines)
