"""Erase disks: so that one that held the data of others, or ours, is an empty one again.

* `labels`: the signatures of contents on a disk and in its partitions, with the copies at its end:
  file systems, partition tables, superblocks of md, ZFS, LVM (wipefs(8)). That takes seconds. The
  data itself stays, and tools for recovery find it.
* `discard`: the labels, and then all blocks are discarded (BLKDISCARD). Whether these read as
  zeroes then, and when, is the disk's affair.
* `zeroes`: the labels, and then each block is overwritten (BLKZEROOUT), which takes hours. Blocks
  that the disk has set aside, as worn ones, keep what they hold.
* `crypto_erase`, `block_erase`, `overwrite`: the labels, and then the disk sanitizes itself
  (`sanitization`), where it can: of all that was ever on it nothing can be read any more.
* `release`: nothing is erased. A disk that failed to sanitize itself can be used again.

wipefs and blkdiscard open a disk exclusively, so the kernel refuses them one that is mounted, or
held by md, LVM or another device on top. Labels go first: blkdiscard refuses a disk that has any,
and sanitizing asks nobody who has it open.

Killed anywhere, it starts again. A disk without its labels is not used by anybody meanwhile: its
order lasts until all is done. One that sanitizes itself goes on with that, and is waited for.
"""

from __future__ import annotations

from sanstone.kernel.host import Host
from sanstone.kernel.storage import block, disk_sanitize, sanitization
from sanstone.kernel.storage.block import ContentError, Disk

LABELS, DISCARD, ZEROES, RELEASE = "labels", "discard", "zeroes", "release"
METHODS = (LABELS, DISCARD, ZEROES, *sanitization.METHODS, RELEASE)
BY_DISK = (*sanitization.METHODS, RELEASE)
"""Methods that are commands of the disk's own."""
STEP = 1 << 30
"""Bytes that are overwritten at once; between two steps blkdiscard can be stopped."""


def erase(host: Host, disk: Disk, method: str) -> None:
    """Erase a disk. Raises ContentError while anything uses it or when something is left on it.

    Raises CommandError when the disk refuses, or is in use by now, and SanitizeError when it does
    not sanitize itself.
    """
    if method == RELEASE:
        disk_sanitize.leave_failure(host, disk)
        return
    if method in sanitization.METHODS:
        _sanitize(host, disk, method)
    else:
        _remove_labels(host, disk)
        if method == DISCARD:
            host.commands.run(["blkdiscard", disk.path])
        elif method == ZEROES:
            host.commands.run(["blkdiscard", "--zeroout", "--step", str(STEP), disk.path])
    block.require_empty(host, [disk.path])


def _sanitize(host: Host, disk: Disk, method: str) -> None:
    """Have a disk sanitize itself, or wait for one that does. One that failed cannot be read."""
    state = disk_sanitize.progress(host, disk).state
    if not state:
        _remove_labels(host, disk)
    if state != sanitization.RUNNING:
        disk_sanitize.start(host, disk, method)
    disk_sanitize.wait(host, disk)


def _remove_labels(host: Host, disk: Disk) -> None:
    if disk.busy:
        raise ContentError("{}: {}", disk.path, disk.busy)
    if disk.partitions:
        partitions = (partition.path for partition in disk.partitions)
        host.commands.run(["wipefs", "--all", "--quiet", *partitions])
    host.commands.run(["wipefs", "--all", "--quiet", disk.path])
