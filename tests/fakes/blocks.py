"""Content of devices, kept over a reboot as disks keep it, and of pools' metadata.

Data written through a layer lie on the device below it.
"""

from __future__ import annotations

import errno
from hashlib import sha256

from fakes.disks import FakeDisks
from fakes.files import FakeFiles
from fakes.interrupt import Interrupt
from fakes.mapper import FakeMapper
from sanstone.kernel.host import FileError

SECTOR, BLOCK = 512, 4096
METADATA = "_tmeta"


class FakeBlocks:
    """See `host.Blocks`; devices are those of device-mapper, those in /dev, and files placed
    there."""

    def __init__(
        self, interrupt: Interrupt, mapper: FakeMapper, files: FakeFiles, disks: FakeDisks
    ) -> None:
        self._interrupt, self._mapper = interrupt, mapper
        self._files, self._disks = files, disks
        self._content: dict[str, bytearray] = {}
        self._placed: dict[str, int] = {}

    def place(self, path: str, content: bytes) -> None:
        """Add a device with this content."""
        self._content[path], self._placed[path] = bytearray(content), len(content)

    def size(self, path: str) -> int:
        """See `host.Blocks`."""
        if path in self._placed:
            return self._placed[path]
        if device := self._files.block_device(path):
            return device.size
        name = path.removeprefix("/dev/mapper/")
        if name not in {device.name for device in self._mapper.devices()}:
            raise FileError("open", path, errno.ENOENT)
        return SECTOR * sum(target.length for target in self._mapper.table(name))

    def read(self, path: str, offset: int, length: int) -> bytes:
        """See `host.Blocks`."""
        content, begin = self._bytes(path, offset + length)
        return bytes(content[begin + offset : begin + offset + length])

    def read_direct(self, path: str, offset: int, length: int) -> bytes:
        """See `host.Blocks`; of a pool's metadata, those that are held and no others are there."""
        size = self.size(path)
        pool = self._mapper.pool(path.removeprefix("/dev/mapper/").removesuffix(METADATA))
        if pool is None or not path.endswith(METADATA):
            return self.read(path, offset, length)
        if offset + length > size:
            raise FileError("read", path, errno.EIO)
        numbers = range(offset // BLOCK, (offset + length) // BLOCK)
        return b"".join(pool.held.get(number, bytes(BLOCK)) for number in numbers)

    def write(self, path: str, offset: int, content: bytes) -> None:
        """See `host.Blocks`."""
        if offset + len(content) > self.size(path):
            raise FileError("write", path, errno.ENOSPC)
        with self._interrupt.step(f"write {len(content)} bytes to {path} at {offset}"):
            lasting, begin = self._bytes(path, offset + len(content))
            lasting[begin + offset : begin + offset + len(content)] = content

    def _bytes(self, path: str, end: int) -> tuple[bytearray, int]:
        """Return the store of a device's bytes up to `end`, and where in it they begin."""
        if end > self.size(path):
            raise FileError("read", path, errno.EIO)
        device = self._files.block_device(path)
        lowest, begin = self._mapper.beneath(device.name) if device else (path, 0)
        disk = self._disks.present.get(lowest)
        key = self._mapper.volume_shown(lowest) or lowest
        content = disk.header if disk else self._content.setdefault(key, bytearray())
        content.extend(bytes(max(0, begin + end - len(content))))
        return content, begin

    def dump(self) -> str:
        """Return nothing: a copy of the database holds times, which no two runs share."""
        return ""

    def lasting(self) -> str:
        """Return digests of all content."""
        return str({path: sha256(content).digest() for path, content in self._content.items()})
