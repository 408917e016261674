"""/proc/diskstats, sysfs and udev's database about disks and mapped devices: read-only views.

They are mounted and not placed, since numbers of devices follow from history, and two machines of
the same state are compared by their files.
"""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod

from fakes.disks import SCSI_MAJOR, FakeDisks
from fakes.files import Directory, Node, Text
from fakes.mapper import MAJOR, FakeMapper
from sanstone.kernel.host import FileError
from sanstone.kernel.storage.device_activity import DISKSTATS, MAPPED

UDEV = "/run/udev/data"


class ReadOnly(ABC):
    """A file system in which nobody changes anything."""

    @abstractmethod
    def node(self, path: str) -> Node | None:
        """Return the node at a path."""

    def read(self, path: str) -> str:
        """Return a file's text."""
        node = self.node(path)
        if not isinstance(node, Text):
            raise FileError("read", path, errno.EISDIR if node else errno.ENOENT)
        return node.text

    def write(self, path: str, text: str) -> None:
        """Refuse."""
        raise FileError("write", path, errno.EACCES)

    def listdir(self, path: str) -> list[str]:
        """Refuse: nothing lists these."""
        raise FileError("list", path, errno.ENOTDIR)

    def mkdir(self, path: str) -> None:
        """Refuse."""
        raise FileError("mkdir", path, errno.EPERM)

    def rmdir(self, path: str) -> None:
        """Refuse."""
        raise FileError("rmdir", path, errno.EPERM)

    def symlink(self, target: str, path: str) -> None:
        """Refuse."""
        raise FileError("symlink", path, errno.EPERM)

    def unlink(self, path: str) -> None:
        """Refuse."""
        raise FileError("unlink", path, errno.EPERM)


class DiskStatistics(ReadOnly):
    """/proc/diskstats, with disks, mapped devices and the first eight counters of each."""

    def __init__(self, mapper: FakeMapper, disks: FakeDisks) -> None:
        self._mapper, self._disks = mapper, disks

    def node(self, path: str) -> Node | None:
        """Return the file."""
        if path != DISKSTATS:
            return None
        disks = [
            f"{SCSI_MAJOR:4} {number:7} {name} {' '.join(map(str, disk.io))}\n"
            for number, (name, disk) in enumerate(self._disks.present.items())
        ]
        mapped = [
            f"{MAJOR:4} {number:7} dm-{number} {' '.join(map(str, counters))}\n"
            for number, counters in self._mapper.io_counters().items()
        ]
        return Text("".join((*disks, *mapped)))


class MappedAttributes(ReadOnly):
    """/sys/devices/virtual/block/dm-<n>/dm/uuid (drivers/md/dm-sysfs.c)."""

    def __init__(self, mapper: FakeMapper) -> None:
        self._mapper = mapper

    def node(self, path: str) -> Node | None:
        """Return the attribute."""
        if path == MAPPED:
            return Directory()
        devices = {f"{MAPPED}/dm-{d.minor}/dm/uuid": d.uuid for d in self._mapper.devices()}
        return Text(f"{devices[path]}\n") if path in devices else None


class UdevDatabase(ReadOnly):
    """udev's file about each mapped device that was announced to it (systemd's sd-device.c)."""

    def __init__(self, mapper: FakeMapper) -> None:
        self._mapper = mapper

    def node(self, path: str) -> Node | None:
        """Return the file, without udev's findings."""
        if path == UDEV:
            return Directory()
        known = {f"{UDEV}/b{d.major}:{d.minor}" for d in self._mapper.announced()}
        return Text("") if path in known else None
