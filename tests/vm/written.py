"""Data that a host wrote, with a check whether they are still there."""

from __future__ import annotations

from collections.abc import Callable

from lab.station import Host

_WRITE = "dd if=/dev/urandom of={} bs=1M count=16 oflag=direct conv=fsync status=none"
_READ = "dd if={} bs=1M count=16 iflag=direct status=none | sha256sum"


def write(host: Host, device: str) -> Callable[[], bool]:
    """Write to the first 16 MiB of a device. Return the question whether the host reads it again.

    Where the paths come back soon, the host waits for them.
    """
    host.run(_WRITE.format(device))
    read = _READ.format(device)
    written = host.run(read)
    return lambda: host.run(read) == written
