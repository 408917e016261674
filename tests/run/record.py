"""What a suite writes of its tests, a line of JSON each, in the file that RECORD names.

    {"began": true}                     a program that runs tests has begun
    {"test": …, "outcome": "passed"}    or "skipped", or "failed" with
        "again": …, "text": …           what would show whether it passes, or "", and what it said
    {"ended": 0, "early": ""}           exit status, and why tests were left out, if any were
    {"nothing": …}                      why the suite has nothing to run here

ONLY names a file with a list of what alone has to run: the values of "again". `webui/build` and
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
    """Return what alone has to run, or None where all of it has."""
    path = os.environ.get(ONLY)
    return frozenset(json.loads(Path(path).read_text())) if path else None
