"""One process at a time works with the machines of a rack.

The kernel drops the lock with the process, however that ends. The machines do not hold it: those
that `make run` left on, or a failed test with `--sit`, are there for the next process.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO


class RackInUse(Exception):
    """Another process works with this rack. Nothing was changed."""


def take(directory: Path) -> IO[str]:
    """Take the rack in `directory` until the returned file is closed. Raises RackInUse.

    The lock is a file beside the directory, which goes when machines are thrown away.
    """
    path = directory.with_name(f"{directory.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise RackInUse(
            f"Another run uses the rack {directory.name}: it has locked {path}. Nothing was "
            f"changed. Wait until that run ends, or end it: `lslocks` shows its process."
        ) from error
    return lock
