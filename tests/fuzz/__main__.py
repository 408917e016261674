"""`python -m fuzz`: the program of `make fuzz`.

Sequences have the seeds SEED, SEED + 1 and so on: RUNS of them, or until REQUESTS were sent. With
JOBS, each process takes every JOBS-th seed. A line each minute counts the requests; the exit status
is 1 when something failed.

With a LOG a run may be ended at any time, and started again by the same command: sequences that
have passed are left out then, and counted (see `log`).
"""

from __future__ import annotations

import argparse
import multiprocessing
import secrets
import sys
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


def main() -> int:
    """Fuzz, in one process or in several."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Fuzzes Sanstone's API.")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--runs", type=int, default=0, help="sequences; 0 for ever")
    parser.add_argument("--requests", type=int, default=0, help="0 for ever")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log", type=Path, help="of passed sequences, which are left out")
    parser.add_argument("--go-on", action="store_true", help="after a failure, too")
    options = parser.parse_args()
    print(f"SEED={options.seed}", flush=True)
    end = options.seed + options.runs if options.runs else 0
    share = -(-options.requests // options.jobs)
    parts = [
        Part(options.seed + job, options.jobs, end, share, options.log, options.go_on)
        for job in range(options.jobs)
    ]
    if options.jobs == 1:
        return fuzz(parts[0])
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        return max(pool.map(fuzz, parts))


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


if __name__ == "__main__":
    sys.exit(main())
