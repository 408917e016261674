"""The outcome of a suite, read from its record."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TESTS_FAILED = 1
"""The exit status of pytest that failed tests account for."""


@dataclass(frozen=True)
class Failure:
    """A test that failed: its output, the time (since the epoch), and what to run again.

    A file that could not be read has nothing to run again.
    """

    test: str
    again: str
    text: str
    at: float


@dataclass
class Outcome:
    """The tests of a suite by their names, and the `faults` that are not those of a test."""

    passed: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)
    failed: dict[str, Failure] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    nothing: str = ""

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many passed, failed and were skipped."""
        return len(self.passed), len(self.failed), len(self.skipped)


def read(path: Path) -> Outcome:
    """Return the outcome in the record at `path`; a suite that wrote none ran no test."""
    outcome = Outcome()
    began = ended = 0
    for line in path.read_text().split("\n")[:-1] if path.exists() else ():
        entry = json.loads(line)
        if "test" in entry:
            _take_in(outcome, entry)
        elif "began" in entry:
            began += 1
        elif "ended" in entry:
            ended += 1
            outcome.faults += _faults(outcome, entry)
        else:
            outcome.nothing = entry["nothing"]
    if ended < began:
        outcome.faults.append("did not come to its end")
    if not outcome.nothing and not any(outcome.counts):
        outcome.faults.append("ran no test")
    return outcome


def _take_in(outcome: Outcome, entry: dict[str, Any]) -> None:
    """Add a line about a test, which has one for each of its phases that failed."""
    test = entry["test"]
    if entry["outcome"] == "failed":
        earlier = outcome.failed.get(test)
        text = f"{earlier.text}\n{entry['text']}" if earlier else entry["text"]
        outcome.failed[test] = Failure(test, _wider(earlier, entry["again"]), text, entry["at"])
    elif entry["outcome"] == "passed":
        outcome.passed.add(test)
    else:
        outcome.skipped.add(test)
    outcome.passed -= outcome.failed.keys()
    outcome.skipped -= outcome.failed.keys()


def _wider(earlier: Failure | None, again: str) -> str:
    return min(earlier.again, again, key=len) if earlier else again


def _faults(outcome: Outcome, entry: dict[str, Any]) -> list[str]:
    """Return the faults of a session's end, beside the tests that failed."""
    accounted_for = {0, TESTS_FAILED} if outcome.failed else {0}
    faults = []
    if entry["early"]:
        faults.append(f"ended early: {entry['early']}")
    if entry["ended"] not in accounted_for and any(outcome.counts):
        faults.append(f"ended with status {entry['ended']}")
    return faults
