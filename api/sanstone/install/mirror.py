"""Replace a dead one of the two system disks; from the medium.

The remaining disk is the source. The new one is partitioned like every system disk, and its
partitions join the mirrors: first the slots, which are waited for, then the state, which is copied
in the background when the array runs. It becomes bootable at the very end, with the other's loader
and GRUB's variables, so that no machine boots from an incomplete disk.

After an interruption the replacement is repeated. If the new disk is not in the state's mirror yet,
or not up to date there, it is chosen once more; otherwise only the last step is missing (`finish`).
The other disk may be gone by then, and its loader with it: the medium has one, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sanstone.install import boot, targets
from sanstone.install.disks import Candidate, candidates, require_unchanged
from sanstone.install.installer import Progress, undisturbed
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block, md
from sanstone.kernel.storage.block import Disk, Signature
from sanstone.system import boot_order, layout
from sanstone.system.layout import Partition

_PAUSE = 0.5
_BEHIND = 2 * layout.MIB
"""Largest number of bytes after the mirrored part: md's superblock and bitmap (mdadm: super1.c),
the copy of the partition table, and less than 1 MiB by which sfdisk aligns."""
_PATIENCE = 30.0
"""Seconds within which a pending resync must start."""
_SQUASHFS = b"hsqs"
"""Magic number of a boot image (Linux: include/uapi/linux/magic.h, SQUASHFS_MAGIC)."""
_SLOTS = (*layout.BOOT.values(), *layout.SYSTEM.values())
_MIRRORED = (*_SLOTS, layout.STATE)


class NoMirror(HostError):
    """There is no system on mirrored disks, or more than one; the text says what was found."""


@dataclass(frozen=True)
class Remaining:
    """The system disks that are up to date in every mirror: one, or both.

    A new one must have at least `size` bytes, which are no more than these have, in sectors of
    `sector` bytes. `unfinished` are those that are not bootable yet.
    """

    disks: tuple[str, ...]
    size: int
    sector: int
    unfinished: tuple[str, ...]


def look(host: Host, work: Path) -> Remaining:
    """Return the up-to-date system disks of the mirrors.

    Raises NoMirror, CannotInstall or HostError.
    """
    with undisturbed(host, work):
        return _look(host)


def _look(host: Host) -> Remaining:
    # A disk just written to has no partitions for a moment.
    host.commands.run(["udevadm", "settle"])
    present = block.disks(host)
    behind: dict[str, list[str]] = {}
    members = _members(host, layout.STATE, present)
    paths = set(members.values())
    for partition in _MIRRORED:
        current = _up_to_date(host, _members(host, partition, present), partition)
        behind[partition.name] = sorted(paths - current)
    end = _end(host, next(iter(members)))
    targets.stop_mirrors(host)
    complete_disks = [
        d for d in present if d.path in paths and not any(d.path in b for b in behind.values())
    ]
    if not complete_disks:
        outdated = "; ".join(
            f"{name} on {', '.join(disks)}" for name, disks in behind.items() if disks
        )
        raise NoMirror(f"No disk has everything up to date. Behind, or unreadable: {outdated}.")
    unfinished = tuple(
        disk.path for disk in complete_disks if not layout.is_bootable(host, disk.path)
    )
    sector = max(disk.logical_block_size for disk in complete_disks)
    size = min(end + _BEHIND, *(disk.size for disk in complete_disks))
    return Remaining(tuple(disk.path for disk in complete_disks), size, sector, unfinished)


def _members(host: Host, partition: Partition, all_disks: Sequence[Disk]) -> dict[str, str]:
    """Return the disks that have a member of a partition's mirror, by its path.

    One that cannot be read has none. Raises NoMirror unless there is one mirror.
    """
    parts = [(part, disk.path) for disk in all_disks for part in disk.partitions]
    disks = {part.path: path for part, path in parts if part.name == partition.name}
    present = block.signatures_or_errors(host, list(disks))
    mirrors = {
        path: signature.uuid
        for path, signatures in present.items()
        for signature in signatures
        if isinstance(signature, Signature) and signature.type == block.RAID_MEMBER
    }
    if len(set(mirrors.values())) != 1:
        unreadable = [f"{path} ({text})" for path, text in present.items() if isinstance(text, str)]
        paths = ", ".join([*mirrors, *unreadable]) or "none"
        raise NoMirror(
            f"One system on two disks is needed. Members of a mirror of {partition.name}: {paths}."
        )
    return {path: disks[path] for path in mirrors}


def _up_to_date(host: Host, members: dict[str, str], partition: Partition) -> set[str]:
    """Start a partition's mirror and return the disks with a member that md reads from."""
    # Read-only, since an interrupted resync would otherwise continue.
    device = targets.assemble(host, partition, list(members), "--readonly")
    states = {member.device: member.state for member in md.members(host, device)}
    return {disk for path, disk in members.items() if states.get(_name(path)) == "in_sync"}


