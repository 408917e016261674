"""The processes that are killed when memory runs out, and those that restart, as the units say.

The kernel kills the process that takes most, by its `oom_score_adj` (proc_pid_oom_score_adj(5)).
The kernel serves hosts, whichever process goes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

OVERLAY = Path(__file__).parents[3] / "overlay"
FOLDERS = ("usr/lib/systemd/system", "etc/systemd/system")
UNITS = {
    file.name: file.read_text()
    for folder in FOLDERS
    for file in (OVERLAY / folder).glob("*.service")
    if "[Service]" in file.read_text()
}
LAST = ("sanstone-reconciler.service", "sanstone-setup.service")
"""Without these nobody can make room, and nothing that fails is brought up again."""
FIRST = ("sanstone-api.service", "nginx.service")
"""Services that strangers can have grow; each has a limit of its own, too."""


def settings(unit: str, name: str) -> list[str]:
    """Return the values of a setting in a unit."""
    lines = (line.partition("=") for line in UNITS[unit].splitlines())
    return [value for key, _, value in lines if key == name]


def adjustment(unit: str) -> int:
    """Return by how much a unit goes earlier than others, 0 where it says nothing."""
    return int((settings(unit, "OOMScoreAdjust") or ["0"])[-1])


def test_all_other_services_are_killed_before_the_reconciler() -> None:
    assert {adjustment(unit) for unit in LAST} == {-900}
    others = {unit: adjustment(unit) for unit in UNITS.keys() - set(LAST)}
    assert min(others.values()) >= 0


@pytest.mark.parametrize("unit", FIRST)
def test_services_for_strangers_are_killed_first_and_restart(unit: str) -> None:
    assert adjustment(unit) > 0
    assert settings(unit, "OOMPolicy") == ["continue"], "one worker takes the others with it"
    assert settings(unit, "Restart") == ["always"]


def test_the_reconciler_comes_back() -> None:
    assert settings(LAST[0], "Restart") == ["always"]
    assert settings(LAST[0], "RestartSec") == ["1"]
