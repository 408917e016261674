"""Disks: which there are, what they are, and what is on them.

Only whole disks count: SCSI, NVMe, virtio and Xen ones. Loop, RAM and device-mapper devices, md
arrays, optical drives and card readers without a card are none. A disk's name may differ after
each boot; what stays is its `identity`, and two disks that claim the same one are flagged, because
taking one for the other destroys data. (Two paths to one disk look just like that, and are as
dangerous.)

A disk is free only if nothing at all is found on it: no signature that libblkid knows (wipefs(8)
lists them all, with partition tables and their copies at the end of the disk), no mount, no swap,
no device on top. What is found is told in words, for a human to decide. A list of disks grows old,
so whoever is about to write looks again with `require_empty`.

One lsblk and one wipefs for all disks; each takes 0.2 s under emulation. A disk that cannot be read
makes wipefs give up on all, so it is then asked for each disk by itself. lsblk is asked for disks
and partitions only: on its own it tells of every device on top, under each disk again, which for a
thousand thin devices on a RAID of eight disks takes most of a minute.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from sanstone.kernel.host import CommandError, Host, HostError

_COLUMNS = (
    "NAME,PATH,SIZE,SERIAL,WWN,VENDOR,MODEL,REV,ROTA,RO,TRAN,LOG-SEC,PHY-SEC,MOUNTPOINTS,"
    "PARTLABEL,FSTYPE"
)
# A whole disk, and perhaps the number of a partition on it.
_DISK = re.compile(r"((?:sd|vd|xvd)[a-z]+|nvme\d+n\d+)(?:p?\d+)?")
RAID_MEMBER = "linux_raid_member"


class ContentError(HostError):
    """A disk holds something that is not ours, so it must not be touched."""


@dataclass(frozen=True)
class Partition:
    """A partition: its name in a GUID partition table, '' for none, and what udev found on it.

    `type` is libblkid's word: ext4, vfat, LVM2_member, linux_raid_member, … or ''.
    """

    path: str
    name: str
    type: str


@dataclass(frozen=True)
class Disk:
    """A whole disk. `content` is '' when nothing is on it, else says what."""

    name: str
    """The kernel's name, "sda"; it may differ after a reboot, `identity` does not."""
    path: str
    identity: str
    """`wwn:<digits>` or `serial:<model>:<serial>`; '' when the disk tells neither."""
    identity_conflict: bool
    """Whether another disk claims the same identity: then neither may be used."""
    size: int
    """Bytes."""
    serial: str
    wwn: str
    vendor: str
    model: str
    firmware: str
    rotational: bool
    """As the disk says; virtio disks say so whatever they are made of."""
    transport: str
    """virtio, sata, sas, nvme, fc, iscsi, usb, … or ''."""
    logical_block_size: int
    physical_block_size: int
    content: str
    array_uuid: str
    """The UUID of the md array whose superblock it carries, '' for none."""
    busy: str
    """What keeps it from being written to even where its content may go: mounted, held by a device
    on top, unreadable, write-protected; '' for nothing."""
    partitions: tuple[Partition, ...]

    @property
    def obstacle(self) -> str:
        """Why it cannot be used, '' when it can."""
        if self.content:
            return self.content
        if not self.identity:
            return "tells neither a world-wide name nor a serial number"
        return "another disk has the same identity" if self.identity_conflict else ""


@dataclass(frozen=True)
class Signature:
    """What libblkid recognises on a device."""

    type: str
    uuid: str
    label: str
    usage: str

    def __str__(self) -> str:
        if self.type == RAID_MEMBER:
            return f"md member of {self.label or self.uuid}"
        if self.type == "LVM2_member":
            return "LVM physical volume"
        if self.usage == "filesystem":
            return " ".join(filter(None, (self.type, "file system", self.label)))
        return f"{self.type} partition table" if self.type in ("gpt", "dos") else self.type


