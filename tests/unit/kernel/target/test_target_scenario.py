"""The scenario of both targets on the fake kernel prints the lines of every form of host."""

from __future__ import annotations

from pathlib import Path

import target_scenario
from target_worlds import machine

EXPECTED = Path(__file__).with_name("target_scenario.txt")


def test_the_fake_kernel_prints_the_expected_lines() -> None:
    kernel = machine()
    before = kernel.configfs.dump()
    lines = list(target_scenario.run(kernel.host, "e0c", "/dev/vda", "/dev/vdb"))
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()
    iscsi = "/sys/kernel/config/target/iscsi"
    remaining = [line for line in kernel.configfs.dump().splitlines() if not line.startswith(iscsi)]
    assert remaining == before.splitlines()
