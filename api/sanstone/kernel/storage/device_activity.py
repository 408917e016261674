"""Exported devices with I/O since the last look.

One read of `/proc/diskstats` is enough for all of them (block/genhd.c, diskstats_show; dm-table.c
sets BLK_FEAT_IO_STAT, so mapped devices are in it with their counters). A device whose line is
unchanged was idle. So thousands of idle devices cost one read and a comparison of lines, and only
active ones are queried further.

Traps: dm counts an I/O here just before it counts it in its own statistics (dm.c, dm_io_acct), so
that an I/O that ends between both is reported once more, with the device's next I/O, and never
lost. A device that takes over the number of a removed one, both without any I/O, is not reported.
"""

from __future__ import annotations

from sanstone.kernel import names
from sanstone.kernel.host import FileError, Host

DISKSTATS = "/proc/diskstats"
MAPPED = "/sys/devices/virtual/block"


class DeviceActivity:
    """Keeps the counters of the last look. The first look reports every device."""

    def __init__(self) -> None:
        self._lines: set[str] = set()

    def since_last(self, host: Host) -> set[str]:
        """Return the UUIDs of exported devices that did I/O, or are new. Raises FileError."""
        lines = set(host.files.read(DISKSTATS).splitlines())
        changed, self._lines = lines - self._lines, lines
        # Fields of a line: major, minor, name, counters.
        devices = (line.split(maxsplit=3)[2] for line in changed)
        uuids = {_uuid(host, device) for device in devices if device.startswith("dm-")}
        return uuids - {""}


def _uuid(host: Host, device: str) -> str:
    """Return the UUID of an exported device, '' for any other, or one just removed."""
    try:
        return names.uuid_of_device(host.files.read(f"{MAPPED}/{device}/dm/uuid"))
    except FileError:
        return ""
