"""GRUB's environment block: the few variables that GRUB and the running system share.

A file of exactly 1024 bytes, a line of comment, `NAME=value` lines and `#` up to the end. GRUB
writes it by the numbers of its disk blocks (GRUB 2.12, grub-core/commands/loadenv.c), so the file
must never be replaced, only overwritten in place.

A power cut leaves the old variables or the new ones: all changes are in the first 512 bytes, which
a disk writes as one sector. FAT itself is not changed but for a time stamp.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sanstone.kernel.host import Files

SIZE = 1024
SECTOR = 512
HEADER = "# GRUB Environment Block\n"
Environment = dict[str, str]


class BadEnvironment(Exception):
    """The file is no environment block, or the variables do not fit; the text says which."""


def parse(block: bytes) -> Environment:
    """Return the variables of a block. Raises BadEnvironment."""
    text = block.decode("ascii", "replace")
    if len(block) != SIZE or not text.startswith(HEADER):
        raise BadEnvironment(f"{len(block)} bytes that are no environment block of GRUB's")
    lines = text[len(HEADER) :].rstrip("#").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")


def render(variables: Mapping[str, str]) -> bytes:
    """Return the block with these variables. Raises BadEnvironment."""
    lines = "".join(f"{name}={value}\n" for name, value in variables.items())
    block = (HEADER + lines).encode("ascii")
    if len(block) > SECTOR or lines.count("\n") != len(variables):
        raise BadEnvironment(f"the variables take {len(block)} bytes of a sector of {SECTOR}")
    return block.ljust(SIZE, b"#")


def read(file: Path) -> Environment:
    """Return the variables in a file. Raises BadEnvironment, OSError."""
    return parse(file.read_bytes())


def write(files: Files, file: Path, variables: Mapping[str, str]) -> None:
    """Write the variables over those in a file, which must be an environment block already.

    Raises BadEnvironment, FileError, OSError.
    """
    block, before = render(variables), file.read_bytes()
    parse(before)
    # After the first sector there is only padding, unless another program wrote there.
    files.overwrite(str(file), block if before[SECTOR:] != block[SECTOR:] else block[:SECTOR])
