"""Files that a power cut leaves whole or absent, never empty or cut short.

It is root that writes them, for other programs. So nothing is followed on the way: the folder is
opened first and must be one that nobody else can write in, and the file is made new in it. A link
that somebody put there, of a file or of the folder, is refused or replaced, and never written
through.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOREIGN = stat.S_IWGRP | stat.S_IWOTH


def write(path: Path, content: bytes, mode: int, group: int = -1) -> None:
    """Replace a file: its content reaches the disk before its name does. Raises OSError.

    `group` is the number of the group that it is given to, -1 for root's own.
    """
    fresh = f"{path.name}.new"
    with opened(path.parent) as folder:
        # Left by a power cut.
        with suppress(FileNotFoundError):
            os.unlink(fresh, dir_fd=folder)
        handle = os.open(fresh, _NEW, 0o600, dir_fd=folder)
        with os.fdopen(handle, "wb") as file:
            os.fchown(handle, -1, group)
            os.fchmod(handle, mode)
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.rename(fresh, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)


@contextmanager
def opened(folder: Path) -> Iterator[int]:
    """Give the descriptor of a folder in which nobody else can write. Raises OSError."""
    handle = os.open(folder, _FOLDER)
    try:
        owner = os.fstat(handle)
        if owner.st_uid not in (0, os.geteuid()) or owner.st_mode & _FOREIGN:
            text = "others than root can write in this folder"
            raise PermissionError(errno.EPERM, text, str(folder))
        yield handle
    finally:
        os.close(handle)
