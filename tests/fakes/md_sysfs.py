"""/sys/block/md_sanstone-*: reads are from memory, a write is a command to md."""

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
        """Return the node at a path."""
        return self._memory.node(path)

    def listdir(self, path: str) -> list[str]:
        """Return the names in a directory."""
        return self._memory.listdir(path)

    def write(self, path: str, text: str) -> None:
        """Set an attribute."""
        self._memory.read(path)
        place = _ATTRIBUTE.fullmatch(path)
        if place is None:
            raise FileError("write", path, errno.EACCES)
        self._arrays.set_attribute(path, place[1], place[2], text)
