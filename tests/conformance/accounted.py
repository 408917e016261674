"""Reviewed lists of suites' findings: cases that fail or do not run, each with its reason.

A list is a text file: a case a line, or a pattern of cases as in shells, under comments that say
why, and under a heading that says how they end:

    [failed]

All other cases have to pass. The first line that fits a case counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

PASSED, FAILED, SKIPPED = OUTCOMES = ("passed", "failed", "skipped")
"""How a case ends; one that cannot run where it is tried is skipped."""


@dataclass(frozen=True)
class Line:
    """A line of a list."""

    outcome: str
    pattern: str

    def is_about(self, case: str) -> bool:
        """Return whether it accounts for a case."""
        return fnmatchcase(case, self.pattern)


def read(path: Path) -> list[Line]:
    """Return the list at `path`."""
    lines = []
    outcome = ""
    for text in path.read_text().splitlines():
        if heading := re.fullmatch(rf"\[({FAILED}|{SKIPPED})\]", text):
            outcome = heading[1]
        elif text and not text.startswith("#"):
            assert outcome, f"{path}: no heading above {text!r}"
            lines.append(Line(outcome, text))
    return lines


def differences(outcomes: Mapping[str, str], lines: list[Line]) -> Iterator[str]:
    """Yield in words how the cases, by name, end otherwise than the list says.

    It reports a line that is about no case, too.
    """
    useless = set(lines)
    for case, outcome in outcomes.items():
        line = next((line for line in lines if line.is_about(case)), None)
        if line:
            useless.discard(line)
        expected = line.outcome if line else PASSED
        if outcome != expected:
            yield f"{case} {outcome}, and is listed as {expected}"
    yield from sorted(f"{line.pattern} is listed, and no case is called that" for line in useless)


def counts(outcomes: Mapping[str, str]) -> str:
    """Return how many cases end how, such as "30 passed, 1 failed, 5 skipped"."""
    ends = list(outcomes.values())
    return ", ".join(f"{ends.count(outcome)} {outcome}" for outcome in OUTCOMES)
