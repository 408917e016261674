"""Wait until the disks of a machine that has just started have appeared.

A SCSI driver scans for its disks in the background, but the loading of its module ends only when
the scan has ended (Linux: kernel/module/main.c, async_synchronize_full in do_init_module), as does
the kernel's own start for a built-in driver. udev loads modules, and `udevadm settle` waits for
that. Disks that appear later, while udev is idle (NVMe, disks behind SAS expanders, Fibre Channel,
USB), change the kernel's list of disks: it must stay the same for a while. That time is a guess,
kept short for an array's first boot.
"""

from __future__ import annotations

import time
from contextlib import suppress

from sanstone.kernel.host import CommandError, Host
from sanstone.kernel.storage import block

QUIET, QUIET_WITHOUT_DISKS = 3.0, 10.0
"""Seconds without a change, with at least one disk and without any."""
LONGEST = 60.0
"""Seconds after which to continue with the disks present."""
_PAUSE = 1.0


def wait(host: Host) -> None:
    """Wait until no more disks appear, or for LONGEST. Raises FileError."""
    began = since = time.monotonic()
    present: list[str] | None = None
    while True:
        # A broken disk can keep udev's queue from ever becoming empty: do not wait for it.
        with suppress(CommandError):
            host.commands.run(["udevadm", "settle", f"--timeout={LONGEST:.0f}"])
        before, present = present, block.listed(host)
        now = time.monotonic()
        if present != before:
            since = now
        if now - since >= (QUIET if present else QUIET_WITHOUT_DISKS) or now - began >= LONGEST:
            return
        time.sleep(_PAUSE)
