"""The hash tree of dm-verity, behind the system that it covers.

    python3 -m image.verity SYSTEM

SYSTEM, a squashfs, is padded to whole blocks, and the tree is appended to it. Printed are two lines
for a shell or GRUB to read:

    root_hash=<64 hexadecimal digits>
    hash_offset=<bytes>

The form is version 1 of the kernel's documentation (admin-guide/device-mapper/verity): SHA-256,
blocks of 4096 bytes for data and hashes, the topmost level first. There is no superblock, since the
boot loader passes its values, and no salt: it would have to be the same in every build.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

BLOCK = 4096


def main() -> None:
    """Seal the file that the command line names."""
    parser = argparse.ArgumentParser(prog="image.verity", description="Append a hash tree.")
    parser.add_argument("system", type=Path)
    root_hash, hash_offset = seal(parser.parse_args().system)
    print(f"root_hash={root_hash}\nhash_offset={hash_offset}")


def seal(system: Path) -> tuple[str, int]:
    """Append the hash tree to `system`; return the root hash and the tree's offset in bytes.

    Raises ValueError for a file of one block, since its tree would have no level, and OSError.
    """
    with system.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if size <= BLOCK:
            raise ValueError(f"{system} has {size} bytes")
        hash_offset = -(-size // BLOCK) * BLOCK
        file.truncate(hash_offset)
        file.seek(0)
        levels = [_level(_blocks(file))]
        while len(levels[-1]) > BLOCK:
            top = levels[-1]
            levels.append(_level(top[at : at + BLOCK] for at in range(0, len(top), BLOCK)))
        file.seek(hash_offset)
        for level in reversed(levels):
            file.write(level)
    return hashlib.sha256(levels[-1]).hexdigest(), hash_offset


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(BLOCK):
        yield block


def _level(blocks: Iterable[bytes]) -> bytes:
    """Return the hashes of `blocks`, filled up with zeros to whole blocks."""
    hashes = b"".join(hashlib.sha256(block).digest() for block in blocks)
    return hashes + bytes(-len(hashes) % BLOCK)


if __name__ == "__main__":
    main()
