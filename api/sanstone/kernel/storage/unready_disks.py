"""SCSI disks that did not tell their size when the kernel found them, and so are not listed.

One that sanitizes itself tells none (SBC-4: of READ CAPACITY it says that it is not ready), and the
kernel does not ask again by itself. A write of `rescan` has it do so (drivers/scsi/scsi_sysfs.c,
store_rescan_field). A card reader without a card is such a disk, too, and stays one.
"""

from __future__ import annotations

import re

from sanstone.kernel.host import Host

_SCSI_DISK = re.compile(r"sd[a-z]+")


def ask_again(host: Host) -> None:
    """Have the kernel ask each of them for its size. Raises FileError."""
    for name in host.files.listdir("/sys/block"):
        size = f"/sys/block/{name}/size"
        if _SCSI_DISK.fullmatch(name) and host.files.exists(size) and host.files.read(size) == "0":
            host.files.write(f"/sys/block/{name}/device/rescan", "1")
