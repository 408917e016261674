"""A fake kernel's system disks: partitions, GRUB's variables, slots, and RAUC.

`SystemDisk(kernel)` puts an installed array of one disk under a fake kernel, or of two with
`disks=("vda", "vdb")`, whose partitions 3 to 7 are then mirrored: `md13` to `md17`. Mounting shows
files that are kept here; RAUC calls the product's own handler in the order that the real one does.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Sequence
from configparser import ConfigParser
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from fakes import FakeKernel
from fakes.files import SymbolicLink, Text
from image.changes import Release, encoded
from sanstone.kernel.host import CommandError
from sanstone.kernel.web.question import Head, Question, Unanswered
from sanstone.system import boot_order, grub_environment, layout, slot_report, slot_state

ESP_ID = "0e5b0e5b-0002"
COMPATIBLE = "sanstone-x86_64"
FRESH = {"ORDER": "a b", "a_OK": "1", "a_TRY": "1", "b_OK": "0", "b_TRY": "0"}
"""GRUB's variables after its first boot of slot A of a newly installed array."""


def started_from_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> SystemDisk:
    """Return the system disk of a fake kernel that runs from slot A; its state is in a folder."""
    monkeypatch.setenv("SANSTONE_RUN", str(folder))
    monkeypatch.setenv("SANSTONE_STATE", str(folder))
    monkeypatch.setattr(slot_report, "RAUC_CONFIGURATION", folder / "system.conf")
    return SystemDisk(FakeKernel())


def mark_revision(database: Engine) -> None:
    """Mark a database that no migration made as of the revision `now`."""
    with database.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('now')"))


CHANGES = [
    Release(
        version="2.0", date="2026-12-01", changes=["A disk can be erased.", "Ports have names."]
    ),
    Release(version="1.0", date="2026-11-01", changes=["The first release."]),
]


@dataclass
class Package:
    """An update package."""

    version: str = "2.0"
    compatible: str = COMPATIBLE
    schema: str = "old now"
    changes: str = encoded(CHANGES)
    signed: bool = True

    def content(self) -> bytes:
        """Return the file's content."""
        return json.dumps(vars(self)).encode()


class Answer(io.BytesIO):
    """An answer by way of `sanstone-web-client`; the web server announces `length`."""

    def __init__(self, content: bytes, length: int | None = None, status: int = 200) -> None:
        super().__init__(content)
        self.length = len(content) if length is None else length
        self.head = Head(status, HTTPStatus(status).phrase, self.length)

    def read1(self, size: int | None = -1) -> bytes:
        """Return a piece. Raises Unanswered for the end, where that comes too early."""
        piece = super().read1(-1 if size is None else size)
        if not piece and self.tell() < self.length:
            raise Unanswered("its answer was cut short")
        return piece


