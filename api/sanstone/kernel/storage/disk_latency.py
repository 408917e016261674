"""How many requests disks have served, and how long these took, from /proc/diskstats.

The kernel counts the milliseconds from the beginning of a request to its end, summed over all
(Documentation/admin-guide/iostats.rst, fields 4 and 8), so that two readings tell how long one
took on average between them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sanstone.kernel.host import Host
from sanstone.kernel.storage.device_activity import DISKSTATS

_NAME, _READS, _READING, _WRITES, _WRITING = 2, 3, 6, 7, 10
"""Fields of a line, from 0: the name, and of reads and writes how many and how long."""


class Served(NamedTuple):
    """Reads and writes of a disk since the machine started, and the milliseconds that all took."""

    requests: int
    milliseconds: int


def served(host: Host, disks: Collection[str]) -> dict[str, Served]:
    """Return by name what these disks ("sda") have served, of those there are. Raises FileError."""
    lines = [line.split() for line in host.files.read(DISKSTATS).splitlines()]
    return {
        line[_NAME]: Served(
            int(line[_READS]) + int(line[_WRITES]), int(line[_READING]) + int(line[_WRITING])
        )
        for line in lines
        if line[_NAME] in disks
    }
