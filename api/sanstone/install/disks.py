"""Which disks there are for a system, and which are meant by the answers.

A system disk is a whole disk that nothing uses, of at least `layout.SMALLEST_DISK`. One that
belongs to an aggregate, or that Sanstone is installed on, is refused until somebody says that it
may go; what else lies on a disk is told and erased. The medium is mounted, so it never comes into
question.

Sanstone counts as installed once the file system of its state was made, which comes after the
images: an installation that a power cut ended before may simply begin again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sanstone.install import boot
from sanstone.install.answers import RULES, SERIAL
from sanstone.kernel import names
from sanstone.kernel.host import CommandError, Host
from sanstone.kernel.storage import block
from sanstone.kernel.storage.block import Disk
from sanstone.system import layout

GIB = 1 << 30
NAMED_ONLY = ("usb", "fc", "fcoe", "iscsi", "tcp", "rdma", "loop")
"""Transports of disks that no rule takes: sticks, what a BMC plugs in, LUNs of another array."""
_FIRMWARE = "/sys/firmware/efi"
"""There where UEFI started the machine (Documentation/ABI/testing/sysfs-firmware-efi-vars)."""


class WrongDisk(Exception):
    """A disk that is not there, or cannot be taken; the text names it and says why."""


class MissingDisk(WrongDisk):
    """A disk that is named and is not there, or not yet."""


@dataclass(frozen=True)
class Candidate:
    """A disk, the md name of the aggregate's RAID group that it belongs to ('' for none).

    `installed` says whether Sanstone is installed on it; `transport` is lsblk's word, for NVMe the
    kernel's: pcie, tcp, rdma, fc. `uefi` is how the machine was started.
    """

    disk: Disk
    array: str
    installed: bool
    transport: str
    uefi: bool

    @property
    def path(self) -> str:
        """Return its present path."""
        return self.disk.path

    @property
    def obstacle(self) -> str:
        """Return why it can never be taken, '' when it can."""
        if self.disk.busy:
            return self.disk.busy
        if self.disk.identity_conflict:
            return "another disk has the same identity"
        if self.disk.size < layout.SMALLEST_DISK:
            return f"smaller than {layout.SMALLEST_DISK // layout.MIB} MiB"
        sector = self.disk.logical_block_size
        if not self.uefi and sector != boot.SECTOR:
            return f"has sectors of {sector} bytes, and this machine was started by a BIOS"
        return ""

    @property
    def passed_by(self) -> str:
        """Return why no rule takes it, '' when one may."""
        if self.obstacle or self.array:
            return self.obstacle or self.holds
        by_name = f"attached by {self.transport}, so it must be named by its path or serial number"
        return by_name if self.transport in NAMED_ONLY else ""

    def __str__(self) -> str:
        disk = self.disk
        words = [disk.path, f"{disk.size / GIB:.1f} GiB", disk.vendor, disk.model, disk.serial]
        return " ".join(filter(None, words))

    @property
    def holds(self) -> str:
        """Return what is on it, in words."""
        if self.array:
            return f"a disk of an aggregate ({self.array})"
        if self.installed:
            return "an installed Sanstone system"
        kinds = dict.fromkeys(each.type for each in self.disk.partitions if each.type)
        content = self.disk.content or "empty"
        return f"{content} ({', '.join(kinds)})" if kinds else content


def candidates(host: Host) -> list[Candidate]:
    """Return all disks, in the kernel's order. Raises HostError."""
    # A disk that was just written to has no partitions for a moment: udev has its table read again.
    host.commands.run(["udevadm", "settle"])
    found = block.disks(host)
    members = [disk.path for disk in found if disk.array_uuid]
    arrays = {
        path: next((name for s in present if (name := _array(s.label))), "")
        for path, present in block.signatures(host, members).items()
    }
    uefi = host.files.exists(_FIRMWARE)
    return [
        Candidate(
            disk, arrays.get(disk.path, ""), _is_installed(host, disk), _transport(host, disk), uefi
        )
        for disk in found
    ]


def _is_installed(host: Host, disk: Disk) -> bool:
    """Return whether the disk carries a state, or might: a disk that fails does not tell."""
    states = [each.path for each in disk.partitions if each.name == layout.STATE.name]
    try:
        found = block.signatures(host, states)
    except CommandError:
        return True
    # A member of a mirror shows the file system besides the superblock of the mirror.
    return any(s.label == layout.STATE_LABEL for present in found.values() for s in present)


