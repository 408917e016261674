"""Waiting until the disks of a machine that was just started are there.

A driver for SCSI looks for its disks beside everything else, but the loading of its module ends
only when that has ended (Linux: kernel/module/main.c, async_synchronize_full in do_init_module), as
does the kernel's own start where it is built in. udev has modules loaded, and `udevadm settle`
waits for that. What comes later, without udev having anything to do meanwhile (NVMe, disks behind
SAS expanders, Fibre Channel, USB), shows by the kernel's list of disks changing: it has to stay the
same for a while. That is a guess, as short as an array's first boot should be.
"""

from __future__ import annotations

import time
from contextlib import suppress

from sanstone.kernel.host import CommandError, Host
from sanstone.kernel.storage import block

QUIET, QUIET_WITHOUT_DISKS = 3.0, 10.0
"""Seconds in which nothing has to change, with at least one disk and without any."""
LONGEST = 60.0
"""Seconds after which it is gone on with what there is."""
_PAUSE = 1.0


def wait(host: Host) -> None:
    """Return when no more disks come, or after LONGEST. Raises FileError."""
    began = since = time.monotonic()
    present: list[str] | None = None
    while True:
        # A queue of udev's that is never empty, as a broken disk can cause, is none to wait for.
        with suppress(CommandError):
            host.commands.run(["udevadm", "settle", f"--timeout={LONGEST:.0f}"])
        before, present = present, block.listed(host)
        now = time.monotonic()
        if present != before:
            since = now
        if now - since >= (QUIET if present else QUIET_WITHOUT_DISKS) or now - began >= LONGEST:
            return
        time.sleep(_PAUSE)
