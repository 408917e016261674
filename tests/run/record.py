"""The record of a suite: a line of JSON for each test, in the file that RECORD names.

    {"began": true}                     a program that runs tests has begun
    {"test": …, "outcome": "passed"}    or "skipped", or "failed" with
        "again": …, "text": …           the test or file to run again, or "", and its output
    {"ended": 0, "early": ""}           exit status, and why tests were left out, if any were
    {"nothing": …}                      why the suite has nothing to run here

ONLY names a file with a list of the only tests to run: the values of "again". `webui/build` and
`tests/webui` write and read the same.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

RECORD = "SANSTONE_TEST_RECORD"
ONLY = "SANSTONE_TEST_ONLY"


def append(**fields: object) -> None:
    """Write a line, with its time, where somebody wants a record."""
    if path := os.environ.get(RECORD):
        with Path(path).open("a") as file:
            file.write(json.dumps({**fields, "at": time.time()}) + "\n")


def only() -> frozenset[str] | None:
    """Return the only tests to run, or None where all run."""
    path = os.environ.get(ONLY)
    return frozenset(json.loads(Path(path).read_text())) if path else None
