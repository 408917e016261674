"""Runs in the array: prints its load without requests for SECONDS, in percent of one processor.

    idle.py SECONDS

`machine` is by /proc/stat, without this program's own time, `units` by the control groups'
`cpu.stat`. `longest` is the longest time during which the reconciler's loop was at work at each
look, in seconds: about a turn's, by the state of its main thread (proc_pid_stat(5)).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

LOOK = 0.02
UNITS = ("sanstone-reconciler", "sanstone-api", "sanstone-sampler")
HERTZ = os.sysconf("SC_CLK_TCK")


def busy() -> float:
    """Return the seconds in which a processor worked since the boot, without this program."""
    user, nice, system, _idle, _wait, *interrupts = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    )
    return (user + nice + system + sum(interrupts)) / HERTZ - time.process_time()


def of_unit(unit: str) -> float:
    """Return the processor's seconds that a service took."""
    shown = subprocess.run(
        ["systemctl", "show", "--value", "-p", "CPUUsageNSec", unit],
        check=True,
        capture_output=True,
        text=True,
    )
    return int(shown.stdout) / 1e9


def main(seconds: float) -> None:
    """Sample the load, and print it."""
    shown = ["systemctl", "show", "--value", "-p", "MainPID", UNITS[0]]
    loop = int(subprocess.run(shown, check=True, capture_output=True, text=True).stdout)
    state = Path(f"/proc/{loop}/task/{loop}/stat")
    units = {unit: of_unit(unit) for unit in UNITS}
    before, start = busy(), time.monotonic()
    longest, since = 0.0, start
    while time.monotonic() < start + seconds:
        if state.read_text().rpartition(")")[2].split()[0] == "S":
            since = time.monotonic()
        longest = max(longest, time.monotonic() - since)
        time.sleep(LOOK)
    spent = time.monotonic() - start
    print(
        json.dumps(
            {
                "machine": (busy() - before) / spent * 100,
                "units": {u: (of_unit(u) - units[u]) / spent * 100 for u in UNITS},
                "longest": longest,
            }
        )
    )


main(float(sys.argv[1]))
