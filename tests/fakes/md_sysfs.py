"""/sys/block/md_sanstone-*: what is read lies in memory, what is written has md do something."""

from __future__ import annotations

import errno
import re

from fakes.device_counters import ReadOnly
from fakes.files import FileSystem, Node
from fakes.md import FakeArrays
from sanstone.kernel.host import FileError

PLACE = "/sys/block/md_sanstone-"
_ATTRIBUTE = re.compile(r"/sys/block/([^/]+)/md/([^/]+)")


class ArraySysfs(ReadOnly):
    """The arrays' part of sysfs, over the memory file system in which `FakeArrays` shows it."""

    def __init__(self, memory: FileSystem, arrays: FakeArrays) -> None:
        self._memory, self._arrays = memory, arrays

    def node(self, path: str) -> Node | None:
        """Return what is at a path."""
        return self._memory.node(path)

    def listdir(self, path: str) -> list[str]:
        """Return what is in a directory."""
        return self._memory.listdir(path)

    def write(self, path: str, text: str) -> None:
        """Set an attribute."""
        self._memory.read(path)
        found = _ATTRIBUTE.fullmatch(path)
        if found is None:
            raise FileError("write", path, errno.EACCES)
        self._arrays.set_attribute(path, found[1], found[2], text)
