"""The initramfs of an installed system assembles its disks, in a shell of its own.

`/sys` and `/dev` are folders of the test, mdadm and dd functions of the shell that read them.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from image.repository import REPOSITORY

SCRIPT = (REPOSITORY / "board/common/initramfs/installed").read_text()
PROGRAMS = """
set -e
stop() { echo "stopped: $*" >&2; exit 1; }
dd() { [ ! -e "$(echo "$1" | cut -d= -f2).unreadable" ]; }
mdadm() {
    case $1 in
        --examine) [ ! -e "$3.unreadable" ] && cat "$3" 2>/dev/null ;;
        --quiet)
            echo "$*" >> "$root/done"
            mkdir -p "$root/dev/md"
            : > "$root/dev/md/state"
            for word; do mkdir -p "$root/sys/class/block/state/slaves/${word##*/}"; done ;;
    esac
}
uptime_seconds() { echo $(($(cat "$root/uptime") + 5)) > "$root/uptime"; cat "$root/uptime"; }
sleep() { :; }
disk=sda
"""


class Boot:
    """A machine with the system disk sda, which is started."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "dev").mkdir()
        (root / "uptime").write_text("3\n")

    def add_state(self, disk: str, array: str = "", name: str = "sanstone-state") -> None:
        """Add a disk with partition 7, a member of an array of two or of none."""
        entry = self.root / f"sys/class/block/{disk}7"
        entry.mkdir(parents=True)
        (entry / "partition").write_text("7\n")
        (entry / "size").write_text("4194304\n")
        (entry / "uevent").write_text(f"PARTN=7\nPARTNAME={name}\n")
        inside = self.root / f"sys/class/block/{disk}"
        inside.mkdir(parents=True)
        (inside / f"{disk}7").symlink_to(entry)
        text = f"MD_UUID={array}\nMD_DEVICES=2\n" if array else ""
        (self.root / f"dev/{disk}7").write_text(text)

    def fail(self, disk: str) -> None:
        """Let the end of a disk's state be unreadable."""
        (self.root / f"dev/{disk}7.unreadable").touch()

    def assemble(self) -> str:
        """Assemble the state as the initramfs does; return the device's name."""
        script = SCRIPT.replace("uptime_seconds() {", "unused() {")
        script = re.sub("/(sys|dev)/(?!null)", lambda match: f"{self.root}{match[0]}", script)
        script = f"root={self.root}\n{PROGRAMS}\n{script}\nawait_second_disk\nassembled 7 state\n"
        process = subprocess.run(
            ["/bin/sh", "-c", script], capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, process.stderr
        return Path(process.stdout.strip()).name

    @property
    def members(self) -> set[str]:
        """The members that the mirror was assembled from."""
        log = self.root / "done"
        [line] = log.read_text().splitlines() if log.exists() else [""]
        return {Path(word).name for word in line.split() if word.endswith("7")}


@pytest.fixture
def boot(tmp_path: Path) -> Boot:
    return Boot(tmp_path)


def test_a_single_disk_is_used_alone(boot: Boot) -> None:
    boot.add_state("sda")
    boot.add_state("sdb", array="of another machine")
    assert boot.assemble() == "sda7"
    assert boot.members == set()


def test_two_disks_are_a_mirror(boot: Boot) -> None:
    boot.add_state("sda", array="ours")
    boot.add_state("sdb", array="ours")
    boot.add_state("sdc", array="others")
    assert boot.assemble() == "state"
    assert boot.members == {"sda7", "sdb7"}


def test_the_disk_that_is_left_goes_on(boot: Boot) -> None:
    boot.add_state("sda", array="ours")
    assert boot.assemble() == "state"
    assert boot.members == {"sda7"}
    assert "one of the system disks is missing" in (boot.root / "dev/kmsg").read_text()


def test_a_half_that_cannot_be_read_does_not_go_on_alone(boot: Boot) -> None:
    boot.add_state("sda", array="ours")
    boot.add_state("sdb", array="ours")
    boot.add_state("sdc", array="data", name="something else")
    boot.fail("sda")
    assert boot.assemble() == "state"
    assert boot.members == {"sdb7"}
    assert "sda7 cannot be read" in (boot.root / "dev/kmsg").read_text()


def test_a_failed_disk_without_a_partner_is_used_alone(boot: Boot) -> None:
    boot.add_state("sda")
    boot.fail("sda")
    assert boot.assemble() == "sda7"
