"""PDUs that no host sends, for the array's targets: drawn by a seed, so that a failure comes again.

With the modules beside it it is a program of Python's standard library alone, for a machine that
reaches the targets:

    python3 play.py SEED CASES PLACES

PLACES are, in JSON, {"nvme": [PORTAL, SUBSYSTEM, HOST], "iscsi": [PORTAL, TARGET, INITIATOR]}, with
a host and an initiator that are let in. A case is a connection of one protocol: it begins as a
host's does, goes on for some steps, each perhaps wrong in one of several ways, and is then left.
Answers are read and not judged. After some cases a host runs discovery at both targets. The program
prints the number of cases when it ends, and the last one where a target does not answer.
"""

from __future__ import annotations

import json
import random
import sys
from types import ModuleType

import iscsi_pdus
import nvme_pdus
from wire import Closed

CASES_BETWEEN = 25
"""Cases between two checks whether the targets serve."""
PROTOCOLS: dict[str, ModuleType] = {"nvme": nvme_pdus, "iscsi": iscsi_pdus}


def run(seed: int, cases: int, places: dict[str, list[str]]) -> None:
    """Play so many cases. Raises RuntimeError where a target does not serve any more."""
    for number in range(cases):
        draw = random.Random(f"{seed}.{number}")
        protocol = draw.choice(sorted(places))
        try:
            PROTOCOLS[protocol].case(places[protocol], draw)
        except Closed:
            pass
        except (OSError, ValueError) as error:
            raise RuntimeError(f"seed {seed}, case {number}: {error!r}") from error
        if number % CASES_BETWEEN and number + 1 < cases:
            continue
        for name, place in places.items():
            try:
                PROTOCOLS[name].discover(place)
            except (Closed, OSError, ValueError) as error:
                raise RuntimeError(f"seed {seed}, by case {number}: {name}: {error!r}") from error


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]))
    print(f"{sys.argv[2]} cases")
