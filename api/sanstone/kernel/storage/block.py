"""The machine's disks, their identity, and their content.

Only whole disks count: SCSI, NVMe, virtio and Xen ones. Loop, RAM and device-mapper devices, md
arrays, optical drives and card readers without a card do not. A disk's name may differ after each
boot; its `identity` stays, and two disks that claim the same one are flagged, because mistaking one
for the other destroys data.

A disk that is reached twice, by two ports of a shelf for instance, is one disk with two paths. Its
devices agree in all that it tells of itself, its world-wide name and serial number among that, and
in the RAID group that it is a member of. One path is used: that by which something uses the disk
already, else the first. Another takes over when it is gone.

A disk is free only if nothing at all is on it: no signature that libblkid knows (wipefs(8) lists
them all, with partition tables and their copies at the end of the disk), no mount, no swap, no
device on top. Its content is described in words, for a human to decide. A list of disks becomes
stale, so before writing, check again with `require_empty`.

One lsblk for all disks, and one wipefs for a portion of them; each takes 0.2 s under emulation. A
disk that cannot be read, or does not answer within `PATIENCE`, makes wipefs fail for its portion;
then it is run for each of these disks by itself. lsblk gets only disks and partitions: by default
it lists every device on top, under each disk again, which takes most of a minute for a thousand
thin devices on a RAID of eight disks.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from sanstone.kernel.host import CommandError, CommandTimeout, Host, HostError

_COLUMNS = (
    "NAME,PATH,SIZE,SERIAL,WWN,VENDOR,MODEL,REV,ROTA,RO,TRAN,LOG-SEC,PHY-SEC,MOUNTPOINTS,"
    "PARTLABEL,FSTYPE,DISC-MAX"
)
# A whole disk, and optionally the number of a partition on it.
_DISK = re.compile(r"((?:sd|vd|xvd)[a-z]+|nvme\d+n\d+)(?:p?\d+)?")
RAID_MEMBER = "linux_raid_member"
MANY_PATHS = ("sas", "fc", "iscsi")
"""Transports by which one disk may be reached by several paths; NVMe's are the kernel's affair."""
PORTION = 16
"""Disks that are read one after the other by one program: one to two seconds for rotating ones."""
PATIENCE = 20.0
"""Seconds for which a disk is waited for. One that was asleep takes some ten to spin up, and the
reconciler's watchdog waits for 30."""


class ContentError(HostError):
    """A disk holds something that is not ours, so it must not be touched."""


@dataclass(frozen=True)
class Partition:
    """A partition: its name in a GUID partition table, '' for none, and its content.

    `type` is libblkid's name, as udev reports it: ext4, vfat, LVM2_member, linux_raid_member, … or
    ''.
    """

    path: str
    name: str
    type: str


@dataclass(frozen=True)
class Disk:
    """A whole disk. `content` describes its data, '' for none."""

    name: str
    """The kernel's name, "sda"; it may differ after a reboot, `identity` does not."""
    path: str
    other_paths: tuple[str, ...]
    """Further devices by which the same disk is reached, which are not used."""
    identity: str
    """`wwn:<digits>` or `serial:<model>:<serial>`; '' when the disk reports neither."""
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
    """As the disk reports; virtio disks always report true."""
    transport: str
    """virtio, sata, sas, nvme, fc, iscsi, usb, … or ''."""
    logical_block_size: int
    physical_block_size: int
    discards: bool
    """Whether it takes the order to discard blocks."""
    content: str
    array_uuid: str
    """The UUID of the md array in its superblock, '' for none."""
    busy: str
    """Why it cannot be written to even if its content may be lost: mounted, held by a device on
    top, unreadable, write-protected; '' for nothing."""
    partitions: tuple[Partition, ...]

    @property
    def obstacle(self) -> str:
        """Why it cannot be used, '' if it can."""
        if self.content:
            return self.content
        if not self.identity:
            return "tells neither a world-wide name nor a serial number"
        return "another disk has the same identity" if self.identity_conflict else ""


@dataclass(frozen=True)
class Signature:
    """A signature that libblkid recognises on a device."""

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


def disks(host: Host, progress: Callable[[], None] = lambda: None) -> list[Disk]:
    """Return all whole disks, ordered by name; `progress` is called between steps."""
    try:
        rows = _rows(host)
    except CommandError:
        # lsblk fails for a disk that was removed after it had been listed: try again.
        rows = _rows(host)
    whole_disks = {name: row for name, row in rows.items() if name == _disk_of(name)}
    signatures = signatures_or_errors(host, [row["path"] for row in whole_disks.values()], progress)
    mounts, holders, partitions = _mounts(host, rows), _holders(host, rows), _partitions(rows)
    present = [
        _disk(row, _Use(mounts[name], signatures[row["path"]], holders[name]), partitions[name])
        for name, row in whole_disks.items()
    ]
    joined = _joined(sorted(present, key=lambda disk: (len(disk.name), disk.name)))
    claims = Counter(disk.identity for disk in joined if disk.identity)
    return [replace(disk, identity_conflict=claims[disk.identity] > 1) for disk in joined]


