"""The log of a run: a line for each sequence, so that a run of hours may be done in parts.

A line begins with the seed, the number of requests and PASSED or FAILED. A run that goes on leaves
out sequences that have passed, and runs failed ones again. Then the line has the sequence's time,
and each answer with a 5xx that was right, since the kernel had refused a step for example.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

PASSED, FAILED = "passed", "failed"


def passed(file: Path) -> dict[int, int]:
    """Return the seeds that have passed, each with its requests; none where there is no log yet."""
    if not file.exists():
        return {}
    lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    return {int(seed): int(sent) for seed, sent, outcome, *_ in lines if outcome == PASSED}


def add(file: Path, seed: int, sent: int, outcome: str, notes: Iterable[str]) -> None:
    """Add a line."""
    line = "  ".join((f"{seed} {sent} {outcome}", *(" ".join(each.split()) for each in notes)))
    # In one write, since other processes add theirs.
    with file.open("a", encoding="utf-8", errors="backslashreplace") as log:
        log.write(f"{line}\n")