def _end(host: Host, member: str) -> int:
    """Return the size of a disk up to the end of the state's running mirror."""
    # Documentation/admin-guide/md.rst: in KiB. The start is in sectors of 512 bytes.
    attributes = _attributes(f"/dev/md_{targets.mirror_name(layout.STATE)}")
    component = int(host.files.read(f"{attributes}/component_size")) * 1024
    return int(host.files.read(f"/sys/class/block/{_name(member)}/start")) * 512 + component


def obstacle(candidate: Candidate, remaining: Remaining) -> str:
    """Return why a disk cannot be the new one, '' if it can."""
    if candidate.obstacle or candidate.array:
        return candidate.obstacle or candidate.holds
    if candidate.disk.logical_block_size != remaining.sector:
        own = candidate.disk.logical_block_size
        return f"has sectors of {own} bytes, the other {remaining.sector}"
    return (
        "smaller than the disk that it is to mirror" if candidate.disk.size < remaining.size else ""
    )


def complete(
    host: Host, remaining: Remaining, new: Candidate, progress: Progress, work: Path
) -> None:
    """Erase a disk and make it the second system disk.

    Both are checked again. Raises WrongDisk, NoMirror or CannotInstall with nothing changed;
    HostError or OSError after that, too.
    """
    [disk] = remaining.disks
    with undisturbed(host, work):
        progress("Looking at the disks", 0, 1)
        if _look(host) != remaining:
            raise NoMirror("The system disks are not what they were. Nothing was changed.")
        require_unchanged(candidates(host), [new])
        progress("Dividing the disk", 0, 1)
        targets.divide(host, new.path)
        for partition in _SLOTS:
            _join(host, partition, disk, new.path)
            _await(host, partition, new.path, progress)
        _join(host, layout.STATE, disk, new.path)
        _make_bootable(host, disk, new.path, progress, work)


def finish(host: Host, remaining: Remaining, medium: Path, progress: Progress, work: Path) -> None:
    """Make disks bootable after an interruption, if necessary with the medium's loader.

    `medium` is its folder. Raises CannotInstall, WrongLoader, HostError or OSError.
    """
    started = [disk for disk in remaining.disks if disk not in remaining.unfinished]
    with undisturbed(host, work):
        if started:
            [disk], [new] = started, remaining.unfinished
            _make_bootable(host, disk, new, progress, work)
        else:
            loader = boot.read_loader(medium / "grub")
            disks = targets.Targets(remaining.disks)
            second = targets.partition_path(remaining.disks[0], layout.BOOT["b"])
            written = host.blocks.read(second, 0, len(_SQUASHFS)) == _SQUASHFS
            order = boot_order.UNKNOWN if written else boot_order.FIRST
            boot.install(host, disks, loader, work / "esp", order)
            os.sync()


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
    """Wait until the new disk's member is up to date. Raises HostError when that fails."""
    member = _name(targets.partition_path(new, partition))
    device = f"/dev/md_{targets.mirror_name(partition)}"
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        states = {m.device: m.state for m in md.members(host, device)}
        if states.get(member) == "in_sync":
            return
        done, _, total = host.files.read(f"{_attributes(device)}/sync_completed").partition(" / ")
        if total:
            progress(f"Copying {partition.name}", int(done), int(total))
            until = time.monotonic() + _PATIENCE
        time.sleep(_PAUSE)
    raise HostError(
        f"{partition.name} is not copied to /dev/{member}: one of the two disks fails. "
        "Nothing starts from the new one. The kernel's log says more (dmesg)."
    )


def _attributes(device: str) -> str:
    """Return the folder of an array's attributes (md(4), "SYSFS INTERFACE")."""
    return f"/sys/block/{_name(device)}/md"


def _name(path: str) -> str:
    return PurePosixPath(path).name
