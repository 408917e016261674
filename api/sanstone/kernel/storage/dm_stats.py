"""I/O statistics of exported devices, from device-mapper.

Each exported device has a region (Documentation/admin-guide/device-mapper/statistics.rst), longer
than the largest device, so that it need not be replaced when the device grows. It counts in
nanoseconds and by latency. Reading clears it, so that nothing is counted twice, even by a process
that was restarted.

Traps: `@stats_print` gives sectors of 512 bytes whatever the block size; a discard counts as a
write; flushes without data are not counted; only bio-based devices have regions, which all of ours
are. A region is lost with its device, including counters not yet read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError

SECTOR = 512
PROGRAM = "sanstone"
SECTORS = 2**40
"""Length of a region: more sectors than any device has."""


@dataclass(frozen=True)
class Counted:
    """Counters since the last reading; times in nanoseconds, `histogram` by latency."""

    reads: int
    read_bytes: int
    read_ns: int
    writes: int
    written_bytes: int
    write_ns: int
    histogram: tuple[int, ...]


def ensure_region(host: Host, uuid: str, bounds_us: Sequence[int]) -> int:
    """Return the number of a device's region, which is created if missing. Raises RequestError.

    `bounds_us` are the upper bounds of the histogram, in microseconds.
    """
    name = names.device(uuid)
    bounds = ",".join(str(bound * 1000) for bound in bounds_us)
    for line in host.mapper.message(name, f"@stats_list {PROGRAM}").splitlines():
        number, _, rest = line.partition(":")
        if f"0+{SECTORS} " in rest and rest.rstrip().endswith(f"histogram:{bounds}"):
            return int(number)
        host.mapper.message(name, f"@stats_delete {number}")
    options = f"2 precise_timestamps histogram:{bounds}"
    region = host.mapper.message(name, f"@stats_create 0+{SECTORS} /1 {options} {PROGRAM} -")
    return int(region)


def take(host: Host, uuid: str, region: int) -> Counted:
    """Return and clear the counters of a device. Raises RequestError, HostError."""
    answer = host.mapper.message(names.device(uuid), f"@stats_print_clear {region}")
    words = answer.split()
    if len(words) < 15 or not all(re.fullmatch(r"[0-9]+", word) for word in words[1:14]):
        raise HostError(f"{names.device(uuid)}: unexpected statistics: {answer!r}")
    counters = [int(word) for word in words[1:14]]
    return Counted(
        reads=counters[0],
        read_bytes=counters[2] * SECTOR,
        read_ns=counters[3],
        writes=counters[4],
        written_bytes=counters[6] * SECTOR,
        write_ns=counters[7],
        histogram=tuple(int(count) for count in words[14].split(":")),
    )
