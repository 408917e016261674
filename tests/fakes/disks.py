"""Disks of the fake machine, their content, and the programs that look: lsblk and wipefs.

Content belongs to the disk and survives reboots and being pulled out. wipefs answers for md arrays
too: an array's content is known here by its kernel name while the array runs. A mapped device shows
the content of the disk or array below it from some byte on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from fakes.arguments import parse
from fakes.commands import FakeCommands
from fakes.devices import BlockDevices
from fakes.files import Directory, FakeFiles, SymbolicLink, Text
from fakes.interrupt import Interrupt

SCSI_MAJOR, NVME_MAJOR = 8, 259


@dataclass
class Superblock:
    """An md superblock, version 1.2 (include/uapi/linux/raid/md_p.h), as far as it matters here."""

    uuid: str
    label: str
    level: str
    disks: int
    slot: int | None
    events: int = 0
    working: int = 0
    """How many members were in sync when it was last written."""
    is_dirty: bool = False
    """Whether writes were under way when it was last written."""
    reshaped: int | None = None
    """How far a reshape is, in sectors; None for none."""
    before: int = 0
    """How many members the array had before the reshape."""


@dataclass
class Foreign:
    """Something on a device that is not ours, as libblkid calls it."""

    type: str
    usage: str
    label: str = ""
    uuid: str = ""


@dataclass
class FakePartition:
    """A partition: its name in a GUID partition table, '' for none, and its content."""

    name: str = ""
    foreign: list[Foreign] = field(default_factory=list)


@dataclass
class FakeDisk:
    """A disk."""

    name: str
    size: int
    serial: str
    wwn: str
    rotational: bool = False
    zeroes_itself: bool = True
    superblock: Superblock | None = None
    foreign: list[Foreign] = field(default_factory=list)
    transport: str = "sas"
    divided: list[FakePartition] = field(default_factory=list)
    mounted_at: str = ""
    """Where its first partition is mounted."""
    broken: bool = False
    """Reading it fails."""
    logical_block_size: int = 512
    discards: bool = True
    overwritten: str = ""
    """How all of it was last erased, by "discard", "zeroes", or how it sanitized itself; '' for not
    at all."""
    vendor: str = "FAKE"
    sanitizes: tuple[str, ...] = ()
    """How it can sanitize itself: "crypto_erase", "block_erase", "overwrite"."""
    sanitizing: str = ""
    """"running", "failed" or ''; until it is '' again nothing can be read or written."""
    sanitized_by: str = ""
    unrestricted: bool = False
    """Whether it was sanitized unrestricted, so that it can leave a failure (AUSE)."""
    looks: int = 2
    """Looks at its progress until it is done."""
    done: int = 0
    fails_to_sanitize: bool = False
    frozen: bool = False
    """Whether the firmware has frozen sanitizing until its power is off."""
    to_be_written: bool = False
    """Whether it refuses to be read after it was sanitized, until it was written."""
    descriptors: bool = False
    """Whether its sense data are descriptors (D_SENSE)."""
    io: tuple[int, ...] = (0,) * 8
    """Of /proc/diskstats the first eight: reads, merged, sectors, milliseconds; so of writes."""
    namespaces: int = 1
    """Allocated namespaces of its NVMe subsystem, itself included."""
    header: bytearray = field(default_factory=bytearray, repr=False)
    """The bytes that a layer has written at its beginning."""
    behind: dict[int, FakeDisk] = field(default_factory=dict)
    """Contents of areas, by the byte at which a layer shows them."""

    @property
    def is_readable(self) -> bool:
        """Return whether it can be read."""
        return not (self.broken or self.sanitizing)

    def partitions(self) -> dict[str, FakePartition]:
        """Return its partitions by the kernel's names."""
        base = f"{self.name}p" if self.name[-1].isdigit() else self.name
        return {f"{base}{number}": each for number, each in enumerate(self.divided, 1)}

    def signatures(self) -> list[Foreign]:
        """Return the signatures that wipefs lists."""
        signatures = [Foreign("crypto_LUKS", "crypto")] if any(self.header) else []
        if block := self.superblock:
            signatures.append(Foreign("linux_raid_member", "raid", block.label, block.uuid))
        return [*signatures, *self.foreign]


