"""A message is allowed only on the machines, and in the areas, under whose heading it stands."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from lab.health import Inspector, read_allowed
from lab.machine import Machine
from lab.paths import REPOSITORY

LIST = """\
# Everywhere.
[any]
clock
[array]
disk
[host iscsi nvme]
login
"""


@pytest.mark.parametrize(
    ("machine", "area", "text", "fine"),
    [
        ("array", "boot", "kernel: the clock is slow", True),
        ("host2", "boot", "kernel: the clock is slow", True),
        ("array", "boot", "kernel: a disk is gone", True),
        ("host", "boot", "kernel: a disk is gone", False),
        ("host2", "nvme", "iscsid: login failed", True),
        ("host", "boot", "iscsid: login failed", False),
        ("array", "iscsi", "kernel: login failed", False),
    ],
)
def test_where_a_message_is_allowed(
    tmp_path: Path, machine: str, area: str, text: str, fine: bool
) -> None:
    path = tmp_path / "allowed"
    path.write_text(LIST)
    assert any(line.accounts_for(machine, area, text) for line in read_allowed(path)) is fine


def test_a_pattern_without_a_heading_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "allowed"
    path.write_text("clock\n")
    with pytest.raises(AssertionError, match="no heading above 'clock'"):
        read_allowed(path)


def test_each_area_of_the_list_exists() -> None:
    tests = REPOSITORY / "tests" / "vm"
    areas = {area for line in read_allowed(tests / "allowed-messages") for area in line.areas}
    assert areas <= {path.name for path in tests.iterdir() if path.is_dir()}


@dataclass
class Journal:
    """A machine that only has a journal, and a disk sdb."""

    hardware: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(name="array"))
    entries: list[dict[str, str]] = field(default_factory=list)

    def log(self, text: str) -> None:
        """Have the kernel say something."""
        entry = {"MESSAGE": text, "PRIORITY": "3", "SYSLOG_IDENTIFIER": "kernel"}
        self.entries.append(entry | {"_TRANSPORT": "kernel", "__CURSOR": str(len(self.entries))})

    def run(self, script: str) -> str:
        """Answer an inspector's commands as a machine."""
        if script.startswith("journalctl"):
            return "".join(f"{json.dumps(entry)}\n" for entry in self.entries)
        return "0:0:5:0\n" if "/sys/block/sdb/device" in script else ""


OF_SDB = (
    "device offline error, dev sdb, sector 0 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 0",
    "I/O error, dev sdb, sector 8 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0",
    "Buffer I/O error on dev sdb7, logical block 0, async page read",
    "sd 0:0:5:0: rejecting I/O to offline device",
)
OF_OTHERS = (
    "device offline error, dev sda, sector 0 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 0",
    "Buffer I/O error on dev sdba, logical block 0, async page read",
    "sd 0:0:4:0: rejecting I/O to offline device",
)


def test_reads_of_a_disk_that_is_taken_away_may_fail_and_of_no_other() -> None:
    journal, inspector = Journal(), Inspector([])
    machine = cast(Machine, journal)
    inspector.expect_removal(machine, "sdb")
    for text in OF_SDB + OF_OTHERS:
        journal.log(text)
    assert inspector.complaints(machine, "install") == [f"kernel: {text}" for text in OF_OTHERS]


def test_a_message_of_a_later_disk_of_that_name_is_a_complaint() -> None:
    journal, inspector = Journal(), Inspector([])
    machine = cast(Machine, journal)
    inspector.expect_removal(machine, "sdb")
    assert inspector.complaints(machine, "install") == []
    journal.log(OF_SDB[0])
    assert inspector.complaints(machine, "install") == [f"kernel: {OF_SDB[0]}"]
