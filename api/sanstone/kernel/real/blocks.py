"""The real form of `host.Blocks`: plain reads and synchronous writes of device nodes."""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sanstone.kernel.host import FileError


class RealBlocks:
    """Block devices of this machine."""

    def size(self, path: str) -> int:
        """See `host.Blocks`."""
        with _opened("size of", path, os.O_RDONLY) as device:
            return os.lseek(device, 0, os.SEEK_END)

    def read(self, path: str, offset: int, length: int) -> bytes:
        """See `host.Blocks`."""
        parts = []
        with _opened("read", path, os.O_RDONLY) as device:
            while length:
                part = os.pread(device, length, offset)
                if not part:
                    break
                parts.append(part)
                offset, length = offset + len(part), length - len(part)
        return b"".join(parts)

    def read_direct(self, path: str, offset: int, length: int) -> bytes:
        """See `host.Blocks`. Such a read needs memory that begins with a page."""
        with (
            _opened("read", path, os.O_RDONLY | os.O_DIRECT) as device,
            mmap.mmap(-1, length) as pages,
        ):
            if os.preadv(device, [pages], offset) < length:
                raise FileError("read", path, errno.EIO)
            return pages[:]

    def write(self, path: str, offset: int, content: bytes) -> None:
        """See `host.Blocks`."""
        with _opened("write", path, os.O_WRONLY) as device:
            rest = memoryview(content)
            while rest:
                written = os.pwrite(device, rest, offset)
                rest, offset = rest[written:], offset + written
            os.fsync(device)


@contextmanager
def _opened(action: str, path: str, flags: int) -> Iterator[int]:
    try:
        device = os.open(path, flags | os.O_CLOEXEC)
        try:
            yield device
        finally:
            os.close(device)
    except OSError as error:
        raise FileError(action, path, error.errno or 0) from error