def _transport(host: Host, disk: Disk) -> str:
    """Return how the disk is attached; lsblk says nvme of one over a network, too."""
    device = f"/sys/block/{disk.name}/device"
    if disk.transport != "nvme" or not host.files.exists(device):
        return disk.transport
    # A controller or, where it may have several paths, a subsystem with links to its controllers.
    places = [device, *(f"{device}/{name}" for name in host.files.listdir(device))]
    found = [f"{place}/transport" for place in places if host.files.exists(f"{place}/transport")]
    return host.files.read(found[0]) if found else disk.transport


def _array(label: str) -> str:
    """Return the name of the RAID group of ours that a superblock's label names."""
    name = label.removeprefix(f"{names.HOME_HOST}:")
    return name if names.device_of_array(name) else ""


def require_present(found: Sequence[Candidate], wanted: Sequence[str]) -> None:
    """Raise MissingDisk unless all disks are there that the answers name, WrongDisk for two."""
    for name in wanted:
        if name not in RULES:
            _named(found, name)


def require_alike(chosen: Sequence[Candidate]) -> None:
    """Raise WrongDisk unless disks can mirror each other: one of both must do for the other."""
    if len({candidate.disk.logical_block_size for candidate in chosen}) > 1:
        sectors = ", ".join(f"{c.path}: {c.disk.logical_block_size} bytes" for c in chosen)
        raise WrongDisk(
            f"Disks with sectors of different size cannot mirror each other: {sectors}."
        )


def require_unchanged(found: Sequence[Candidate], seen: Sequence[Candidate]) -> None:
    """Raise WrongDisk unless each disk is what it was when somebody agreed to erase it.

    Meanwhile one may have been pulled, and another one have got its name.
    """
    for candidate in seen:
        if candidate not in found:
            raise WrongDisk(
                f"{candidate}: this is no longer at {candidate.path}, or holds something else than "
                "what was shown. Nothing was changed."
            )


def choose(
    found: Sequence[Candidate],
    wanted: Sequence[str],
    *,
    erase_aggregates: bool,
    erase_installed: bool,
) -> tuple[Candidate, ...]:
    """Return the disks that the answers mean. Raises WrongDisk, with nothing done.

    A rule does not go on to another disk where Sanstone is installed already: an installation that
    each boot over a network asks for would take one data disk after the other.
    """
    chosen: list[Candidate] = []
    kept = [] if erase_installed else [c for c in found if c.installed]
    for name in wanted:
        if name in RULES:
            _require_none(name, kept)
            candidate = _by_rule([c for c in found if c not in chosen], name)
        else:
            candidate = _named(found, name)
        if candidate in chosen:
            raise WrongDisk(f"{name}: names {candidate.path} a second time.")
        if candidate.array and not erase_aggregates:
            raise WrongDisk(
                f"{name}: {candidate} is {candidate.holds}. It is not erased unless "
                "erase_aggregates says so. Nothing was changed."
            )
        _require_none(name, [c for c in kept if c == candidate])
        if candidate.obstacle:
            raise WrongDisk(f"{name}: {candidate} cannot be a system disk: {candidate.obstacle}.")
        chosen.append(candidate)
    require_alike(chosen)
    return tuple(chosen)


def _require_none(name: str, installed: Sequence[Candidate]) -> None:
    """Raise WrongDisk if there are disks that Sanstone is installed on."""
    if installed:
        raise WrongDisk(
            f"{name}: Sanstone is installed already, on {', '.join(map(str, installed))}. To use "
            "it, start the machine from its disk and no longer ask for an installation. To erase "
            "it and install anew, also where an installation was interrupted at its end, answer "
            '"erase_installed": true. Nothing was changed.'
        )


def _by_rule(found: Sequence[Candidate], rule: str) -> Candidate:
    free = [c for c in found if not c.passed_by]
    if not free:
        seen = "; ".join(f"{c}: {c.passed_by}" for c in found) or "none"
        raise WrongDisk(f"{rule}: no disk can be a system disk. Disks: {seen}.")
    return min(free, key=lambda c: c.disk.size) if rule == "smallest" else free[0]


def _named(found: Sequence[Candidate], name: str) -> Candidate:
    if name.startswith(SERIAL):
        serial = name.removeprefix(SERIAL)
        fitting = [c for c in found if c.disk.serial == serial]
    else:
        path = str(Path(name).resolve())
        fitting = [c for c in found if c.path == path]
    if not fitting:
        raise MissingDisk(f"{name}: No disk has this name.")
    if len(fitting) > 1:
        raise WrongDisk(f"{name}: {len(fitting)} disks have this name.")
    return fitting[0]
