"""The second run of what failed, alone, and what it shows.

What passes then is unsteady: a test that a busy machine turns red, or that another one disturbs. It
is no failure, but is listed, with all that was seen, and more than ALLOWED make the run red.
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
    """A test that failed and then passed, and the folder with what was seen."""

    test: str
    folder: Path


def selection(done: Done, folder: Path) -> Step | None:
    """Return the step that runs again what failed, or None where nothing can."""
    failed = done.outcome.failed.values()
    again = sorted({each.again for each in failed if each.again})
    if not again or len(failed) > MOST:
        return None
    file = folder / f"{done.step.name}.only"
    file.write_text(json.dumps(again))
    return done.step.again(file)


def settle(first: Done, second: Done, history: History, folder: Path) -> list[Unsteady]:
    """Take what passed in the second run for passed in the first, and return it.

    What failed for the first time then is a failure, too. Of a second run that did not end well
    nothing counts.
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
    (kept / "load").write_text(history.told(failure.at))
    shutil.copyfile(first.log, kept / "first.log")
    shutil.copyfile(second.log, kept / "second.log")
    return kept


def _name(test: str) -> str:
    """Return a name for a folder: the test's, as far as it goes, and what tells others apart."""
    digest = hashlib.sha256(test.encode()).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9.]+', '-', test).strip('-')[:100]}-{digest}"
