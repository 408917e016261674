"""`api_memory` without a machine: `python -m bench.in_process_memory [REQUESTS]`.

The array is that of `in_process`, so that all of the process's memory is the API's and the kernel's
in memory, which no request of these comes to.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from simulator import simulated

from bench import api_memory
from bench.clients import CLIENTS
from bench.in_process import Client, fill, jobs_end_at_once
from bench.report import save, table

LUNS = 10
"""Fewer than there: a leak of a request shows with few rows, and many take hours."""


def anonymous() -> int:
    """Return the bytes of this process that are no file's."""
    status = Path("/proc/self/status").read_text()
    [kibibytes] = re.findall(r"RssAnon:\s*(\d+) kB", status)
    return int(kibibytes) * 1024


def main() -> None:
    """Measure, print the table, and keep it where `make bench` keeps its own."""
    requests = int(sys.argv[1]) if sys.argv[1:] else api_memory.REQUESTS
    with tempfile.TemporaryDirectory() as folder, simulated(Path(folder)) as array:
        fill(array, LUNS)
        sessions = [Client(array) for _ in range(CLIENTS)]
        with jobs_end_at_once(array):
            lines = list(
                api_memory.growth(
                    "memory of the API in one process",
                    anonymous,
                    lambda number: api_memory.ask(sessions, number),
                    requests,
                )
            )
    print(table(lines))
    print(f"\nAlso in {save({}, lines)}")


if __name__ == "__main__":
    main()
