"""The disks that may become system disks, and those that the answers select.

A system disk is a whole disk that is not in use, of at least `layout.SMALLEST_DISK`. One that
belongs to an aggregate, or that Sanstone is installed on, is refused until the user agrees to lose
it; any other content of a disk is shown and erased. The medium is mounted, so it is never a
candidate.

Sanstone counts as installed once the file system of its state exists, which is created after the
images: an installation that a power cut interrupted before may simply start again.
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
"""Transports of disks that no rule selects: sticks, virtual media of a BMC, other arrays' LUNs."""
_FIRMWARE = "/sys/firmware/efi"
"""Exists if UEFI started the machine (Documentation/ABI/testing/sysfs-firmware-efi-vars)."""


class WrongDisk(Exception):
    """A disk that is missing or cannot be used; the text names it and says why."""


class MissingDisk(WrongDisk):
    """A named disk that is not present, or not yet."""


@dataclass(frozen=True)
class Candidate:
    """A disk, the md name of the aggregate's RAID group that it belongs to ('' for none).

    `installed` is whether Sanstone is installed on it; `transport` is lsblk's name, for NVMe the
    kernel's: pcie, tcp, rdma, fc. `uefi` is whether UEFI started the machine.
    """

    disk: Disk
    array: str
    installed: bool
    transport: str
    uefi: bool

    @property
    def path(self) -> str:
        """Return its current path."""
        return self.disk.path

    @property
    def obstacle(self) -> str:
        """Return why it cannot be used at all, '' if it can."""
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
        """Return why no rule selects it, '' if one may."""
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
        """Describe its content."""
        if self.array:
            return f"a disk of an aggregate ({self.array})"
        if self.installed:
            return "an installed Sanstone system"
        kinds = dict.fromkeys(each.type for each in self.disk.partitions if each.type)
        content = self.disk.content or "empty"
        return f"{content} ({', '.join(kinds)})" if kinds else content


def candidates(host: Host) -> list[Candidate]:
    """Return all disks, in the kernel's order. Raises HostError."""
    # A disk just written to has no partitions for a moment: udev makes the kernel read its table
    # again.
    host.commands.run(["udevadm", "settle"])
    all_disks = block.disks(host)
    members = [disk.path for disk in all_disks if disk.array_uuid]
    arrays = {
        path: next((name for s in present if (name := _array(s.label))), "")
        for path, present in block.signatures(host, members).items()
    }
    uefi = host.files.exists(_FIRMWARE)
    return [
        Candidate(
            disk, arrays.get(disk.path, ""), _is_installed(host, disk), _transport(host, disk), uefi
        )
        for disk in all_disks
    ]


def _is_installed(host: Host, disk: Disk) -> bool:
    """Return whether the disk has a state, or may have one, if it fails to be read."""
    states = [each.path for each in disk.partitions if each.name == layout.STATE.name]
    try:
        signatures = block.signatures(host, states)
    except CommandError:
        return True
    # On a member of a mirror, blkid sees both the file system and the superblock of the mirror.
    return any(s.label == layout.STATE_LABEL for present in signatures.values() for s in present)


def _transport(host: Host, disk: Disk) -> str:
    """Return how the disk is attached; lsblk reports nvme even over a network."""
    device = f"/sys/block/{disk.name}/device"
    if disk.transport != "nvme" or not host.files.exists(device):
        return disk.transport
    # A controller or, with multipath, a subsystem with links to its controllers.
    places = [device, *(f"{device}/{name}" for name in host.files.listdir(device))]
    files = [f"{place}/transport" for place in places if host.files.exists(f"{place}/transport")]
    return host.files.read(files[0]) if files else disk.transport


def _array(label: str) -> str:
    """Return the name of our RAID group in a superblock's label."""
    name = label.removeprefix(f"{names.HOME_HOST}:")
    return name if names.device_of_array(name) else ""


def require_present(candidates: Sequence[Candidate], names: Sequence[str]) -> None:
    """Raise MissingDisk unless all named disks are present, WrongDisk for an ambiguous name."""
    for name in names:
        if name not in RULES:
            _named(candidates, name)


def require_alike(chosen: Sequence[Candidate]) -> None:
    """Raise WrongDisk unless disks can mirror each other: each must suffice for the other."""
    if len({candidate.disk.logical_block_size for candidate in chosen}) > 1:
        sectors = ", ".join(f"{c.path}: {c.disk.logical_block_size} bytes" for c in chosen)
        raise WrongDisk(
            f"Disks with sectors of different size cannot mirror each other: {sectors}."
        )


def require_unchanged(current: Sequence[Candidate], seen: Sequence[Candidate]) -> None:
    """Raise WrongDisk unless each disk is the same as when the user agreed to erase it.

    One may have been removed meanwhile, and another may have got its name.
    """
    for candidate in seen:
        if candidate not in current:
            raise WrongDisk(
                f"{candidate}: this is no longer at {candidate.path}, or holds something else than "
                "what was shown. Nothing was changed."
            )


def choose(
    candidates: Sequence[Candidate],
    names: Sequence[str],
    *,
    erase_aggregates: bool,
    erase_installed: bool,
) -> tuple[Candidate, ...]:
    """Return the disks that the answers select. Raises WrongDisk, with nothing done.

    A rule does not move on to another disk if Sanstone is installed already: an installation that
    each boot over a network requests would use up one data disk after the other.
    """
    chosen: list[Candidate] = []
    kept = [] if erase_installed else [c for c in candidates if c.installed]
    for name in names:
        if name in RULES:
            _require_none(name, kept)
            candidate = _by_rule([c for c in candidates if c not in chosen], name)
        else:
            candidate = _named(candidates, name)
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


def _by_rule(candidates: Sequence[Candidate], rule: str) -> Candidate:
    free = [c for c in candidates if not c.passed_by]
    if not free:
        seen = "; ".join(f"{c}: {c.passed_by}" for c in candidates) or "none"
        raise WrongDisk(f"{rule}: no disk can be a system disk. Disks: {seen}.")
    return min(free, key=lambda c: c.disk.size) if rule == "smallest" else free[0]


def _named(candidates: Sequence[Candidate], name: str) -> Candidate:
    if name.startswith(SERIAL):
        serial = name.removeprefix(SERIAL)
        fitting = [c for c in candidates if c.disk.serial == serial]
    else:
        path = str(Path(name).resolve())
        fitting = [c for c in candidates if c.path == path]
    if not fitting:
        raise MissingDisk(f"{name}: No disk has this name.")
    if len(fitting) > 1:
        raise WrongDisk(f"{name}: {len(fitting)} disks have this name.")
    return fitting[0]
