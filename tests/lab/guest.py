"""The top layer of each machine: the lab's own files.

The agent, names for network ports by MAC address, a key for root's SSH, and for the hosts their
configuration. The files are those of `guest/common` and `guest/<role>`, as they lie there;
`guest/masked` lists the units that only cost time.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path

from lab import commands, fingerprint, paths, patience
from lab.layer import Layer, lay

FILES = paths.LAB_SOURCE / "guest"
SSH_KEY = paths.LAB / "ssh-key"


def ensure(role: str, below: list[Layer]) -> Layer:
    """Build the lab's layer for `role` unless it is there."""
    ensure_ssh_key()
    sources = [
        FILES / "common",
        FILES / role,
        FILES / "masked",
        SSH_KEY.with_suffix(".pub"),
        Path(__file__),
        Path(patience.__file__),
    ]
    layer = Layer(f"guest-{role}", fingerprint.of([below[-1].key, *sources]))
    layer.ensure(below, partial(_fill, role))
    return layer


def ensure_ssh_key() -> None:
    """Make the key pair unless it is there."""
    if SSH_KEY.exists():
        return
    commands.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f", SSH_KEY])
    owner = paths.LAB.stat()
    os.chown(SSH_KEY, owner.st_uid, owner.st_gid)


def _fill(role: str, root: Path) -> None:
    for files in (FILES / "common", FILES / role):
        if files.exists():
            lay(files, root)
    for line in (FILES / "masked").read_text().splitlines():
        if not line.startswith("#"):
            (root / "etc/systemd/system" / line.split()[0]).symlink_to("/dev/null")
    at_a_console = f"s/^LOGIN_TIMEOUT.*/LOGIN_TIMEOUT {patience.SECONDS:.0f}/"
    commands.run(["sed", "--in-place", at_a_console, root / "etc/login.defs"])
    home = root / "root" / ".ssh"
    home.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(SSH_KEY.with_suffix(".pub"), home / "authorized_keys")
    if role == "host":
        commands.run(["chroot", root, "systemctl", "preset-all"])
