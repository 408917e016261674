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
from pathlib import Path

from fuzz.part import Part, fuzz


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


if __name__ == "__main__":
    sys.exit(main())
