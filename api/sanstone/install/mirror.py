"""A new disk in the place of a dead one of the two system disks; from the medium.

The disk that is left is the measure. The new one is divided as every system disk is, and its
partitions join the mirrors: first the slots, which are waited for, then the state, which goes on
being copied when the array runs. Made bootable it is at the very end, with the other's loader and
GRUB's variables, so that nothing starts from a disk that lacks what it would start.

After an interruption it is done again. Either the new disk is no part of the state's mirror yet, or
not up to date there, and is chosen once more; or it is, and what is missing is that end (`finish`).
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sanstone.install import boot, targets
from sanstone.install.disks import Candidate
from sanstone.install.installer import Progress, undisturbed
from sanstone.kernel import block, md
from sanstone.kernel.host import Host, HostError
from sanstone.system import layout
from sanstone.system.layout import Partition

_PAUSE = 0.5
_PATIENCE = 30.0
"""Seconds in which a copy that is due must have begun."""
_SLOTS = (*layout.BOOT.values(), *layout.SYSTEM.values())


class NoMirror(HostError):
    """There is no system on mirrored disks, or more than one; the text says what was found."""


@dataclass(frozen=True)
class Left:
    """The system disks whose state is up to date: one, or both.

    `size` is how many bytes a new one must have at least, `unfinished` those that nothing starts
    from yet.
    """

    disks: tuple[str, ...]
    size: int
    unfinished: tuple[str, ...]


def look(host: Host, work: Path) -> Left:
    """Return what is left of the mirrored system disks.

    Raises NoMirror, CannotInstall or HostError.
    """
    with undisturbed(host, work):
        members = _members(host)
        # Read-only, for a copy that was interrupted would go on otherwise.
        device = targets.assemble(host, layout.STATE, list(members), "--readonly")
        current = {m.device: m.state for m in md.members(host, device)}
        whole = [p for p in members if current.get(PurePosixPath(p).name) == "in_sync"]
        left = tuple(members[path] for path in whole)
        # Documentation/admin-guide/md.rst: in KiB. The start is in sectors of 512 bytes.
        component = int(host.files.read(f"{_attributes(device)}/component_size")) * 1024
        start = int(host.files.read(f"/sys/class/block/{PurePosixPath(whole[0]).name}/start"))
        targets.stop_mirrors(host)
        unfinished = tuple(disk for disk in left if not boot.is_finished(host, disk))
        if unfinished == left:
            raise NoMirror(f"Install again: {', '.join(left)} were never made bootable.")
        return Left(left, start * 512 + component, unfinished)


def _members(host: Host) -> dict[str, str]:
    """Return the disks that have a member of the state's mirror, by its path. Raises NoMirror."""
    # A disk that was just written to has no partitions for a moment.
    host.commands.run(["udevadm", "settle"])
    disks = {
        part.path: disk.path
        for disk in block.disks(host)
        for part in disk.partitions
        if part.name == layout.STATE.name
    }
    mirrors = {
        path: signature.uuid
        for path, found in block.signatures(host, list(disks)).items()
        for signature in found
        if signature.type == block.RAID_MEMBER
    }
    if len(set(mirrors.values())) != 1:
        paths = ", ".join(mirrors) or "none"
        raise NoMirror(f"One system on two disks is needed. Members of a mirror: {paths}.")
    return {path: disks[path] for path in mirrors}


def obstacle(candidate: Candidate, left: Left) -> str:
    """Return why a disk cannot be the new one, '' when it can."""
    if candidate.obstacle or candidate.array:
        return candidate.obstacle or candidate.holds
    return "smaller than what is mirrored" if candidate.disk.size < left.size else ""


def complete(host: Host, left: Left, new: str, progress: Progress, work: Path) -> None:
    """Erase a disk and make it the second system disk. Raises CannotInstall, HostError, OSError."""
    [disk] = left.disks
    with undisturbed(host, work):
        progress("Dividing the disk", 0, 1)
        targets.divide(host, new)
        for partition in _SLOTS:
            _join(host, partition, disk, new)
            _await(host, partition, new, progress)
        _join(host, layout.STATE, disk, new)
        _make_bootable(host, disk, new, progress, work)


def finish(host: Host, left: Left, progress: Progress, work: Path) -> None:
    """Make bootable what an interruption left without. Raises CannotInstall, HostError, OSError."""
    [new] = left.unfinished
    [disk] = [disk for disk in left.disks if disk != new]
    with undisturbed(host, work):
        _make_bootable(host, disk, new, progress, work)


def _make_bootable(host: Host, disk: str, new: str, progress: Progress, work: Path) -> None:
    progress("Making the disk bootable", 0, 1)
    boot.copy(host, disk, new, work / "esp")
    os.sync()
    targets.stop_mirrors(host)
    progress("Done", 1, 1)


def _join(host: Host, partition: Partition, disk: str, new: str) -> None:
    device = targets.assemble(host, partition, [targets.partition_path(disk, partition)])
    member = targets.partition_path(new, partition)
    host.commands.run(["mdadm", "--manage", device, "--add", member])


def _await(host: Host, partition: Partition, new: str, progress: Progress) -> None:
    """Wait until the new disk's member is up to date. Raises HostError when it will not be."""
    member = PurePosixPath(targets.partition_path(new, partition)).name
    device = f"/dev/md_{targets.mirror_name(partition)}"
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        states = {m.device: m.state for m in md.members(host, device)}
        if states.get(member) == "in_sync":
            return
        done, _, whole = host.files.read(f"{_attributes(device)}/sync_completed").partition(" / ")
        if whole:
            progress(f"Copying {partition.name}", int(done), int(whole))
            until = time.monotonic() + _PATIENCE
        time.sleep(_PAUSE)
    raise HostError(
        f"{partition.name} is not copied to /dev/{member}: one of the two disks fails. "
        "Nothing starts from the new one. The kernel's log says more (dmesg)."
    )


def _attributes(device: str) -> str:
    """Return where the kernel shows what it knows of an array (md(4), "SYSFS INTERFACE")."""
    return f"/sys/block/{PurePosixPath(device).name}/md"
