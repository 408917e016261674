"""A message is allowed only on the machines, and in the areas, under whose heading it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.health import read_allowed
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
