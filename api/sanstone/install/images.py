"""Write an image to a device, and read it back.

It is read back from the disk itself: the kernel's cache of the device is dropped first. A mirror is
read from one of its two disks, the one that the kernel prefers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from sanstone.kernel.host import Host, HostError

PIECE = 4 << 20
Advance = Callable[[int], None]
"""Called with the number of bytes processed since the last call."""


class WrongImage(HostError):
    """An image that does not fit its partition, or was not written correctly."""


def check(image: Path, size: int) -> None:
    """Raise WrongImage unless an image fits into `size` bytes, OSError when it does not exist."""
    length = image.stat().st_size
    if not 0 < length <= size:
        raise WrongImage(f"{image}: {length} bytes do not go into {size}.")


def write(host: Host, image: Path, device: str, advance: Advance) -> None:
    """Write an image to the beginning of a device and read it back: twice its size to advance.

    Raises WrongImage when something else is read back, HostError or OSError.
    """
    written, offset = hashlib.sha256(), 0
    with image.open("rb") as file:
        while piece := file.read(PIECE):
            host.blocks.write(device, offset, piece)
            written.update(piece)
            offset += len(piece)
            advance(len(piece))
    host.commands.run(["blockdev", "--flushbufs", device])
    read_back, length = hashlib.sha256(), offset
    for start in range(0, length, PIECE):
        piece = host.blocks.read(device, start, min(PIECE, length - start))
        read_back.update(piece)
        advance(len(piece))
    if read_back.digest() != written.digest():
        raise WrongImage(f"{device}: reads back differently than {image} was written to it.")
