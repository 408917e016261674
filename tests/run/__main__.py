"""`python3 -m run`: all checks and tests. The exit status is 0 where all is well."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from run import again, plan
from run.load import History
from run.report import Report
from run.schedule import Interrupted, Schedule

OUTPUT = Path("output")
BY_SIGNAL = 128


def run(steps: Sequence[plan.Step], output: Path) -> int:
    """Run `steps`, run failed tests again, report, and return the exit status."""
    logs, kept = output / "test", output / "unsteady"
    for folder in (logs, kept):
        shutil.rmtree(folder, ignore_errors=True)
    logs.mkdir(parents=True)
    report, history = Report(), History()
    schedule = Schedule(logs, history, report.began, report.ended)
    unsteady: list[again.Unsteady] = []
    try:
        done = schedule.run(steps)
        for first in done:
            if step := again.selection(first, logs):
                [second] = schedule.run([step])
                unsteady += again.settle(first, second, history, kept)
    except Interrupted as signal:
        print(f"The run was ended by {signal}, and with it all that ran.", file=sys.stderr)
        return BY_SIGNAL + signal.number
    return 0 if report.last(done, unsteady, history) else 1


if __name__ == "__main__":
    sys.exit(run(plan.steps(), OUTPUT))
