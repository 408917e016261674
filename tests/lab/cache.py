"""What is built of Debian's packages and of nothing of the product's, kept for all checkouts.

It lies in paths.CACHE under a hash of what it is made of, with a checksum beside its main file. It
appears by being renamed, so what a build left that was cut short is not taken; nor is what has
changed since. Builds of the same wait for one another. Of each kind the newest are kept.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

# Superseded versions kept on disk: another checkout, or a machine that runs, may use them.
KEPT = 3


@contextlib.contextmanager
def locked(name: str, directory: Path) -> Iterator[None]:
    """Wait for other processes that build the same in `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / f"lock-{name}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def publish(partial: Path, made: Path) -> None:
    """Give a file its name, after all of it is on the disk, and its checksum beside it."""
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    _checksum(made).write_text(_digest(partial))
    partial.rename(made)


def is_intact(made: Path) -> bool:
    """Tell whether a file is there as it was published."""
    if not made.exists() or not _checksum(made).exists():
        return False
    return _digest(made) == _checksum(made).read_text()


def drop_old(versions: Iterable[Path], kept: int = KEPT) -> None:
    """Delete files or trees, with their checksums, but the newest."""
    for old in sorted(versions, key=lambda path: path.stat().st_mtime)[:-kept]:
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
            _checksum(old).unlink(missing_ok=True)


def _checksum(made: Path) -> Path:
    return made.with_name(f"{made.name}.sha256")


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