def _joined(devices: Iterable[Disk]) -> list[Disk]:
    """Return the disks that devices lead to, each with its other paths."""
    by_disk: dict[object, list[Disk]] = defaultdict(list)
    for device in devices:
        has_identity = device.wwn and device.serial and device.transport in MANY_PATHS
        by_disk[_described(device) if has_identity else device.name].append(device)
    disks = []
    for paths in by_disk.values():
        used = next((path for path in paths if path.busy), paths[0])
        others = tuple(path.path for path in paths if path is not used)
        disks.append(replace(used, other_paths=others))
    return disks


def _described(device: Disk) -> Disk:
    """Return a device's facts about its disk, without those of the path.

    Its superblock names the array that it is a member of: a stranger with the same world-wide name
    and serial number has none, or that of another array.
    """
    return replace(device, name="", path="", content="", busy="", partitions=())


def listed(host: Host) -> list[str]:
    """Return the names of all disks and partitions that the kernel lists. Raises FileError.

    Devices without a size, such as a reader without a card, are left out.
    """
    # Lines of major, minor, size and name under a heading.
    lines = host.files.read("/proc/partitions").splitlines()[2:]
    return [name for name in (line.split()[3] for line in lines) if _disk_of(name)]


def signatures(host: Host, paths: Sequence[str]) -> dict[str, list[Signature]]:
    """Return the signatures on each device, by path.

    Raises CommandError if one cannot be read, CommandTimeout if one does not answer.
    """
    by_path: dict[str, list[Signature]] = {path: [] for path in paths}
    if not by_path:
        return by_path
    by_name = {PurePosixPath(path).name: path for path in paths}
    argv = ["wipefs", "--no-act", "--json", "--output", "DEVICE,TYPE,UUID,LABEL,USAGE", *paths]
    for row in json.loads(host.commands.run(argv, time_limit=PATIENCE))["signatures"]:
        text = {key: row[key] or "" for key in ("type", "uuid", "label", "usage")}
        by_path[by_name[row["device"]]].append(Signature(**text))
    return by_path


def signatures_or_errors(
    host: Host, paths: Sequence[str], progress: Callable[[], None] = lambda: None
) -> dict[str, list[Signature] | str]:
    """Return the signatures on each disk, or why it cannot be read, by path."""
    by_path: dict[str, list[Signature] | str] = {}
    for start in range(0, len(paths), PORTION):
        portion = paths[start : start + PORTION]
        progress()
        try:
            by_path |= signatures(host, portion)
        except (CommandError, CommandTimeout):
            for path in portion:
                progress()
                by_path[path] = _signatures_or_error(host, path)
    return by_path


def _signatures_or_error(host: Host, path: str) -> list[Signature] | str:
    try:
        return signatures(host, [path])[path]
    except CommandError as error:
        return error.stderr.strip() or str(error)
    except CommandTimeout as error:
        return str(error)


def require_empty(host: Host, paths: Sequence[str], *, array_uuid: str = "") -> set[str]:
    """Raise ContentError unless each disk is empty or carries only a superblock of `array_uuid`.

    Returns the paths of those that carry it.
    """
    ours: set[str] = set()
    for path, present in signatures(host, paths).items():
        for signature in present:
            if signature.type != RAID_MEMBER or signature.uuid != array_uuid:
                raise ContentError("{}: holds data that is not ours: {}", path, signature)
            ours.add(path)
    return ours


def carriers(host: Host, paths: Sequence[str], array_uuid: str) -> list[str]:
    """Return the disks that carry a superblock of an array, without unreadable ones."""
    return [
        path
        for path, present in signatures_or_errors(host, paths).items()
        if any(isinstance(s, Signature) and s.uuid == array_uuid for s in present)
    ]


def sector_size(host: Host, path: str) -> int:
    """Return the bytes of a device's logical sector, the smallest that it reads and writes.

    Linux: Documentation/ABI/stable/sysfs-block, logical_block_size. Raises FileError.
    """
    return int(host.files.read(f"/sys/block/{PurePosixPath(path).name}/queue/logical_block_size"))


def disk_under(host: Host, name: str) -> str:
    """Return the kernel's name of the disk that a device lies on by itself: "sda" for "dm-3".

    That is the device itself unless it is a mapped one, and '' for a mapped one without any.
    """
    if not name.startswith("dm-"):
        return name
    slaves = host.files.listdir(f"/sys/class/block/{name}/slaves")
    return disk_under(host, slaves[0]) if slaves else ""


