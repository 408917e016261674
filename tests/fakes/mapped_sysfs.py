"""The folder of each mapped device in sysfs: a view of `fakes.mapper`.

It is mounted and not placed, since numbers of devices follow from history, and two machines of the
same state are compared by their files.
"""

from __future__ import annotations

import errno
import re

from fakes.device_counters import ReadOnly
from fakes.disks import FakeDisks
from fakes.files import Directory, Node, Text
from fakes.mapper import FakeMapper
from sanstone.kernel.host import FileError

PLACES = ("/sys/block/dm-", "/sys/class/block/dm-")
READ_AHEAD = "queue/read_ahead_kb"
_PATH = re.compile(r"/sys/(?:class/)?block/(dm-\d+)(?:/(.*))?")


class MappedSysfs(ReadOnly):
    """/sys/block/dm-<n>: its limits, as of the disks below, and the devices below it."""

    def __init__(self, mapper: FakeMapper, disks: FakeDisks) -> None:
        self._mapper, self._disks = mapper, disks

    def node(self, path: str) -> Node | None:
        """Return a directory or attribute."""
        place = _PATH.fullmatch(path)
        if place is None or not self._mapper.is_there(place[1]):
            return None
        kernel_name, attribute = place[1], place[2] or ""
        if attribute in ("", "queue", "dm", "slaves", "holders"):
            return Directory()
        if attribute.startswith("slaves/"):
            is_slave = attribute.removeprefix("slaves/") in self._mapper.slaves(kernel_name)
            return Directory() if is_slave else None
        text = self._attributes(kernel_name).get(attribute)
        return None if text is None else Text(f"{text}\n")

    def listdir(self, path: str) -> list[str]:
        """Return the devices below a device, or those that have it open."""
        place = _PATH.fullmatch(path)
        if place is None or not self._mapper.is_there(place[1]):
            raise FileError("list", path, errno.ENOENT)
        if place[2] == "slaves":
            return self._mapper.slaves(place[1])
        if place[2] == "holders":
            return [self._disks.members[place[1]]] if place[1] in self._disks.members else []
        raise FileError("list", path, errno.ENOTDIR)

    def write(self, path: str, text: str) -> None:
        """Set how far the kernel reads ahead."""
        place = _PATH.fullmatch(path)
        if place is None or place[2] != READ_AHEAD:
            raise FileError("write", path, errno.EACCES)
        self._mapper.set_read_ahead(place[1], int(text))

    def _attributes(self, kernel_name: str) -> dict[str, str]:
        texts = self._mapper.attributes(kernel_name)
        disk = self._disks.find(kernel_name)
        if disk:
            texts |= {
                "queue/logical_block_size": str(disk.logical_block_size),
                "queue/rotational": str(int(disk.rotational)),
                "queue/write_zeroes_max_bytes": str(2**31 - 512 if disk.zeroes_itself else 0),
            }
        return texts
