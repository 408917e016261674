"""Writing an image to a device, and reading it back.

What is read back comes from the disk: the kernel is told to forget what it holds of the device. A
mirror is read from one of its two disks, the one that the kernel prefers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from sanstone.kernel.host import Host, HostError

PIECE = 4 << 20
Advance = Callable[[int], None]
"""Told of bytes that were dealt with, some more each time."""


class WrongImage(HostError):
    """An image that does not fit its place, or did not arrive there as it was."""


def check(image: Path, size: int) -> None:
    """Raise WrongImage unless an image goes into `size` bytes, OSError when it is not there."""
    length = image.stat().st_size
    if not 0 < length <= size:
        raise WrongImage(f"{image}: {length} bytes do not go into {size}.")


def write(host: Host, image: Path, device: str, advance: Advance) -> None:
    """Write an image to a device's beginning and read it back: twice its size to advance.

    Raises WrongImage when something else comes back, HostError or OSError.
    """
    wanted, offset = hashlib.sha256(), 0
    with image.open("rb") as file:
        while piece := file.read(PIECE):
            host.blocks.write(device, offset, piece)
            wanted.update(piece)
            offset += len(piece)
            advance(len(piece))
    host.commands.run(["blockdev", "--flushbufs", device])
    found, length = hashlib.sha256(), offset
    for start in range(0, length, PIECE):
        piece = host.blocks.read(device, start, min(PIECE, length - start))
        found.update(piece)
        advance(len(piece))
    if found.digest() != wanted.digest():
        raise WrongImage(f"{device}: reads back differently than {image} was written to it.")
