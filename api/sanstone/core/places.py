"""Where the array keeps what lives no longer than a boot."""

from __future__ import annotations

import os
from pathlib import Path


def run_directory() -> Path:
    """Return the directory of sockets and locks; SANSTONE_RUN overrides it."""
    return Path(os.environ.get("SANSTONE_RUN", "/run/sanstone"))
