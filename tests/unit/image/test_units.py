"""systemd's units against a root filesystem: the files that they need exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from image import units
from image.repository import REPOSITORY

SYSTEM = "usr/lib/systemd/system"
ACCOUNTS = {"OWNER": {"root", "server"}, "GROUP": {"wheel", "readers", "writers"}}


class Trees:
    """An overlay, and the root filesystem of an image that has all that it needs."""

    def __init__(self, folder: Path) -> None:
        self.overlay = folder / "overlay"
        self.target = folder / "target"
        for name in ("basic.target", "sshd.service", "getty@.service"):
            self.install(f"{SYSTEM}/{name}")
        self.install("usr/bin/server")
        self.install("usr/lib/tmpfiles.d/own.conf", "# Type Path\n\nd /run/made 0755\n")
        self.install(f"{SYSTEM}/sshd.service", "[Service]\nRuntimeDirectory=ssh sshd\n")
        self.install("usr/lib/modules/6.12.1/modules.dep", "kernel/md/raid-one.ko: kernel/a.ko\n")
        self.install("usr/lib/modules/6.12.1/modules.builtin", "kernel/fs/configfs.ko\n")

    def install(self, name: str, text: str = "") -> None:
        self._write(self.target / name, text)

    def lay(self, name: str, text: str = "") -> None:
        self._write(self.overlay / name, text)

    def missing(self) -> list[str]:
        lines = units.missing([self.overlay], self.target, ACCOUNTS)
        return [line.partition(": ")[2] for line in lines]

    @staticmethod
    def _write(file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return Trees(tmp_path)


@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ("ExecStart=/usr/bin/server --run", ""),
        ("ExecStartPre=-+server", ""),
        ("ExecStart=", ""),
        ("ExecStart=!/usr/sbin/chronyd", "/usr/sbin/chronyd"),
        ("ExecReload=kill -HUP $MAINPID", "kill"),
        ("Requires=basic.target other.service", "other.service"),
        ("Wants=getty@tty1.service dev-sda.device systemd-fsck@dev-sda.service", ""),
        ("After=ssh.service sshd.service", ""),
        ("Before=ssh.service", "ssh.service"),
        ("User=server", ""),
        ("User=nobody", "nobody"),
        ("Group=readers", ""),
        ("Group=wheel", ""),
        ("Group=staff", "staff"),
        ("SupplementaryGroups=readers writers", ""),
        ("SupplementaryGroups=readers staff", "staff"),
        ("Description=After=ssh.service", ""),
        ("# Before=ssh.service", ""),
    ],
)
def test_missing_needs_of_a_unit_are_found(trees: Trees, line: str, lacks: str) -> None:
    trees.lay(f"{SYSTEM}/own.service", f"[Service]\n{line}\n")
    key = line.partition("=")[0]
    assert trees.missing() == ([f"{key}: the image has no {lacks}"] if lacks else [])


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("ReadWritePaths=/run/made /run/sshd -/run/lock /var/lib/own", ""),
        ("ReadWritePaths=/run/made /run/lvm", "/run/lvm"),
        ("BindReadOnlyPaths=/run/other:/run/made", "/run/other"),
    ],
)
def test_folders_that_a_unit_is_confined_to(trees: Trees, line: str, folder: str) -> None:
    trees.lay(f"{SYSTEM}/own.service", f"[Service]\n{line}\n")
    key = line.partition("=")[0]
    assert trees.missing() == ([f"{key}: nothing makes {folder}"] if folder else [])


def test_a_link_leads_to_a_program_of_the_image_and_not_of_this_machine(trees: Trees) -> None:
    trees.lay(f"{SYSTEM}/own.service", "[Service]\nExecStart=/usr/bin/linked\n")
    linked = trees.target / "usr/bin/linked"
    linked.symlink_to("/bin/sh")
    assert trees.missing() == ["ExecStart: the image has no /usr/bin/linked"]
    linked.unlink()
    linked.symlink_to("/usr/bin/server")
    assert trees.missing() == []


def test_a_unit_that_a_preset_enables(trees: Trees) -> None:
    trees.lay("etc/systemd/system-preset/0.preset", "enable sshd.service\nenable a.socket\n")
    assert trees.missing() == ["the image has no a.socket"]


def test_a_drop_in_for_a_unit_that_has_two_names(trees: Trees) -> None:
    """Debian and Buildroot differ in some."""
    trees.lay(f"{SYSTEM}/ssh.service.d/own.conf", "[Service]\nUMask=0077\n")
    trees.lay("etc/systemd/system-preset/0.preset", "enable ssh.service\n")
    lacks = "the image has no ssh.service"
    assert trees.missing() == [lacks, lacks]
    (trees.overlay / SYSTEM / "sshd.service.d").symlink_to("ssh.service.d")
    assert trees.missing() == []


def test_drop_ins_for_all_that_begin_the_same(trees: Trees) -> None:
    trees.lay(f"{SYSTEM}/sanstone-.service.d/own.conf", "[Service]\nUMask=0077\n")
    assert trees.missing() == []


def test_modules_that_are_loaded(trees: Trees) -> None:
    trees.lay("usr/lib/modules-load.d/own.conf", "# At boot\nraid-one\nraid_one\nconfigfs\nvdo\n")
    assert trees.missing() == ["the kernel has no vdo"]


@pytest.mark.parametrize("overlay", ["overlay", "board/common/overlay"])
def test_drop_ins_of_the_product_are_in_folders(overlay: str) -> None:
    """A link that has become a file, which holds where it led to, does nothing."""
    drop_ins = [
        entry for place in units.UNITS for entry in (REPOSITORY / overlay / place).glob("*.d")
    ]
    assert [entry for entry in drop_ins if not entry.is_dir()] == []
    assert drop_ins
