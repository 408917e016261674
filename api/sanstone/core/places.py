"""Where the array keeps its state, and what lives no longer than a boot.

The state's folder is root's, and so is each folder in it but one:

| folder | owner | holds |
| --- | --- | --- |
| `database/` | root, group sanstone | the database, in whose files the API can write |
| `api/` | sanstone | what the API alone keeps, which root never opens |
| `tls/`, `ssh/`, `packages/`, `target/`, … | root | what root writes for other programs |

So whoever takes over the API's user can change what the database says, and neither replace a file
nor put a link where root writes.
"""

from __future__ import annotations

import os
from pathlib import Path


def state_directory() -> Path:
    """Return the folder of the array's state; SANSTONE_STATE overrides it."""
    return Path(os.environ.get("SANSTONE_STATE", "/var/lib/sanstone"))


def database_directory() -> Path:
    """Return the folder of the databases that root and the API share."""
    return state_directory() / "database"


def api_directory() -> Path:
    """Return the folder that is the API's own."""
    return state_directory() / "api"


def run_directory() -> Path:
    """Return the directory of sockets and locks; SANSTONE_RUN overrides it."""
    return Path(os.environ.get("SANSTONE_RUN", "/run/sanstone"))
