"""Builds that hold nothing of the product's, kept for all checkouts.

A build lies in paths.CACHE under a hash of its inputs, with a checksum beside its main file. It
appears by being renamed, so the remains of an interrupted build are not taken; nor is a file that
has changed since. Builds of the same wait for one another. The newest of each kind are kept.
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


def publish(partial: Path, path: Path) -> None:
    """Give a file its name, after all of it is on the disk, and its checksum beside it."""
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    _checksum(path).write_text(_digest(partial))
    partial.rename(path)


def is_intact(file: Path) -> bool:
    """Return whether a file is there as it was published."""
    if not file.exists() or not _checksum(file).exists():
        return False
    return _digest(file) == _checksum(file).read_text()


def drop_old(versions: Iterable[Path], kept: int = KEPT) -> None:
    """Delete files or trees, with their checksums, but the newest."""
    for old in sorted(versions, key=lambda path: path.stat().st_mtime)[:-kept]:
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
            _checksum(old).unlink(missing_ok=True)


def _checksum(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
