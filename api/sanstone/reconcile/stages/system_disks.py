"""Mirrors of the system disks: whether they are complete, and whether each disk is bootable.

The array runs on with one system disk, and must report that while this one still works. Its mirrors
are recognized by their members, partitions with the names of `system.layout`. The reconciler does
not change them. A member that returns is added to its mirror at the next start (initramfs and
`system.slots`), which determines which of the disks has the newer content.

An installation makes a disk bootable as its very last step; until then the disk's first sector has
no code (`install.boot`). To md, a disk looks complete even after an interrupted installation.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from sanstone.core.events import ALERT, Condition
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.results import SystemDisksSeen
from sanstone.reconcile.turn import Turn
from sanstone.system import layout

log = logging.getLogger("sanstone.reconciler")
_LABEL = "PARTNAME="
_NAMES = {partition.name for partition in layout.PARTITIONS}


def observe(turn: Turn) -> SystemDisksSeen:
    """Report mirrors of the system disks that lack a member, and disks without a boot loader."""
    mirrors = _mirrors(turn.host)
    lacking = sorted(label for md, label in mirrors.items() if _lacks_member(turn.host, md))
    if lacking:
        text = (
            f"The mirror of the system disks is not whole ({', '.join(lacking)}): the array does "
            "not survive the loss of the disk that is left. A disk that is there again is taken in "
            "when the array starts the next time; the medium's rescue entry puts a new one in its "
            "place."
        )
        turn.conditions["system.mirror"] = Condition(ALERT, "system.mirror.degraded", text)
    if unfinished := sorted(_unfinished(turn.host, mirrors)):
        text = (
            f"No boot loader is on {', '.join(unfinished)}, one of the two system disks: making it "
            "one was interrupted. The array does not start without the other disk. The medium's "
            "rescue entry, which puts a new system disk in a dead one's place, finishes it."
        )
        turn.conditions["system.boot"] = Condition(ALERT, "system.mirror.unbootable", text)
    return SystemDisksSeen(turn.outcomes)


def _mirrors(host: Host) -> dict[str, str]:
    """Return by md device the partition that it mirrors (sysfs, ABI/stable/sysfs-block).

    Only the first member is read: an aggregate's RAID group has many, and the stage runs often.
    """
    mirrors = {}
    for device in host.files.listdir("/sys/block"):
        members = f"/sys/block/{device}/slaves"
        if not device.startswith("md") or not host.files.exists(members):
            continue
        for member in host.files.listdir(members)[:1]:
            if (label := _label(host, member)) in _NAMES:
                mirrors[device] = label
    return mirrors


def _unfinished(host: Host, mirrors: dict[str, str]) -> Iterator[str]:
    """Yield the disks in the mirror of the state that are not bootable."""
    disks = host.files.listdir("/sys/block")
    for device in (md for md, label in mirrors.items() if label == layout.STATE.name):
        for member in host.files.listdir(f"/sys/block/{device}/slaves"):
            for disk in (d for d in disks if host.files.exists(f"/sys/block/{d}/{member}")):
                try:
                    if not layout.is_bootable(host, f"/dev/{disk}"):
                        yield f"/dev/{disk}"
                except HostError as error:
                    # md will soon mark the disk as faulty, which is reported as a lacking member.
                    log.info("the first sector of %s cannot be read: %s", disk, error)


def _label(host: Host, partition: str) -> str:
    """Return a partition's name, '' if it has none."""
    path = f"/sys/class/block/{partition}/uevent"
    lines = host.files.read(path).splitlines() if host.files.exists(path) else []
    return next((line.removeprefix(_LABEL) for line in lines if line.startswith(_LABEL)), "")


def _lacks_member(host: Host, device: str) -> bool:
    """Return whether a mirror is degraded (Documentation/admin-guide/md.rst, `degraded`)."""
    return host.files.read(f"/sys/block/{device}/md/degraded").strip() != "0"
