"""The second run of failed tests, when nothing else runs.

A test that passes then is unsteady: a busy machine turns it red, or another test disturbs it. It
is no failure, but is listed, with the logs of both runs, and more than ALLOWED make the run red.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from run.execution import Done
from run.load import History
from run.outcome import Failure, Outcome
from run.plan import Step

ALLOWED = 3
MOST = 20
"""Failures of a suite beyond which it is broken, and does not run again."""


@dataclass
class Unsteady:
    """A test that failed and then passed, and the folder with the logs."""

    test: str
    folder: Path


def selection(done: Done, folder: Path) -> Step | None:
    """Return the step that runs the failed tests again, or None where none can."""
    failed = done.outcome.failed.values()
    again = sorted({each.again for each in failed if each.again})
    if not again or len(failed) > MOST:
        return None
    file = folder / f"{done.step.name}.only"
    file.write_text(json.dumps(again))
    return done.step.again(file)


def settle(first: Done, second: Done, history: History, folder: Path) -> list[Unsteady]:
    """Take the tests that passed in the second run for passed in the first, and return them.

    A test that failed for the first time then is a failure, too. A second run that did not end well
    does not count.
    """
    if second.faults:
        return []
    unsteady = []
    for failure in list(first.outcome.failed.values()):
        if not _has_passed(failure, second.outcome):
            continue
        del first.outcome.failed[failure.test]
        first.outcome.passed.add(failure.test)
        unsteady.append(Unsteady(failure.test, _keep(failure, first, second, history, folder)))
    for test, failure in second.outcome.failed.items():
        first.outcome.failed.setdefault(test, failure)
        first.outcome.passed.discard(test)
    return unsteady


def _has_passed(failure: Failure, second: Outcome) -> bool:
    """Tell whether the test passed, and all of its file where that had to run again."""
    return failure.test in second.passed and not any(
        failure.again in (each.again, each.test.partition("::")[0])
        for each in second.failed.values()
    )


def _keep(failure: Failure, first: Done, second: Done, history: History, folder: Path) -> Path:
    kept = folder / _name(failure.test)
    kept.mkdir(parents=True)
    (kept / "failure").write_text(failure.text)
    (kept / "load").write_text(history.last_minute(failure.at))
    shutil.copyfile(first.log, kept / "first.log")
    shutil.copyfile(second.log, kept / "second.log")
    return kept


def _name(test: str) -> str:
    """Return a name for a folder: the test's, as far as it goes, and a digest."""
    digest = hashlib.sha256(test.encode()).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9.]+', '-', test).strip('-')[:100]}-{digest}"
