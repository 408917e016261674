"""The load of the processors: sampled, so that the report has it for any moment of a run."""

from __future__ import annotations

import bisect
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PERIOD = 10
"""Seconds between samples."""
MINUTE = 60
# Fields of /proc/stat (proc(5)).
IDLE, WAITING, STOLEN = 3, 4, 7
COUNTED = 8
"""Of the fields; guests' time is part of those before."""


@dataclass(frozen=True)
class Sample:
    """Counters of the processors at a time, the averages of the load, and which steps ran."""

    at: float
    ticks: tuple[int, ...]
    averages: str
    pressure: str
    steps: tuple[str, ...]


def sample(steps: Sequence[str]) -> Sample:
    """Return the kernel's counters of now; `steps` are those that run."""
    with Path("/proc/stat").open() as file:
        ticks = tuple(int(word) for word in file.readline().split()[1 : 1 + COUNTED])
    # Documentation/accounting/psi.rst; not every kernel has it.
    pressures = sorted(Path("/proc/pressure").glob("*"))
    pressure = "\n".join(f"{path.name} {_first_line(path)}" for path in pressures)
    averages = Path("/proc/loadavg").read_text().strip()
    return Sample(time.time(), ticks, averages, pressure, tuple(steps))


def shares(first: Sample, last: Sample) -> tuple[float, float]:
    """Return which parts of the processors' time between two samples were idle and stolen."""
    passed = [after - before for before, after in zip(first.ticks, last.ticks, strict=True)]
    total = sum(passed) or 1
    return (passed[IDLE] + passed[WAITING]) / total, passed[STOLEN] / total


class History:
    """The samples of a run."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    def add(self, each: Sample) -> None:
        """Take in a sample, later than those before."""
        self.samples.append(each)

    def last_minute(self, at: float) -> str:
        """Describe the load in the minute that ends with the first sample after `at`."""
        times = [each.at for each in self.samples]
        last = min(bisect.bisect_left(times, at), len(times) - 1)
        first = max(bisect.bisect_right(times, times[last] - MINUTE) - 1, 0)
        idle, stolen = shares(self.samples[first], self.samples[last])
        there = self.samples[last]
        return "\n".join(
            [
                time.strftime("%H:%M:%S", time.localtime(at)),
                f"steps that ran: {', '.join(there.steps)}",
                f"load: {there.averages}",
                f"the minute before: {idle:.0%} idle, {stolen:.0%} stolen",
                there.pressure,
                "",
            ]
        )


def _first_line(path: Path) -> str:
    try:
        return path.read_text().partition("\n")[0]
    except OSError as error:
        # The kernel may have the file and not the measurement.
        return str(error.strerror)
