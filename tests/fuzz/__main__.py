"""`python -m fuzz`: what `make fuzz` runs.

Sequences have the seeds SEED, SEED + 1 and so on, until REQUESTS were sent. With JOBS, each process
takes every JOBS-th seed. A line each minute tells what was sent; the exit status is 1 when
something failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import secrets
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import garbage

from fuzz.array import FuzzedArray, fuzzed_array
from fuzz.run import run

PERIOD = 60.0
"""Seconds between two lines."""


def main() -> int:
    """Fuzz, in one process or in several."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Fuzzes Sanstone's API.")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--requests", type=int, default=0, help="0 for ever")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--go-on", action="store_true", help="after a failure, too")
    options = parser.parse_args()
    print(f"SEED={options.seed}", flush=True)
    share = -(-options.requests // options.jobs)
    arguments = [
        (options.seed + job, options.jobs, share, options.go_on) for job in range(options.jobs)
    ]
    if options.jobs == 1:
        return fuzz(*arguments[0])
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        return max(pool.starmap(fuzz, arguments))


def fuzz(seed: int, step: int, requests: int, go_on: bool) -> int:
    """Run sequences from a seed on; return the exit status."""
    failures = 0
    garbage.collect_rarely()
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-") as place,
        fuzzed_array(Path(place)) as array,
    ):
        begun, told, sequences = time.perf_counter(), time.perf_counter(), 0
        while not requests or array.sent.total() < requests:
            failure = run(array, seed)
            seed, sequences = seed + step, sequences + 1
            if failure:
                failures += 1
                print(failure, flush=True)
                if not go_on:
                    break
            if time.perf_counter() - told > PERIOD:
                told = time.perf_counter()
                print(_line(array, sequences, failures, told - begun), flush=True)
        print(_line(array, sequences, failures, time.perf_counter() - begun), flush=True)
    return 1 if failures else 0


def _line(array: FuzzedArray, sequences: int, failures: int, seconds: float) -> str:
    """Return what was sent so far."""
    counts: Counter[str] = Counter()
    for (_, method, status), number in array.sent.items():
        counts[f"{method} {status // 100}xx"] += number
    drawn = sum(n for (actor, _, _), n in array.sent.items() if actor != "ours")
    told = "  ".join(f"{what}: {number}" for what, number in sorted(counts.items()))
    total = array.sent.total()
    rate, core = total / seconds, time.process_time()
    return (
        f"{seconds:6.0f} s ({core:.0f} s of a core)  {total} requests ({drawn} drawn) "
        f"in {sequences} sequences, {rate:.0f} per s, {failures} failures  {told}"
    )


if __name__ == "__main__":
    sys.exit(main())
