"""A part of a run of the fuzzer: the sequences that one process runs.

It is a module apart from the program, since the processes of a pool import by name what they run,
and a package's `__main__` has no name to import.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import garbage

from fuzz import log
from fuzz.array import FuzzedArray, fuzzed_array
from fuzz.request import shortened
from fuzz.run import Failure, run

PERIOD = 60.0
"""Seconds between two lines."""


@dataclass(frozen=True)
class Part:
    """The part of a run that a process does.

    It takes every `step`-th sequence from `seed` to before `end`, until `requests` were sent; 0 for
    either sets no bound. With `go_on` a failure does not end it.
    """

    seed: int
    step: int = 1
    end: int = 0
    requests: int = 0
    log: Path | None = None
    go_on: bool = False

    def seeds(self) -> Iterator[int]:
        """Return the seeds of its sequences."""
        return (
            iter(range(self.seed, self.end, self.step)) if self.end else count(self.seed, self.step)
        )


def fuzz(part: Part) -> int:
    """Run the sequences of a part; return the exit status."""
    passed = log.passed(part.log) if part.log else {}
    failures = 0
    garbage.collect_rarely()
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-") as place,
        fuzzed_array(Path(place)) as array,
    ):
        start, reported, sequences, before = time.perf_counter(), time.perf_counter(), 0, 0
        for seed in part.seeds():
            if part.requests and before + array.sent.total() >= part.requests:
                break
            if seed in passed:
                before += passed[seed]
                continue
            sequences += 1
            if failure := _logged(array, seed, part.log):
                failures += 1
                print(failure, flush=True)
                if not part.go_on:
                    break
            if time.perf_counter() - reported > PERIOD:
                reported = time.perf_counter()
                print(_line(array, sequences, failures, reported - start), flush=True)
        print(_line(array, sequences, failures, time.perf_counter() - start), flush=True)
    return 1 if failures else 0


def _logged(array: FuzzedArray, seed: int, file: Path | None) -> Failure | None:
    """Run a sequence, and log how it ended."""
    sent, core = array.sent.total(), time.process_time()
    array.called_for.clear()
    failure = run(array, seed)
    if file:
        outcome = log.FAILED if failure else log.PASSED
        took = f"{time.process_time() - core:.1f} s of a core"
        message = (shortened(failure.message),) if failure else ()
        log.add(file, seed, array.sent.total() - sent, outcome, (took, *message, *array.called_for))
    return failure


def _line(array: FuzzedArray, sequences: int, failures: int, seconds: float) -> str:
    """Return the counts of requests so far."""
    counts: Counter[str] = Counter()
    for (_, method, status), number in array.sent.items():
        counts[f"{method} {status // 100}xx"] += number
    drawn = sum(n for (actor, _, _), n in array.sent.items() if actor != "ours")
    sent = "  ".join(f"{what}: {number}" for what, number in sorted(counts.items()))
    total = array.sent.total()
    rate, core = total / seconds, time.process_time()
    return (
        f"{seconds:6.0f} s ({core:.0f} s of a core)  {total} requests ({drawn} drawn) "
        f"in {sequences} sequences, {rate:.0f} per s, {failures} failures  {sent}"
    )
