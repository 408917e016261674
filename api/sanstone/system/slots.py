"""The two system slots of an installed array: which one runs, their content, and their devices.

RAUC starts a program of ours some twenty times per update to query this, so nothing slow is
imported here.

GRUB sets on the kernel's command line which slot it booted, from which ESP (`sanstone.slot=`,
`sanstone.esp=`, a PARTUUID). A live system, or one in the lab, has neither: it has no slots, and
`find` returns None.

Everything else follows from the ESP's disk: the partitions by number (see `layout`), and if they
are members of RAID 1, the arrays and so the other disk. A member of an array that is not active is
assembled first: writing to it alone would make the halves of the mirror differ.
"""

from __future__ import annotations

import errno
import logging
import posixpath
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from sanstone.core.places import run_directory
from sanstone.kernel.host import CommandError, FileError, Host, HostError
from sanstone.system import boot_order, grub_environment
from sanstone.system.grub_environment import BadEnvironment, Environment
from sanstone.system.layout import BOOT, ESP, STATE, SYSTEM, Partition

_VERSION = re.compile(r"""^(?:set )?version=["']?([^"'\s]+)""", re.MULTILINE)
_SCHEMA = re.compile(r"""^(?:set )?schema=["']([0-9a-z ]*)["']""", re.MULTILINE)
log = logging.getLogger("sanstone.system")


@dataclass(frozen=True)
class Slots:
    """The slots of this machine. `running` is "a" or "b"; devices are paths by slot."""

    running: str
    esps: tuple[str, ...]
    boot: dict[str, str]
    system: dict[str, str]


@dataclass(frozen=True)
class Release:
    """The content of a slot: `version` is '' if it cannot be read.

    `schema` are the database revisions that it knows, oldest first; None if it does not tell.
    """

    version: str = ""
    schema: tuple[str, ...] | None = None


def booted(host: Host) -> str:
    """Return the slot that GRUB booted, '' where there are no slots. Raises HostError."""
    running = _command_line(host).get("sanstone.slot", "")
    return running if running in boot_order.SLOTS else ""


def _command_line(host: Host) -> dict[str, str]:
    words = host.files.read("/proc/cmdline").split()
    return dict(word.split("=", 1) for word in words if "=" in word)


def find(host: Host) -> Slots | None:
    """Return the machine's slots, None where there are none. Raises HostError."""
    running = booted(host)
    if not running:
        return None
    esp_uuid = _command_line(host).get("sanstone.esp", "")
    esp = host.files.readlink(f"/dev/disk/by-partuuid/{esp_uuid}")
    disks = _partitions(host)
    first = next((d for d, names in disks.items() if posixpath.basename(esp) in names), None)
    if first is None:
        raise HostError(f"the disk that the system was started from is gone: {esp}")
    members = _members(host, disks, _state(host, disks, first))
    mine = [first, *(disk for disk in disks if disk != first and members & disks[disk].keys())]
    return Slots(
        running,
        tuple(_path(disks, disk, ESP) for disk in mine),
        {slot: _device(host, disks, mine, BOOT[slot]) for slot in boot_order.SLOTS},
        {slot: _device(host, disks, mine, SYSTEM[slot]) for slot in boot_order.SLOTS},
    )


def _partitions(host: Host) -> dict[str, dict[str, int]]:
    """Return the numbers of partitions by name, by disk (sysfs, ABI/stable/sysfs-block)."""
    by_disk: dict[str, dict[str, int]] = {}
    for disk in host.files.listdir("/sys/block"):
        try:
            names = host.files.listdir(f"/sys/block/{disk}")
        except FileError as error:
            # RAUC shows a package by device-mapper, and takes that away when it has installed it.
            if error.errno != errno.ENOENT:
                raise
            continue
        for name in names:
            number = f"/sys/block/{disk}/{name}/partition"
            if host.files.exists(number):
                by_disk.setdefault(disk, {})[name] = int(host.files.read(number))
    return by_disk


def _path(disks: dict[str, dict[str, int]], disk: str, partition: Partition) -> str:
    for name, number in disks[disk].items():
        if number == partition.number:
            return f"/dev/{name}"
    raise HostError(f"/dev/{disk} has no partition {partition.number}, {partition.name}")


def _state(host: Host, disks: dict[str, dict[str, int]], first: str) -> str:
    """Return a partition with the state: that of the booted disk, or a member of its array.

    The array runs without the booted disk's member if that could not be read. No other array of
    partitions is active: the initramfs starts only those of this system.
    """
    own = _path(disks, first, STATE)
    states = [f"/dev/{name}" for d in disks.values() for name, n in d.items() if n == STATE.number]
    return next((each for each in [own, *states] if _array(host, disks, each)), own)


