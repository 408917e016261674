"""Bytes written to disks since the machine started, from /proc/diskstats.

Clearing a range counts like writing it (block/blk-mq.c, blk_account_io_completion, by the length of
the request), so that this shows the progress of a disk that clears itself.
"""

from __future__ import annotations

from collections.abc import Collection

from sanstone.kernel.host import Host
from sanstone.kernel.storage.device_activity import DISKSTATS

SECTOR = 512
_NAME, _SECTORS_WRITTEN = 2, 9
"""Fields of a line, from 0 (Documentation/admin-guide/iostats.rst)."""


def written(host: Host, disks: Collection[str]) -> int:
    """Return the bytes written to all of these disks ("sda"). Raises FileError."""
    lines = [line.split() for line in host.files.read(DISKSTATS).splitlines()]
    return sum(int(line[_SECTORS_WRITTEN]) * SECTOR for line in lines if line[_NAME] in disks)