class SystemDisk:
    """The system disks of a fake kernel."""

    def __init__(self, kernel: FakeKernel, disks: Sequence[str] = ("vda",)) -> None:
        self.kernel = kernel
        self.disks = tuple(disks)
        self.variables = {f"/dev/{disk}2": dict(FRESH) for disk in disks}
        self.dead: set[str] = set()
        self.unreadable: set[str] = set()
        """Partitions that blkid cannot identify (blkid(8): exit status 2)."""
        self.releases = dict.fromkeys(boot_order.SLOTS, "") | {"a": "1.0"}
        self.schemas = dict.fromkeys(boot_order.SLOTS, "")
        """The newest revision that the release in each slot knows; '' for one that does not say."""
        self.downloads: dict[str, bytes] = {}
        self.inactive: set[str] = set()
        self.reboot_requested = False
        self.on_write: Callable[[], None] = lambda: None
        self._mounted: dict[str, tuple[str, str]] = {}
        for disk in disks:
            kernel.blocks.place(f"/dev/{disk}", b"\xeb\x63\x90".ljust(512, b"\0"))
            for number in range(1, 8):
                path = f"/sys/block/{disk}/{disk}{number}"
                kernel.files.place(f"{path}/partition", Text(f"{number}\n"))
                label = f"PARTN={number}\nPARTNAME={layout.PARTITIONS[number - 1].name}\n"
                kernel.files.place(f"/sys/class/block/{disk}{number}/uevent", Text(label))
        if len(disks) > 1:
            kernel.commands.register("mdadm", self._mdadm)
            for number in range(3, 8):
                self.assemble(number)
        link = SymbolicLink(f"../../{disks[0]}2")
        kernel.files.place(f"/dev/disk/by-partuuid/{ESP_ID}", link)
        self.boot("a")
        self.stale: set[str] = set()
        for name in ("mount", "umount", "blkid", "rauc", "busctl"):
            kernel.commands.register(name, getattr(self, f"_{name}"))
        kernel.commands.register("systemctl", self.systemctl)

    @property
    def mirrored(self) -> bool:
        """Whether there are two disks."""
        return len(self.disks) > 1

    def boot(self, slot: str) -> None:
        """Boot from a slot."""
        line = f"quiet sanstone.slot={slot} sanstone.esp={ESP_ID}"
        self.kernel.files.place("/proc/cmdline", Text(line))

    def assemble(self, number: int, disks: Sequence[str] = ()) -> None:
        """Let the mirror of a partition be active, with all disks or these."""
        for disk in disks or self.disks:
            holder = f"/sys/block/{disk}/{disk}{number}/holders/md1{number}"
            self.kernel.files.place(holder, Text(""))
            self.kernel.files.place(f"/sys/block/md1{number}/slaves/{disk}{number}", Text(""))
        self.kernel.files.place(f"/sys/block/md1{number}/md/degraded", Text("0\n"))

    def stop(self, number: int) -> None:
        """Let the mirror of a partition be there, but not be active."""
        for disk in self.disks:
            self.kernel.files.displace(f"/sys/block/{disk}/{disk}{number}/holders/md1{number}")

    def device(self, number: int) -> str:
        """Return the device of a partition of the slots."""
        return f"/dev/md1{number}" if self.mirrored else f"/dev/{self.disks[0]}{number}"

    def open(self, question: Question) -> Any:
        """Answer as a web server that has the packages in `downloads`."""
        if question.url not in self.downloads:
            return Answer(b"", status=404)
        return Answer(self.downloads[question.url])

    def _mount(self, argv: Sequence[str], _stdin: str) -> str:
        kind, options, device, place = argv[2], argv[4], argv[5], Path(argv[6])
        boots = {self.device(3): "a", self.device(4): "b"}
        if device in self.dead or (kind == "squashfs" and not self.releases[boots[device]]):
            raise CommandError(argv, 32, f"mount: {place}: can't read superblock on {device}.")
        if kind == "vfat":
            (place / "grub").mkdir()
            block = grub_environment.render(self.variables[device])
            (place / "grub/grubenv").write_bytes(block)
        else:
            release = self.releases[boots[device]]
            schema = self.schemas[boots[device]]
            schema_line = f"schema='{schema}'\n" if schema else ""
            text = f"set root_hash=00\nset version={release}\n{schema_line}"
            (place / "boot.cfg").write_text(text)
        self._mounted[str(place)] = (device, options)
        return ""

    def _umount(self, argv: Sequence[str], _stdin: str) -> str:
        place = Path(argv[1])
        device, options = self._mounted.pop(str(place))
        if "rw" in options.split(","):
            self.variables[device] = grub_environment.read(place / "grub/grubenv")
        for entry in place.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        return ""

    def _blkid(self, argv: Sequence[str], _stdin: str) -> str:
        device, tag = argv[-1], argv[3]
        member = self.mirrored and device.removeprefix("/dev/")[:-1] in self.disks
        if device in self.unreadable:
            raise CommandError(argv, 2, "")
        if member:
            number = device[-1]
            return f"7ac6a3f2-{number}\n" if tag == "UUID" else "linux_raid_member\n"
        boots = {self.device(3): "a", self.device(4): "b"}
        if self.releases.get(boots.get(device, ""), ""):
            return "squashfs\n"
        raise CommandError(argv, 2, "")

    def _mdadm(self, argv: Sequence[str], _stdin: str) -> str:
        member = argv[-1].removeprefix("/dev/")
        if argv[1] == "--assemble":
            devices = [path.removeprefix("/dev/") for path in argv[4:]]
            fresh = [name[:-1] for name in devices if name[:-1] not in self.stale]
            self.assemble(int(member[-1]), fresh)
        else:
            assert argv[2] == "--add"
            self.assemble(int(member[-1]), [member[:-1]])
        return ""

    def systemctl(self, argv: Sequence[str], _stdin: str = "") -> str:
        """Do as systemd: run services, list active ones, reboot."""
        if argv[1] == "is-active" and argv[2] in self.inactive:
            raise CommandError(argv, 3, "inactive")
        templates = ("sanstone-task@", "sanstone-update@", "sanstone-support@")
        if argv[-1].startswith(templates) or argv[1] == "list-units":
            return self.kernel.services.systemctl(argv, "")
        self.reboot_requested |= argv[-1] == "reboot"
        return ""

    def _busctl(self, _argv: Sequence[str], _stdin: str) -> str:
        return '{"type":"(isi)","data":[40,"Copying image to system.1",2]}'

    def _rauc(self, argv: Sequence[str], _stdin: str) -> str:
        if argv[1:] == ["status", "mark-active", "other"]:
            host = self.kernel.host
            other = boot_order.other(slot_state.answer(host, ["get-current"]))
            slot_state.answer(host, ["set-primary", other])
            return ""
        package: dict[str, Any] = json.loads(Path(argv[-1]).read_text())
        if not package["signed"]:
            message = "rauc-WARNING: x\nsignature verification failed: self-signed certificate"
            raise CommandError(argv, 1, message)
        if argv[1] == "info":
            update = {"compatible": package["compatible"], "version": package["version"]}
            facts = {name: package[name] for name in ("version", "schema", "changes")}
            meta = {"sanstone": facts}
            return json.dumps({"update": update, "meta": meta, "images": []})
        self._install(package["version"], package["schema"])
        return ""

    def _install(self, version: str, schema: str) -> None:
        """Write a slot as RAUC's src/install.c."""
        host = self.kernel.host
        slot = boot_order.other(slot_state.answer(host, ["get-current"]))
        slot_state.answer(host, ["set-state", slot, "bad"])
        self.releases[slot] = ""
        self.on_write()
        self.releases[slot], self.schemas[slot] = version, schema
        configuration = ConfigParser()
        configuration.read(slot_report.RAUC_CONFIGURATION)
        status = Path(configuration["system"]["data-directory"]) / "central.raucs"
        number = boot_order.SLOTS.index(slot)
        timestamp = "installed.timestamp=2026-01-02T03:04:05Z"
        status.write_text(f"[slot.system.{number}]\n{timestamp}\n")
        slot_state.answer(host, ["set-primary", slot])