def disks(host: Host) -> list[Disk]:
    """Return all whole disks, ordered by name."""
    try:
        rows = _rows(host)
    except CommandError:
        # lsblk refuses a disk that was pulled after it had been listed: look again.
        rows = _rows(host)
    whole = {name: row for name, row in rows.items() if name == _disk_of(name)}
    signatures = signatures_or_errors(host, [row["path"] for row in whole.values()])
    mounts, holders, partitions = _mounts(host, rows), _holders(host, rows), _partitions(rows)
    found = [
        _disk(row, _Use(mounts[name], signatures[row["path"]], holders[name]), partitions[name])
        for name, row in whole.items()
    ]
    claims = Counter(disk.identity for disk in found if disk.identity)
    return [
        replace(disk, identity_conflict=claims[disk.identity] > 1)
        for disk in sorted(found, key=lambda disk: (len(disk.name), disk.name))
    ]


def listed(host: Host) -> list[str]:
    """Return the names of all disks and their partitions that the kernel knows. Raises FileError.

    Devices without a size, as a reader without a card, are none.
    """
    # Lines of major, minor, size and name under a heading.
    lines = host.files.read("/proc/partitions").splitlines()[2:]
    return [name for name in (line.split()[3] for line in lines) if _disk_of(name)]


def signatures(host: Host, paths: Sequence[str]) -> dict[str, list[Signature]]:
    """Return by path what is on each device. Raises CommandError when one cannot be read."""
    found: dict[str, list[Signature]] = {path: [] for path in paths}
    if not found:
        return found
    by_name = {PurePosixPath(path).name: path for path in paths}
    argv = ["wipefs", "--no-act", "--json", "--output", "DEVICE,TYPE,UUID,LABEL,USAGE", *paths]
    for row in json.loads(host.commands.run(argv))["signatures"]:
        text = {key: row[key] or "" for key in ("type", "uuid", "label", "usage")}
        found[by_name[row["device"]]].append(Signature(**text))
    return found


def signatures_or_errors(host: Host, paths: Sequence[str]) -> dict[str, list[Signature] | str]:
    """Return by path what is on each disk, or why that cannot be told."""
    try:
        return {**signatures(host, paths)}
    except CommandError:
        found: dict[str, list[Signature] | str] = {}
        for path in paths:
            try:
                found[path] = signatures(host, [path])[path]
            except CommandError as error:
                found[path] = error.stderr.strip() or str(error)
        return found


def require_empty(host: Host, paths: Sequence[str], *, array_uuid: str = "") -> set[str]:
    """Raise ContentError unless each disk is empty or carries only a superblock of `array_uuid`.

    Returns the paths of those that carry it.
    """
    ours: set[str] = set()
    for path, present in signatures(host, paths).items():
        for signature in present:
            if signature.type != RAID_MEMBER or signature.uuid != array_uuid:
                raise ContentError(f"{path}: holds data that is not ours: {signature}")
            ours.add(path)
    return ours


def carriers(host: Host, paths: Sequence[str], array_uuid: str) -> list[str]:
    """Return those of the disks that carry a superblock of this array; unreadable ones do not."""
    return [
        path
        for path, present in signatures_or_errors(host, paths).items()
        if any(isinstance(s, Signature) and s.uuid == array_uuid for s in present)
    ]


def zeroes_itself(host: Host, path: str) -> bool:
    """Return whether the disk clears ranges at once when asked, with no data sent.

    A rotating disk takes such requests too but then writes for hours; a virtio disk calls itself
    rotating whatever it is made of, and leaves the work to the machine under it.
    """
    queue = f"/sys/block/{PurePosixPath(path).name}/queue"
    if host.files.read(f"{queue}/write_zeroes_max_bytes") == "0":
        return False
    return host.files.read(f"{queue}/rotational") == "0" or path.startswith("/dev/vd")


def _disk_of(name: str) -> str:
    """Return the whole disk that a device is, or is a partition of; '' for any other device."""
    match = _DISK.fullmatch(name)
    return match[1] if match else ""


def _rows(host: Host) -> dict[str, dict[str, Any]]:
    """Return by name what lsblk says of each disk and partition."""
    names = listed(host)
    if not names:
        return {}
    argv = ["lsblk", "--nodeps", "--json", "--bytes", "--output", _COLUMNS]
    answer = host.commands.run([*argv, *(f"/dev/{name}" for name in names)])
    return {row["name"]: row for row in json.loads(answer)["blockdevices"]}


