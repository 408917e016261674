"""Where the lab reads its parts, and where it writes.

The lab writes to `output/lab`, which may be deleted at any time while no machine runs. Parts that
all checkouts have in common are in CACHE (see `cache`), which may be deleted at any time, too.
Sockets are the exception: the kernel allows their paths 107 characters (unix(7), `sun_path`), which
a deep checkout exceeds, so they live in a private directory with a short name.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

LAB_SOURCE = Path(__file__).resolve().parent
REPOSITORY = LAB_SOURCE.parents[1]
LAB = REPOSITORY / "output" / "lab"
IMAGES = LAB / "image"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sanstone"
# As arguments of `env`: what runs as root has another home.
FOR_ROOT = (f"PYTHONPATH={LAB_SOURCE.parent}", f"XDG_CACHE_HOME={CACHE.parent}")


def socket_directory(of: Path) -> Path:
    """Return the private directory (mode 0700) for the sockets of the machine or rack at `of`."""
    digest = hashlib.sha256(str(of.resolve()).encode()).hexdigest()[:12]
    directory = Path(f"/tmp/sanstone-lab-{os.getuid()}") / digest
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in (directory.parent, directory):
        if each.stat().st_uid != os.getuid():
            raise PermissionError(f"{each} belongs to another user")
        each.chmod(0o700)
    return directory