def zeroes_itself(host: Host, path: str) -> bool:
    """Return whether the disk clears ranges quickly on request, with no data sent.

    A rotating disk accepts such requests too but then writes for hours; a virtio disk always
    reports that it rotates, and leaves the work to the machine below.
    """
    queue = f"/sys/block/{PurePosixPath(path).name}/queue"
    if host.files.read(f"{queue}/write_zeroes_max_bytes") == "0":
        return False
    return host.files.read(f"{queue}/rotational") == "0" or path.startswith("/dev/vd")


def _disk_of(name: str) -> str:
    """Return the name of a disk, or of a partition's disk; '' for any other device."""
    match = _DISK.fullmatch(name)
    return match[1] if match else ""


def _rows(host: Host) -> dict[str, dict[str, Any]]:
    """Return lsblk's row of each disk and partition, by name."""
    names = listed(host)
    if not names:
        return {}
    argv = ["lsblk", "--nodeps", "--json", "--bytes", "--output", _COLUMNS]
    answer = host.commands.run([*argv, *(f"/dev/{name}" for name in names)])
    return {row["name"]: row for row in json.loads(answer)["blockdevices"]}


@dataclass(frozen=True)
class _Use:
    """Use of a disk: mount points, signatures or why they are unknown, devices on top."""

    mounts: list[str]
    signatures: list[Signature] | str
    holders: list[str]


def _mounts(host: Host, rows: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Return the mount points of each disk, its partitions, and mapped devices on these."""
    by_disk: dict[str, list[str]] = defaultdict(list)
    for name, row in rows.items():
        by_disk[_disk_of(name)] += filter(None, row["mountpoints"])
    for line in host.files.read("/proc/self/mountinfo").splitlines():
        # proc_pid_mountinfo(5): the third field is the device, the fifth the mount point.
        _, _, number, _, target = line.split()[:5]
        for disk in _disks_under(host, f"/sys/dev/block/{number}"):
            by_disk[disk].append(target)
    return defaultdict(
        list, {disk: list(dict.fromkeys(mounts)) for disk, mounts in by_disk.items()}
    )


def _disks_under(host: Host, device: str) -> Iterator[str]:
    """Yield the whole disks below a device in sysfs; none if there is no such device."""
    if host.files.exists(device):
        yield from filter(None, [_disk_of(PurePosixPath(host.files.readlink(device)).name)])
        slaves = f"{device}/slaves"
        # A partition has no such directory.
        for slave in host.files.listdir(slaves) if host.files.exists(slaves) else ():
            yield from _disks_under(host, f"{slaves}/{slave}")


def _holders(host: Host, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of the devices that hold each disk or a partition of it."""
    by_disk: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for holder in host.files.listdir(f"/sys/class/block/{name}/holders"):
            mapped = f"/sys/class/block/{holder}/dm/name"
            holder_name = host.files.read(mapped) if host.files.exists(mapped) else holder
            by_disk[_disk_of(name)].append(holder_name)
    return by_disk


def _partitions(rows: dict[str, dict[str, Any]]) -> dict[str, tuple[Partition, ...]]:
    """Return the partitions of each disk, in the kernel's order."""
    by_disk: dict[str, tuple[Partition, ...]] = defaultdict(tuple)
    for name, row in rows.items():
        if name != _disk_of(name):
            partition = Partition(row["path"], row["partlabel"] or "", row["fstype"] or "")
            by_disk[_disk_of(name)] += (partition,)
    return by_disk


def _disk(row: dict[str, Any], use: _Use, partitions: tuple[Partition, ...]) -> Disk:
    def text(key: str) -> str:
        return str(row[key] or "").strip()

    serial, model = text("serial"), text("model")
    wwn = text("wwn").lower().removeprefix("0x")
    raid = [s.uuid for s in use.signatures if isinstance(s, Signature) and s.type == RAID_MEMBER]
    return Disk(
        name=row["name"],
        path=row["path"],
        other_paths=(),
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
        discards=bool(row["disc-max"]),
        content=_content(use) or ("write-protected" if row["ro"] else ""),
        array_uuid=raid[0] if raid else "",
        busy=_busy(use) or ("write-protected" if row["ro"] else ""),
        partitions=partitions,
    )


def _content(use: _Use) -> str:
    """Describe the content of a disk, the most valuable first."""
    if use.signatures and not use.mounts and not isinstance(use.signatures, str):
        return ", ".join(dict.fromkeys(map(str, use.signatures)))
    return _busy(use)


def _busy(use: _Use) -> str:
    if use.mounts:
        return f"mounted at {', '.join(use.mounts)}"
    if isinstance(use.signatures, str):
        return f"unreadable: {use.signatures}"
    return f"in use by {', '.join(use.holders)}" if use.holders else ""