@dataclass(frozen=True)
class _Use:
    """What is on a disk: mount points, signatures or why there are none, devices on top."""

    mounts: list[str]
    signatures: list[Signature] | str
    holders: list[str]


def _mounts(host: Host, rows: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Return by disk what is mounted from it, its partitions, and mapped devices on these."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, row in rows.items():
        found[_disk_of(name)] += filter(None, row["mountpoints"])
    for line in host.files.read("/proc/self/mountinfo").splitlines():
        # proc_pid_mountinfo(5): the third field is the device, the fifth the mount point.
        _, _, number, _, target = line.split()[:5]
        for disk in _disks_under(host, f"/sys/dev/block/{number}"):
            found[disk].append(target)
    return defaultdict(list, {disk: list(dict.fromkeys(mounts)) for disk, mounts in found.items()})


def _disks_under(host: Host, device: str) -> Iterator[str]:
    """Yield the whole disks that a device in sysfs is made of; none if there is no such device."""
    if host.files.exists(device):
        yield from filter(None, [_disk_of(PurePosixPath(host.files.readlink(device)).name)])
        slaves = f"{device}/slaves"
        # A partition has no such directory.
        for slave in host.files.listdir(slaves) if host.files.exists(slaves) else ():
            yield from _disks_under(host, f"{slaves}/{slave}")


def _holders(host: Host, names: Iterable[str]) -> dict[str, list[str]]:
    """Return by disk the names of the devices that hold it or a partition of it."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for holder in host.files.listdir(f"/sys/class/block/{name}/holders"):
            mapped = f"/sys/class/block/{holder}/dm/name"
            known = host.files.read(mapped) if host.files.exists(mapped) else holder
            found[_disk_of(name)].append(known)
    return found


def _partitions(rows: dict[str, dict[str, Any]]) -> dict[str, tuple[Partition, ...]]:
    """Return the partitions of each disk, in the kernel's order."""
    found: dict[str, tuple[Partition, ...]] = defaultdict(tuple)
    for name, row in rows.items():
        if name != _disk_of(name):
            partition = Partition(row["path"], row["partlabel"] or "", row["fstype"] or "")
            found[_disk_of(name)] += (partition,)
    return found


def _disk(row: dict[str, Any], use: _Use, partitions: tuple[Partition, ...]) -> Disk:
    def text(key: str) -> str:
        return str(row[key] or "").strip()

    serial, model = text("serial"), text("model")
    wwn = text("wwn").lower().removeprefix("0x")
    raid = [s.uuid for s in use.signatures if isinstance(s, Signature) and s.type == RAID_MEMBER]
    return Disk(
        name=row["name"],
        path=row["path"],
        identity=f"wwn:{wwn}" if wwn else f"serial:{model}:{serial}" if serial else "",
        identity_conflict=False,
        size=row["size"],
        serial=serial,
        wwn=wwn,
        # A virtio disk's "vendor" is the PCI number of virtio, 0x1af4.
        vendor="" if text("vendor").startswith("0x") else text("vendor"),
        model=model,
        firmware=text("rev"),
        rotational=row["rota"],
        transport=text("tran"),
        logical_block_size=row["log-sec"],
        physical_block_size=row["phy-sec"],
        content=_content(use) or ("write-protected" if row["ro"] else ""),
        array_uuid=raid[0] if raid else "",
        busy=_busy(use) or ("write-protected" if row["ro"] else ""),
        partitions=partitions,
    )


def _content(use: _Use) -> str:
    """Say what is on a disk, what would hurt most to lose first."""
    if use.signatures and not use.mounts and not isinstance(use.signatures, str):
        return ", ".join(dict.fromkeys(map(str, use.signatures)))
    return _busy(use)


def _busy(use: _Use) -> str:
    if use.mounts:
        return f"mounted at {', '.join(use.mounts)}"
    if isinstance(use.signatures, str):
        return f"unreadable: {use.signatures}"
    return f"in use by {', '.join(use.holders)}" if use.holders else ""