def _array(host: Host, disks: dict[str, dict[str, int]], device: str) -> str:
    """Return the md array that has a partition as its member, '' for none that is active."""
    name = posixpath.basename(device)
    disk = next(disk for disk, names in disks.items() if name in names)
    holders = f"/sys/block/{disk}/{name}/holders"
    holding = host.files.listdir(holders) if host.files.exists(holders) else []
    return next((holder for holder in holding if holder.startswith("md")), "")


def _members(host: Host, disks: dict[str, dict[str, int]], device: str) -> set[str]:
    array = _array(host, disks, device)
    return set(host.files.listdir(f"/sys/block/{array}/slaves")) if array else set()


def _device(
    host: Host, disks: dict[str, dict[str, int]], mine: list[str], partition: Partition
) -> str:
    """Return the device of a slot's partition: the array where it is mirrored.

    Each disk is checked: one with an unreadable superblock looks as if it were not mirrored.
    """
    devices = [_path(disks, disk, partition) for disk in mine]
    for device in devices:
        array = _array(host, disks, device)
        if not array and _content(host, device) == "linux_raid_member":
            array = _assemble(host, disks, device, partition)
        if array:
            return f"/dev/{array}"
    return devices[0]


def _assemble(
    host: Host, disks: dict[str, dict[str, int]], device: str, partition: Partition
) -> str:
    """Start the mirror of a partition with all of its members; return its name.

    Members are looked up on every disk: if the booted disk was missing for a while, it is the stale
    half, and would otherwise run alone. A member that mdadm omits as stale is added again.
    """
    number = partition.number
    candidates = [
        f"/dev/{name}" for names in disks.values() for name, n in names.items() if n == number
    ]
    uuid = _probed(host, device, "UUID")
    members = [path for path in candidates if _probed(host, path, "UUID") == uuid]
    host.commands.run(["mdadm", "--assemble", "--run", f"/dev/md/{partition.name}", *members])
    array = next(filter(None, (_array(host, disks, member) for member in members)), "")
    for member in members:
        if not _array(host, disks, member):
            host.commands.run(["mdadm", f"/dev/{array}", "--add", member])
    return array


def _content(host: Host, device: str) -> str:
    """Return blkid's type of a device's content, '' for none: it was never written."""
    return _probed(host, device, "TYPE")


def _probed(host: Host, device: str, tag: str) -> str:
    """Return a tag that blkid reads from a device, '' for none. Raises CommandError.

    The UUID of a member of an md array is that of the array.
    """
    probe = ["blkid", "--probe", "--match-tag", tag, "--output", "value", device]
    try:
        return host.commands.run(probe).strip()
    except CommandError as error:
        if error.status == 2:
            return ""
        raise


@contextmanager
def mounted(host: Host, device: str, kind: str, options: str) -> Iterator[Path]:
    """Mount a file system for the duration of a block, one process at a time. Raises HostError."""
    run = run_directory()
    with host.files.locked(str(run / "system-disk.lock")):
        place = run / f"mount-{uuid4()}"
        host.files.make_folder(str(place), 0o700)
        try:
            options = f"{options},nodev,nosuid"
            host.commands.run(["mount", "-t", kind, "-o", options, device, str(place)])
            try:
                yield place
            finally:
                host.commands.run(["umount", str(place)])
        finally:
            host.files.rmdir(str(place))


def environment(host: Host, slots: Slots) -> Environment:
    """Return GRUB's variables from the ESP that was booted. Raises HostError."""
    with mounted(host, slots.esps[0], "vfat", "ro") as place:
        return _variables(place)


def change_environment(host: Host, slots: Slots, variables: Environment) -> None:
    """Write GRUB's variables to every ESP, the booted one last. Raises HostError.

    One of two disks may be dead: it is enough to write at least one.
    """
    failed: list[HostError] = []
    for esp in reversed(slots.esps):
        try:
            with mounted(host, esp, "vfat", "rw") as place:
                grub_environment.write(host.files, place / "grub/grubenv", variables)
        except (BadEnvironment, OSError) as error:
            failed.append(HostError(f"grubenv of {esp}: {error}"))
        except HostError as error:
            failed.append(error)
    for failure in failed:
        log.error("GRUB's variables were not written: %s", failure)
    if len(failed) == len(slots.esps):
        raise failed[-1]


def _variables(place: Path) -> Environment:
    try:
        return grub_environment.read(place / "grub/grubenv")
    except (BadEnvironment, OSError) as error:
        raise HostError(f"GRUB's variables cannot be read: {error}") from error


def release(host: Host, device: str) -> Release:
    """Return the release in a boot partition."""
    if _content(host, device) != "squashfs":
        return Release()  # Nothing was ever written there; the kernel would log the failed attempt.
    try:
        with mounted(host, device, "squashfs", "ro") as place:
            text = (place / "boot.cfg").read_text()
    except (HostError, OSError) as error:
        log.info("%s holds no system: %s", device, error)
        return Release()
    version, schema = _VERSION.search(text), _SCHEMA.search(text)
    known = tuple(schema[1].split()) if schema else None
    return Release(version[1], known) if version else Release()
