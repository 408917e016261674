"""The scenario of RAID groups on the fake kernel prints the lines of every form of host."""

from __future__ import annotations

from pathlib import Path

import raid_scenario

from fakes import FakeKernel

EXPECTED = Path(__file__).with_name("raid_scenario.txt")


def test_the_fake_kernel_prints_the_expected_lines() -> None:
    kernel = FakeKernel(disks=5)
    lines = list(raid_scenario.run(kernel.host, [f"/dev/sd{letter}" for letter in "abcde"]))
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()
