"""Files that a power cut leaves whole or absent, never empty or cut short."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, content: bytes, mode: int) -> None:
    """Replace a file: its content reaches the disk before its name does. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, mode)
        file.write(content)
        file.flush()
        os.fsync(handle)
    fresh.rename(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
