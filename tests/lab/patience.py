"""Waits for something that is bound to happen, whenever that is: a test is no stopwatch.

Machines are patient too, wherever a limit of theirs would take one that gets no processor for one
that hangs: PARAMETERS, and `guest/*/usr/lib/systemd`. A path is given up as soon as on other hosts,
since nothing is lost with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

SECONDS = 600.0
"""The limit of every wait. It decides nothing but when a hang ends: a machine of the lab may get no
processor for minutes."""
PARAMETERS = (
    "systemd.service_watchdogs=no",
    # Keep-alives notice that the array is away.
    f"nvme_core.io_timeout={SECONDS:.0f}",
)
"""Parameters of the kernels of the lab's machines."""
PRESSURE = Path("/proc/pressure/cpu")
COUNTS = 0.25
"""How much a second counts in which a process waited for a processor."""
SHORTEST, LONGEST, GROWTH = 0.1, 1.5, 1.5
"""Seconds between looks, and how they grow: to look is work, and a machine may be busy enough."""


def now() -> float:
    """Return the seconds since some moment; those of a busy machine count less, by COUNTS.

    All of them count where the kernel does not measure that (Documentation/accounting/psi.rst).
    """
    waited = 0.0
    if PRESSURE.exists():
        waited = int(PRESSURE.read_text().partition("total=")[2].split()[0]) / 1e6
    return time.monotonic() - (1 - COUNTS) * waited


def eventually(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until `condition()` is true. Raises AssertionError when it never becomes so."""
    deadline = now() + seconds
    pause = SHORTEST
    while not condition():
        assert now() < deadline, "it did not happen"
        time.sleep(pause)
        pause = min(LONGEST, pause * GROWTH)
