"""Erase disks: so that one that held the data of others, or ours, is an empty one again.

* `labels`: the signatures by which systems find what is on a disk and in its partitions, with the
  copies at its end: file systems, partition tables, superblocks of md, ZFS, LVM (wipefs(8)). That
  takes seconds. The data itself stays, and tools for recovery find it.
* `discard`: the labels, and then the disk is told that none of its blocks is needed any more
  (BLKDISCARD). Whether these read as zeroes then, and when, is the disk's affair.
* `zeroes`: the labels, and then each block is overwritten (BLKZEROOUT), which takes hours. Blocks
  that the disk has set aside, as worn ones, keep what they hold.

wipefs and blkdiscard open a disk exclusively, so the kernel refuses them one that is mounted, or
held by md, LVM or another device on top. Labels go first: blkdiscard refuses a disk that has any.

Killed anywhere, it is begun again. A disk without its labels is not used by anybody meanwhile: its
order lasts until all is done.
"""

from __future__ import annotations

from sanstone.kernel.host import Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.block import ContentError, Disk

LABELS, DISCARD, ZEROES = "labels", "discard", "zeroes"
METHODS = (LABELS, DISCARD, ZEROES)
STEP = 1 << 30
"""Bytes that are overwritten at once; between two steps blkdiscard can be stopped."""


def erase(host: Host, disk: Disk, method: str) -> None:
    """Erase a disk. Raises ContentError while anything uses it or when something is left on it.

    Raises CommandError when the disk refuses, or somebody has begun to use it.
    """
    if disk.busy:
        raise ContentError("{}: {}", disk.path, disk.busy)
    if disk.partitions:
        partitions = (partition.path for partition in disk.partitions)
        host.commands.run(["wipefs", "--all", "--quiet", *partitions])
    host.commands.run(["wipefs", "--all", "--quiet", disk.path])
    if method == DISCARD:
        host.commands.run(["blkdiscard", disk.path])
    elif method == ZEROES:
        host.commands.run(["blkdiscard", "--zeroout", "--step", str(STEP), disk.path])
    block.require_empty(host, [disk.path])
