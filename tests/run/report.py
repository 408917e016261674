"""The lines of a run on the terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence

from run.again import ALLOWED, MOST, Unsteady
from run.execution import Done
from run.load import History, shares
from run.plan import Step

MOST_LISTED = 5
"""Tests of a suite that the last screen names; the log has the others."""


class Report:
    """Prints a line when a step begins or ends, with the time of the run, then all results."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def began(self, step: Step) -> None:
        """Print that a step begins."""
        self._say(step.name)

    def ended(self, done: Done) -> None:
        """Print how a step ended, and where its log is if it failed."""
        if not done.started:
            self._say(f"{done.step.name}: {'; '.join(done.faults)}")
            return
        results = [_counted(done.outcome.counts)] if done.step.tests else []
        results += [
            *done.faults,
            *([done.outcome.nothing] if done.outcome.nothing else []),
        ]
        results += [f"{done.seconds:.0f} s", f"{done.processor:.0f} s of processors"]
        see = "" if done.passed else f"; see {done.log}"
        self._say(
            f"{done.step.name} {'ended' if done.passed else 'FAILED'}: {', '.join(results)}{see}"
        )

    def last(self, steps: Sequence[Done], unsteady: Sequence[Unsteady], history: History) -> bool:
        """Show the last screen and return whether the run is green."""
        print()
        print(f"{'':12}{'passed':>8}{'failed':>8}{'skipped':>9}{'time':>8}{'processors':>12}")
        for done in steps:
            if done.step.tests:
                passed, failed, skipped = done.outcome.counts
                counts = f"{passed:8}{failed:8}{skipped:9}"
                print(
                    f"{done.step.name:12}{counts}{_minutes(done.seconds)}{done.processor:10.0f} s"
                )
        for done in steps:
            if not done.passed:
                self._tell_failure(done)
        if unsteady:
            print("unsteady: these failed, and passed alone:")
            for each in unsteady:
                print(f"  {each.test}: {each.folder}")
        if len(unsteady) > ALLOWED:
            print(f"More than {ALLOWED} are unsteady.")
        idle, stolen = shares(history.samples[0], history.samples[-1])
        processor = sum(done.processor for done in steps)
        print(
            f"all{_minutes(time.monotonic() - self._began)}, {processor:.0f} s of processors, "
            f"which were idle for {idle:.0%} and stolen for {stolen:.0%}"
        )
        print(_counted(_total(steps)))
        return all(done.passed for done in steps) and len(unsteady) <= ALLOWED

    def _tell_failure(self, done: Done) -> None:
        summary = f"{done.step.name} FAILED: {'; '.join(done.faults)}".removesuffix(": ")
        print(summary if not done.started else f"{summary}, see {done.log}")
        failed = sorted(done.outcome.failed)
        for test in failed[:MOST_LISTED]:
            print(f"  {test}")
        if len(failed) > MOST_LISTED:
            print(f"  and {len(failed) - MOST_LISTED} more")
        if len(failed) > MOST:
            print(f"  More than {MOST} failed: they did not run again.")

    def _say(self, text: str) -> None:
        print(f"{_minutes(time.monotonic() - self._began)}  {text}", flush=True)


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:5}:{rest:02}"


def _counted(counts: tuple[int, int, int]) -> str:
    return "{} passed, {} failed, {} skipped".format(*counts)


def _total(steps: Sequence[Done]) -> tuple[int, int, int]:
    """Return the counts of all; a step that failed and has no test that did counts as one."""
    passed, failed, skipped = (
        sum(counts) for counts in zip(*(done.outcome.counts for done in steps), strict=True)
    )
    failed += sum(not done.passed and not done.outcome.failed for done in steps)
    return passed, failed, skipped
