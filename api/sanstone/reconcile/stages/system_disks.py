"""The mirror of two system disks: whether it is whole, and the array starts from either.

The array runs on with one of them, and must say so while there is still one to run on. Its mirrors
are known by what they are made of, partitions with the names of `system.layout`; they are not the
reconciler's to change. A member that comes back is taken in at the next start (initramfs and
`system.slots`), when it is known which of the disks has the newer content.

A disk is made bootable at the very end of its installation; until then its first sector has no code
(`install.boot`). An installation that was cut short there looks whole to md.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from sanstone.core import events
from sanstone.kernel.host import Host, HostError
from sanstone.reconcile.turn import Turn
from sanstone.system import layout

log = logging.getLogger("sanstone.reconciler")
_LABEL = "PARTNAME="
_NAMES = {partition.name for partition in layout.PARTITIONS}


def observe(turn: Turn) -> None:
    """Tell of mirrors of the system disks that lack a member, and of disks that nothing starts."""
    mirrors = _mirrors(turn.host)
    lacking = sorted(label for md, label in mirrors.items() if _lacks_member(turn.host, md))
    if lacking:
        text = (
            f"The mirror of the system disks is not whole ({', '.join(lacking)}): the array does "
            "not survive the loss of the disk that is left. A disk that is there again is taken in "
            "when the array starts the next time; the medium's rescue entry puts a new one in its "
            "place."
        )
        turn.conditions["system.mirror"] = (events.ALERT, "system.mirror.degraded", text)
    if unfinished := sorted(_unfinished(turn.host, mirrors)):
        text = (
            f"No boot loader is on {', '.join(unfinished)}, one of the two system disks: making it "
            "one was interrupted. The array does not start without the other disk. The medium's "
            "rescue entry, which puts a new system disk in a dead one's place, finishes it."
        )
        turn.conditions["system.boot"] = (events.ALERT, "system.mirror.unbootable", text)


def _mirrors(host: Host) -> dict[str, str]:
    """Return by md device the partition that it mirrors (sysfs, ABI/stable/sysfs-block).

    One member tells; a RAID group of an aggregate has many, and this is asked in every pass.
    """
    found = {}
    for device in host.files.listdir("/sys/block"):
        members = f"/sys/block/{device}/slaves"
        if not device.startswith("md") or not host.files.exists(members):
            continue
        for member in host.files.listdir(members)[:1]:
            if (label := _label(host, member)) in _NAMES:
                found[device] = label
    return found


def _unfinished(host: Host, mirrors: dict[str, str]) -> Iterator[str]:
    """Yield the disks in the state's mirror that were not made bootable."""
    disks = host.files.listdir("/sys/block")
    for device in (md for md, label in mirrors.items() if label == layout.STATE.name):
        for member in host.files.listdir(f"/sys/block/{device}/slaves"):
            for disk in (d for d in disks if host.files.exists(f"/sys/block/{d}/{member}")):
                try:
                    if not layout.is_bootable(host, f"/dev/{disk}"):
                        yield f"/dev/{disk}"
                except HostError as error:
                    # md finds out soon, and that is told.
                    log.info("the first sector of %s cannot be read: %s", disk, error)


def _label(host: Host, partition: str) -> str:
    """Return a partition's name, '' of what has none."""
    path = f"/sys/class/block/{partition}/uevent"
    lines = host.files.read(path).splitlines() if host.files.exists(path) else []
    return next((line.removeprefix(_LABEL) for line in lines if line.startswith(_LABEL)), "")


def _lacks_member(host: Host, device: str) -> bool:
    """Return whether an array is degraded (Documentation/admin-guide/md.rst, `degraded`)."""
    return host.files.read(f"/sys/block/{device}/md/degraded").strip() != "0"
