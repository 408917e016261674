"""User-mode Linux finds in the product what it changes there."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from lab import commands, uml
from lab.paths import LAB_SOURCE, REPOSITORY


def test_disks_are_looked_for_where_the_init_looks() -> None:
    init = (LAB_SOURCE / "uml.d" / "init").read_text()
    [searched] = re.findall(r"sed -i 's/([^/]*)/&\|ubd/'", init)
    source = (REPOSITORY / "api/sanstone/kernel/storage/block.py").read_text()
    assert source.count(searched) == 1


@pytest.mark.parametrize(
    ("allowed", "user", "changed"),
    [
        (65530, 0, [["sysctl", "--quiet", "--write", "vm.max_map_count=1048576"]]),
        (65530, 1000, [["sudo", "sysctl", "--quiet", "--write", "vm.max_map_count=1048576"]]),
        (1048576, 0, []),
    ],
)
def test_the_limit_of_mappings_is_raised_where_it_is_low(
    allowed: int,
    user: int,
    changed: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = tmp_path / "max_map_count"
    limit.write_text(f"{allowed}\n")
    ran: list[list[str]] = []
    monkeypatch.setattr(uml, "MAPPINGS", limit)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(commands, "run", ran.append)
    uml.allow_many_devices()
    assert ran == changed
