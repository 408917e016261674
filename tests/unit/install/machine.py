"""A machine to install on: the fake kernel, with partitions, mirrors of them, file systems, mounts.

The bytes of a partition are kept by its path; a mirror writes to both of its partitions. A file
system is a folder, and mounting moves that folder to the mount point, so that tests can look into
it afterwards. A process that was killed changes nothing any more: its `finally` does not run
either.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fakes import FakeKernel, Killed
from fakes.disks import FakePartition, Foreign
from fakes.files import Text
from sanstone.install import targets
from sanstone.install.answers import Answers
from sanstone.kernel.host import CommandError, FileError
from sanstone.system import layout

GIB = 1 << 30
HASH = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$ouBnCVCDlmVHNVBMi8dHTQ"
SYSTEM, BOOT, EFI = b"hsqs the system " * 300_000, b"hsqs kernel " * 1000, b"MZ loader"
MIRRORED = tuple(targets.mirror_name(p) for p in layout.PARTITIONS if p.mirrored)


def answers(*disks: str, **more: object) -> Answers:
    """Answers for these disks."""
    base = Answers(disks=disks, host_name="san1", password_hash=HASH)
    return dataclasses.replace(base, **more)  # type: ignore[arg-type]


def medium(folder: Path) -> Path:
    """Make a medium: real sizes, made-up content."""
    grub = folder / "grub"
    grub.mkdir(parents=True)
    (folder / "version").write_text("1.2\n")
    (folder / "boot.img").write_bytes(BOOT)
    (folder / "system.img").write_bytes(SYSTEM)
    (grub / "BOOTX64.EFI").write_bytes(EFI)
    (grub / "core.img").write_bytes(bytes(range(256)) * 120)
    (grub / "mbr.img").write_bytes(bytes(range(256)) * 2)
    (grub / "grub.cfg").write_text("# menu\n")
    return folder


def _member_entry(name: str, part: str) -> str:
    return f"/sys/block/md_{name}/md/dev-{part.removeprefix('/dev/')}"


class Machine:
    """A machine with disks sda to sdd, or a given one, and a system disk that is in use.

    All disks have 8 GiB.
    """

    def __init__(self, folder: Path, kernel: FakeKernel | None = None) -> None:
        self.folder = folder
        self.kernel = kernel or FakeKernel(disks=4)
        for name, disk in self.kernel.storage.disks.present.items():
            if name.startswith("sd"):
                disk.size = 8 * GIB
        self.host = dataclasses.replace(self.kernel.host, blocks=self)
        self.contents: dict[str, bytearray] = {}
        self.mirrors: dict[str, tuple[str, ...]] = {}
        """The partitions of each running mirror, by its path."""
        self.stale: set[str] = set()
        """Disks whose members are behind, or single members; a mirror does without them."""
        self.failing: set[str] = set()
        """Disks that nothing can be copied to."""
        self.labels: dict[str, str] = {}
        self.mounts: dict[str, str] = {}
        """Mounted devices, by the mount point."""
        self.dead = False
        self.lie = b""
        """Bytes that are read back in the place of the real ones."""
        self.rescanned: set[str] = set()
        """Disks that were written to themselves, so that udev has their tables read again."""
        self._mdadm = self.kernel.commands._handlers["mdadm"]
        self.kernel.files.place("/proc/cmdline", Text("console=ttyS0"))
        for program in ("sfdisk", "mdadm", "mkfs", "mount", "umount"):
            handler = getattr(self, f"_run_{program}")
            for name in ("mkfs.vfat", "mkfs.ext4") if program == "mkfs" else (program,):
                self.kernel.commands.register(name, handler)
        for program in ("blockdev", "systemctl"):
            self.kernel.commands.register(program, lambda _argv, _stdin: "")

    @property
    def _divided(self) -> dict[str, FakePartition]:
        """The partitions that have a name, by path."""
        disks = self.kernel.storage.disks.present.values()
        partitions = {f"/dev/{name}": p for disk in disks for name, p in disk.partitions().items()}
        return {path: partition for path, partition in partitions.items() if partition.name}

    @property
    def partitions(self) -> dict[str, str]:
        """The name of each partition that has one, by its path."""
        return {path: partition.name for path, partition in self._divided.items()}

    def file_system(self, device: str) -> Path:
        """Return the folder with the files of a device's file system."""
        for target, mounted in self.mounts.items():
            if mounted == device:
                return Path(target)
        return self.folder / "file-systems" / device.replace("/", "_")

    def restart(self) -> None:
        """Let a new process begin after one was killed; the machine stayed on."""
        self.dead = False
        self.kernel.interrupt.clear()

    def power_cycle(self) -> None:
        """Switch off and on: nothing is mounted or runs any more."""
        for target in list(self.mounts):
            self._unmount(target)
        for device in list(self.mirrors):
            self._stop(device)
        self.rescanned.clear()
        self.restart()

    @property
    def clean(self) -> bool:
        """Whether nothing is mounted and no mirror runs."""
        return not self.mounts and not self.mirrors

    # host.Blocks

    def size(self, path: str) -> int:
        """See `host.Blocks`."""
        return self.kernel.blocks.size(path)

    def read(self, path: str, offset: int, length: int) -> bytes:
        """See `host.Blocks`."""
        if path.startswith("/dev/mapper/"):
            return self.kernel.blocks.read(path, offset, length)
        if self.lie:
            return self.lie.ljust(length, b"\0")
        there = self.contents.get(self._below(path)[0], bytearray())
        return bytes(there[offset : offset + length].ljust(length, b"\0"))

    def read_direct(self, path: str, offset: int, length: int) -> bytes:
        """See `host.Blocks`."""
        return self.read(path, offset, length)

    def write(self, path: str, offset: int, content: bytes) -> None:
        """See `host.Blocks`."""
        with self._step(f"write {len(content)} bytes to {path} at {offset}"):
            for below in self._below(path):
                there = self.contents.setdefault(below, bytearray())
                there.extend(bytes(max(0, offset - len(there))))
                there[offset : offset + len(content)] = content
                if below not in self.partitions:
                    self.rescanned.add(below)

    def _below(self, path: str) -> tuple[str, ...]:
        below = self.mirrors.get(path, (path,))
        for each in below:
            disk = each.removeprefix("/dev/")
            if each not in self.partitions and disk not in self.kernel.storage.disks.present:
                raise FileError("open", path, 2)
        return below

    # Programs

    @contextmanager
    def _step(self, text: str) -> Iterator[None]:
        if self.dead:
            raise Killed(text)
        try:
            with self.kernel.interrupt.step(text):
                yield
        except Killed:
            self.dead = True
            raise

    def _run_sfdisk(self, argv: Sequence[str], stdin: str) -> str:
        path = argv[-1]
        with self._step(" ".join(argv)):
            if any(part.startswith(path) for pair in self.mirrors.values() for part in pair):
                raise CommandError(argv, 1, "This disk is currently in use")
            self.rescanned.discard(path)
            disk = self.kernel.storage.disks.present[path.removeprefix("/dev/")]
            disk.superblock, disk.foreign = None, [Foreign("gpt", "partition-table")]
            names = re.findall(r'name="(.*)"', stdin)
            self.kernel.storage.disks.divide(disk.name, [FakePartition(name) for name in names])
            for number, part in enumerate(disk.partitions(), 1):
                start = f"/sys/class/block/{part}/start"
                self.kernel.files.place(start, Text(str(2048 * number)))
        return ""

    def _run_mdadm(self, argv: Sequence[str], stdin: str) -> str:
        if argv[1] == "--stop" and argv[2] in self.mirrors:
            with self._step(" ".join(argv)):
                if argv[2] in self.mounts.values():
                    raise CommandError(argv, 1, "Cannot get exclusive access")
                self._stop(argv[2])
            return ""
        if argv[1] == "--create" and "--metadata=1.0" in argv:
            with self._step(" ".join(argv)):
                self._start(argv)
            return ""
        if argv[1] == "--manage" and argv[2] in self.mirrors:
            with self._step(" ".join(argv)):
                assert argv[3] == "--add"
                self._add(argv[2], argv[4])
            return ""
        if argv[1] == "--assemble" and argv[2].removeprefix("/dev/md/") in MIRRORED:
            with self._step(" ".join(argv)):
                self._start(argv)
            return ""
        return self._mdadm(argv, stdin)

    def _start(self, argv: Sequence[str]) -> None:
        name = argv[2].removeprefix("/dev/md/")
        devices = [word for word in argv[3:] if word.startswith("/dev/")]
        parts = tuple(part for part in devices if not self.stale & {part, part[:-1]})
        assert {self.partitions[part] for part in parts} == {f"sanstone-{name}"}
        if f"/dev/md_{name}" in self.mirrors:
            raise CommandError(argv, 1, "array is already active")
        self.mirrors[f"/dev/md_{name}"] = parts
        uuids = (s.uuid for s in self._divided[parts[0]].foreign if s.usage == "raid")
        uuid = next(uuids, f"{name} of {' and '.join(parts)}")
        for part in parts:
            self._put(part, Foreign("linux_raid_member", "raid", f"sanstone:{name}", uuid))
            self._show_member(name, part, "in_sync")
        self.kernel.files.place(f"/sys/block/md_{name}/md/component_size", Text("6291456\n"))
        self.kernel.files.place(f"/sys/block/md_{name}/md/sync_completed", Text("none\n"))

    def _show_member(self, name: str, part: str, state: str) -> None:
        self.kernel.files.place(f"{_member_entry(name, part)}/state", Text(f"{state}\n"))

    def _add(self, device: str, part: str) -> None:
        """Take a member in, which has the same content at once unless its disk fails."""
        name = device.removeprefix("/dev/md_")
        assert self.partitions[part] == f"sanstone-{name}"
        [source] = self.mirrors[device]
        self.mirrors[device] = (source, part)
        [superblock] = [s for s in self._divided[source].foreign if s.usage == "raid"]
        self._put(part, superblock)
        self.contents[part] = bytearray(self.contents.get(source, b""))
        self._show_member(name, part, "faulty" if part[:-1] in self.failing else "in_sync")

    def _put(self, part: str, content: Foreign) -> None:
        """Let a partition hold something, which wipefs lists in the order of libblkid."""
        there = [each for each in self._divided[part].foreign if each.usage != content.usage]
        self._divided[part].foreign = sorted(
            [*there, content], key=lambda each: each.usage != "raid"
        )

    def _stop(self, device: str) -> None:
        name = device.removeprefix("/dev/md_")
        for part in self.mirrors.pop(device):
            self.kernel.files.displace(_member_entry(name, part))
            self.kernel.files.displace(f"{_member_entry(name, part)}/state")
        for attribute in ("/md/component_size", "/md/sync_completed", "/md", ""):
            self.kernel.files.displace(f"/sys/block/md_{name}{attribute}")

    def _run_mkfs(self, argv: Sequence[str], _stdin: str) -> str:
        with self._step(" ".join(argv)):
            device = argv[-1]
            assert device in self.mirrors or device in self.partitions, device
            if any(device.startswith(disk) for disk in self.rescanned):
                raise CommandError(argv, 1, f"unable to open {device}: No such file or directory")
            shutil.rmtree(self.file_system(device), ignore_errors=True)
            self.file_system(device).mkdir(parents=True)
            label = argv[argv.index("-L" if "-L" in argv else "-n") + 1]
            self.labels[device] = label
            for part in self.mirrors.get(device, (device,)):
                self._put(part, Foreign(argv[0].removeprefix("mkfs."), "filesystem", label))
        return ""

    def _run_mount(self, argv: Sequence[str], _stdin: str) -> str:
        with self._step(" ".join(argv)):
            device = argv[argv.index("--source") + 1]
            target = Path(argv[argv.index("--target") + 1])
            if not self.file_system(device).exists():
                raise CommandError(argv, 32, f"{device}: no such file system")
            target.rmdir()
            self.file_system(device).rename(target)
            self.mounts[str(target)] = device
            self._publish()
        return ""

    def _run_umount(self, argv: Sequence[str], _stdin: str) -> str:
        with self._step(" ".join(argv)):
            self._unmount(argv[-1])
        return ""

    def _unmount(self, target: str) -> None:
        device = self.mounts.pop(target)
        Path(target).rename(self.file_system(device))
        Path(target).mkdir()
        self._publish()

    def _publish(self) -> None:
        lines = [f"30 1 0:99 / {target} rw - ext4 {on} rw" for target, on in self.mounts.items()]
        self.kernel.files.place("/proc/self/mountinfo", Text("\n".join(lines)))