class FakeDisks:
    """The disks that are plugged in, and those that were pulled out."""

    def __init__(
        self, interrupt: Interrupt, devices: BlockDevices, commands: FakeCommands, files: FakeFiles
    ) -> None:
        self._interrupt, self._devices, self._files = interrupt, devices, files
        self.present: dict[str, FakeDisk] = {}
        self.pulled: dict[str, FakeDisk] = {}
        self.array_labels: dict[str, list[Foreign]] = {}
        """The content of each running array, by its kernel name."""
        self.members: dict[str, str] = {}
        """The array that has a disk open, by the disk's name; `hold` sets it."""
        self.still_open: set[str] = set()
        """Disks that were pulled while a mapped device had them open; their names stay taken."""
        self.beneath: Callable[[str], tuple[str, int]] = lambda name: (name, 0)
        """The device that a mapped device shows, see `FakeMapper`; `fakes.storage` sets it."""
        self._behind: dict[tuple[str, int], list[Foreign]] = {}
        """The content of an array from a byte on, by the array's name and that byte."""
        commands.register("lsblk", self._lsblk)
        commands.register("wipefs", self._wipefs)

    def plug(self, disk: FakeDisk) -> None:
        """Put a disk in."""
        self.pulled.pop(disk.name, None)
        self.present[disk.name] = disk
        self._register(disk)
        self._list_partitions()

    def find(self, name: str) -> FakeDisk | None:
        """Return a disk, or the area of one that a mapped device shows, if it is there."""
        lowest, offset = self.beneath(name)
        disk = self.present.get(lowest)
        if disk is None or not offset:
            return disk
        if offset not in disk.behind:
            fresh: dict[str, Any] = {"superblock": None, "foreign": [], "divided": []}
            disk.behind[offset] = replace(disk, header=bytearray(), behind={}, **fresh)
        return disk.behind[offset]

    def is_member(self, name: str) -> bool:
        """Return whether an array has a disk, or a mapped device, open."""
        return name in self.members

    def labels(self, name: str) -> list[Foreign] | None:
        """Return the content of a running array, or of its area that a mapped device shows."""
        lowest, offset = self.beneath(name)
        if lowest not in self.array_labels or not offset:
            return self.array_labels.get(lowest)
        return self._behind.setdefault((lowest, offset), [])

    def divide(self, name: str, partitions: Sequence[FakePartition]) -> None:
        """Replace the partitions of a disk."""
        disk = self.present[name]
        for node in disk.partitions():
            self._files.displace(f"/sys/class/block/{node}/holders")
        disk.divided = list(partitions)
        for node in disk.partitions():
            self._files.place(f"/sys/class/block/{node}/holders", Directory())
        self._list_partitions()

    def pull(self, name: str) -> FakeDisk:
        """Remove a disk; its content stays on it."""
        disk = self.pulled[name] = self.present.pop(name)
        device = self._devices.by_name(name)
        assert device is not None
        if device.held:
            self.still_open.add(name)
        self._devices.remove(device.major, device.minor)
        for attribute in self._attributes(disk):
            self._files.displace(attribute)
        self._files.displace(f"/sys/block/{name}/queue")
        self._files.displace(f"/sys/block/{name}")
        if array := self.members.pop(name, ""):
            self._files.displace(f"/sys/class/block/{name}/holders/{array}")
        self._files.displace(f"/sys/class/block/{name}/holders")
        self._files.displace(f"/sys/class/block/{name}")
        self._list_partitions()
        return disk

    def hold(self, members: dict[str, str]) -> None:
        """Show which array has a disk open, by the disk's name; those not named are free."""
        for name, array in self.members.items():
            if name in self.present:
                self._files.displace(f"/sys/class/block/{name}/holders/{array}")
            elif mapped := self._devices.by_name(name):
                mapped.release(f"md:{array}")
        self.members = members
        for name, array in members.items():
            if name in self.present:
                self._files.place(f"/sys/class/block/{name}/holders/{array}", Directory())
            elif mapped := self._devices.by_name(name):
                mapped.hold(f"md:{array}")

    def swap_names(self, first_name: str, second_name: str) -> None:
        """Swap the names of two disks, as happens from boot to boot."""
        first, second = self.present[first_name], self.present[second_name]
        first.name, second.name = second_name, first_name
        self.present |= {second_name: first, first_name: second}

    def reboot(self) -> None:
        """Find the disks again."""
        self.array_labels.clear()
        self.members = {}
        self.still_open.clear()
        for disk in self.present.values():
            self._register(disk)
        self._list_partitions()

    def dump(self) -> str:
        """Return the content of every disk as text, but for how often a superblock was written."""
        disks = sorted({**self.present, **self.pulled}.items())
        return "\n".join(
            f"{name} {disk.serial} {[(s.type, s.label, s.uuid) for s in disk.signatures()]}"
            f"{f' slot {disk.superblock.slot}' if disk.superblock else ''}"
            for name, disk in disks
        )

    def _register(self, disk: FakeDisk) -> None:
        major = NVME_MAJOR if disk.name.startswith("nvme") else SCSI_MAJOR
        minor = 16 * _index(disk.name)
        while self._devices.get(major, minor):
            minor += 1
        self._devices.add(disk.name, major, minor, disk.size)
        for path, text in self._attributes(disk).items():
            self._files.place(path, Text(text))
        for node in (disk.name, *disk.partitions()):
            self._files.place(f"/sys/class/block/{node}/holders", Directory())

    def _list_partitions(self) -> None:
        lines, mounts = ["major minor  #blocks  name", ""], []
        for disk in sorted(self.present.values(), key=lambda disk: disk.name):
            device = self._devices.by_name(disk.name)
            assert device is not None
            for number, name in enumerate((disk.name, *disk.partitions())):
                lines.append(f"{device.major} {device.minor + number} {disk.size // 1024} {name}")
            if disk.mounted_at:
                name, key = next(iter(disk.partitions())), f"{device.major}:{device.minor + 1}"
                link = SymbolicLink(f"../../devices/block/{disk.name}/{name}")
                self._files.place(f"/sys/dev/block/{key}", link)
                mounts.append(f"21 1 {key} / {disk.mounted_at} rw - ext4 /dev/{name} rw")
        self._files.place("/proc/partitions", Text("\n".join(lines)))
        self._files.place("/proc/self/mountinfo", Text("\n".join(mounts)))

    def _attributes(self, disk: FakeDisk) -> dict[str, str]:
        queue = f"/sys/block/{disk.name}/queue"
        return {
            f"{queue}/rotational": str(int(disk.rotational)),
            f"{queue}/logical_block_size": str(disk.logical_block_size),
            f"{queue}/write_zeroes_max_bytes": str(2**31 - 512 if disk.zeroes_itself else 0),
        }

    def _lsblk(self, argv: Sequence[str], _stdin: str) -> str:
        flags = "--nodeps --json --bytes"
        arguments = parse(argv, argv[1:], flags=flags, valued="--output", usage_status=1)
        rows = {}
        for disk in self.present.values():
            rows[f"/dev/{disk.name}"] = self._row(disk)
            for number, (name, partition) in enumerate(disk.partitions().items()):
                rows[f"/dev/{name}"] = {
                    "name": name,
                    "path": f"/dev/{name}",
                    "mountpoints": [None if number else disk.mounted_at or None],
                    "partlabel": partition.name or None,
                    "fstype": partition.foreign[0].type if partition.foreign else None,
                }
        for path in arguments.operands:
            if path not in rows:
                raise arguments.error(64, f"lsblk: {path}: not a block device")
        return json.dumps({"blockdevices": [rows[path] for path in arguments.operands]})

    def _row(self, disk: FakeDisk) -> dict[str, Any]:
        return {
            "name": disk.name,
            "path": f"/dev/{disk.name}",
            "size": disk.size,
            "serial": disk.serial or None,
            "wwn": f"0x{disk.wwn}" if disk.wwn else None,
            "vendor": f"{disk.vendor:8}",
            "model": "FAKE DISK",
            "rev": "1.0",
            "rota": disk.rotational,
            "ro": False,
            "tran": "nvme" if disk.name.startswith("nvme") else disk.transport,
            "log-sec": disk.logical_block_size,
            "phy-sec": 4096,
            "disc-max": 2**31 - 512 if disk.discards else 0,
            "mountpoints": [None],
            "partlabel": None,
            "fstype": None,
        }

    def _wipefs(self, argv: Sequence[str], _stdin: str) -> str:
        arguments = parse(
            argv, argv[1:], flags="--no-act --json --all --quiet", valued="--output", usage_status=1
        )
        if not arguments.has("--all"):
            return json.dumps({"signatures": self._listed(arguments)})
        with self._interrupt.step(" ".join(argv)):
            for path in arguments.operands:
                name = self._name(path)
                if self._is_in_use(name):
                    text = f"wipefs: error: {path}: probing initialization failed: "
                    raise arguments.error(1, text + "Device or resource busy")
                labels, disk = self.labels(name), self.find(name)
                if disk and not disk.is_readable:
                    text = f"wipefs: error: {path}: probing initialization failed: "
                    raise arguments.error(1, text + "Input/output error")
                if labels is not None:
                    labels.clear()
                elif disk:
                    disk.superblock, disk.foreign = None, []
                    disk.header.clear()
                    if disk is self.present.get(name):
                        self.divide(name, [])
                else:
                    self._partition(name).foreign = []
        return ""

    def _name(self, path: str) -> str:
        """Return the kernel's name of the device at a path."""
        device = self._files.block_device(path)
        return device.name if device else path.removeprefix("/dev/")

    def _is_in_use(self, name: str) -> bool:
        """Return whether the kernel lets nobody open a device exclusively."""
        disk = next((d for d in self.present.values() if name in {d.name, *d.partitions()}), None)
        if disk:
            name = disk.name
        device = self._devices.by_name(name)
        is_mounted = bool(disk and disk.mounted_at)
        return device is None or device.held or name in self.members or is_mounted

    def _partition(self, name: str) -> FakePartition:
        every = (disk.partitions() for disk in self.present.values())
        return next(parts[name] for parts in every if name in parts)

    def discard(self, argv: Sequence[str]) -> str:
        """Discard a whole disk, as `blkdiscard` does."""
        flags, valued = "--zeroout", "--step"
        arguments = parse(argv, argv[1:], flags=flags, valued=valued, usage_status=1)
        [path] = arguments.operands
        name = path.removeprefix("/dev/")
        with self._interrupt.step(" ".join(argv)):
            if self._is_in_use(name):
                text = f"blkdiscard: cannot open {path}: Device or resource busy"
                raise arguments.error(1, text)
            disk = self.present[name]
            if disk.signatures() or disk.divided:
                signature = (disk.signatures() or [Foreign("gpt", "")])[0].type
                raise arguments.error(1, f"blkdiscard: {path} contains existing {signature}")
            if not (disk.discards or arguments.has("--zeroout")):
                text = f"blkdiscard: {path}: BLKDISCARD ioctl failed: Operation not supported"
                raise arguments.error(1, text)
            disk.overwritten = "zeroes" if arguments.has("--zeroout") else "discard"
        return ""

    def _listed(self, arguments: Any) -> list[dict[str, str | None]]:
        rows = []
        readable = [disk for disk in self.present.values() if disk.is_readable]
        partitions = {name: part for disk in readable for name, part in disk.partitions().items()}
        for path in arguments.operands:
            name = path.removeprefix("/dev/")
            disk, labels = self.find(name), self.labels(name)
            if name in partitions:
                rows += _rows(name, partitions[name].foreign)
                continue
            if labels is None and (disk is None or not disk.is_readable):
                listed = self._files.read("/proc/partitions").split()
                why = "Input/output error" if name in listed else "No such file or directory"
                raise arguments.error(
                    1, f"wipefs: error: {path}: probing initialization failed: {why}"
                )
            rows += _rows(name, disk.signatures() if disk else labels or [])
        return rows


def _index(name: str) -> int:
    """Return the number in a disk's name, or that its letters stand for: it has no history."""
    if number := re.search(r"\d+", name):
        return int(number[0])
    return reduce(lambda index, letter: 26 * index + ord(letter) - ord("a") + 1, name[2:], 0)


def _rows(device: str, signatures: Sequence[Foreign]) -> list[dict[str, str | None]]:
    """Return wipefs's list of the signatures on a device."""
    return [
        {
            "device": device,
            "type": signature.type,
            "uuid": signature.uuid or None,
            "label": signature.label or None,
            "usage": signature.usage,
        }
        for signature in signatures
    ]
