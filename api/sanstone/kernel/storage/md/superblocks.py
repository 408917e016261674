"""Superblocks: what disks know of the array that they are, or were, in."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Host
from sanstone.kernel.storage import block


def was_written_to(host: Host, carriers: Sequence[str]) -> bool:
    """Return whether, by its superblocks, the array was ever written to."""
    report = host.commands.run(["mdadm", "--examine", "--export", *carriers])
    events = [line.partition("=")[2] for line in report.splitlines() if "MD_EVENTS=" in line]
    return any(int(count) > 0 for count in events)


def ensure_erased(host: Host, uuid: str, disks: Sequence[str]) -> Ensured:
    """Erase an array's superblocks from disks that have left it, so that they are free again.

    Raises CommandError when a disk is in an array that runs.
    """
    present = [disk for disk in disks if host.files.exists(disk)]
    carriers = block.carriers(host, present, uuid)
    if not carriers:
        return Ensured.UNCHANGED
    host.commands.run(["mdadm", "--zero-superblock", *carriers])
    return Ensured.CHANGED
