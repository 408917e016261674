"""When the machine that tests run on stood still: then all that waited gave up at once.

A virtual machine may be held for minutes, and time has passed on its clocks when it goes on. Each
watchdog in each machine of the lab ends its service then, which looks like a fault of the product.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

LOOK_SECONDS = 1.0
MOST_SECONDS = 10.0
"""A thread that sleeps gets to run later than this on no busy machine that runs at all."""
STOLEN = 8
"""Where /proc/stat says how long another machine had the processors (proc(5))."""


class Watch:
    """Notices standstills from its creation on, in a thread that ends with the process."""

    def __init__(self) -> None:
        self._noticed: list[str] = []
        threading.Thread(target=self._look, name="standstill", daemon=True).start()

    def report(self) -> str:
        """Return each standstill with its end, in seconds, and the time stolen since the boot."""
        with Path("/proc/stat").open() as counters:
            stolen = int(counters.readline().split()[STOLEN])
        return "\n".join([*self._noticed, f"stolen: {stolen} ticks of 10 ms"])

    def _look(self) -> None:
        before = time.monotonic()
        while True:
            time.sleep(LOOK_SECONDS)
            now = time.monotonic()
            if now - before > MOST_SECONDS:
                self._noticed.append(f"stood still for {now - before:.0f} s until {time.ctime()}")
            before = now
