"""Temporarily mounted file systems, below one folder.

A process that is killed leaves them mounted; the next one begins with `unmount_all`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sanstone.kernel.host import Host


@contextmanager
def mounted(host: Host, device: str, folder: Path, *options: str) -> Iterator[None]:
    """Mount a file system at a folder for the duration of a block.

    `options` are mount(8)'s. Raises CommandError.
    """
    host.files.make_folder(str(folder))
    host.commands.run(["mount", *options, "--source", device, "--target", str(folder)])
    try:
        yield
    finally:
        host.commands.run(["umount", str(folder)])


def unmount_all(host: Host, folder: Path) -> None:
    """Unmount all file systems below a folder, the last first. Raises CommandError."""
    # proc_pid_mountinfo(5): the fifth field is the mount point.
    mounts = [line.split()[4] for line in host.files.read("/proc/self/mountinfo").splitlines()]
    for mount in reversed(mounts):
        if mount.startswith(f"{folder}/"):
            host.commands.run(["umount", mount])
