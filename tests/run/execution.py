"""One step in its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from run import record
from run.outcome import Outcome, read
from run.plan import Step

KEEPER = str(Path(__file__).with_name("keeper.py"))


@dataclass
class Done:
    """How a step ended, with the seconds that it took; `faults` are not those of a test."""

    step: Step
    log: Path
    started: bool = True
    seconds: float = 0
    processor: float = 0
    outcome: Outcome = field(default_factory=Outcome)
    faults: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults and not self.outcome.failed


class Running:
    """A step that runs, and writes its output and the record of its tests to `folder`."""

    def __init__(self, step: Step, folder: Path) -> None:
        self.step = step
        self.log = folder / f"{step.name}.log"
        self._record = folder / f"{step.name}.record"
        self._began = time.monotonic()
        environment = {**os.environ, record.RECORD: str(self._record.absolute())}
        environment.pop(record.ONLY, None)
        if step.only:
            environment[record.ONLY] = str(step.only.absolute())
        keeper = [sys.executable, "-I", KEEPER, str(step.kind.nice), *step.command]
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                keeper,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
            )
        self.handle = os.pidfd_open(self._process.pid)

    def end(self) -> None:
        """Ask it to end with all that it started."""
        self._process.terminate()

    def wait(self) -> Done:
        """Return how it ended, once it has."""
        _, status, used = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        os.close(self.handle)
        outcome = read(self._record) if self.step.tests else Outcome()
        return Done(
            self.step,
            self.log,
            seconds=time.monotonic() - self._began,
            processor=used.ru_utime + used.ru_stime,
            outcome=outcome,
            faults=[*_of_status(self._process.returncode, outcome), *outcome.faults],
        )


def _of_status(status: int, outcome: Outcome) -> list[str]:
    """Return the faults that an exit status shows beside the tests that failed."""
    if status < 0:
        return [f"ended by {signal.Signals(-status).name}"]
    return [f"exit status {status}"] if status and not outcome.failed else []
