"""The scenario of soft-iWARP on the fake kernel prints the lines of every form of host."""

from __future__ import annotations

from pathlib import Path

import iwarp_scenario

from fakes import FakeKernel

EXPECTED = Path(__file__).with_name("iwarp_scenario.txt")


def test_the_fake_kernel_prints_the_expected_lines() -> None:
    kernel = FakeKernel(disks=0)
    before = kernel.network.dump(), kernel.configfs.dump()
    lines = list(iwarp_scenario.run(kernel.host, "e0c"))
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()
    assert (kernel.network.dump(), kernel.configfs.dump()) == before
