"""The storage scenario on the fake kernel prints the lines of every form of host."""

from __future__ import annotations

from pathlib import Path

import pytest
import storage_scenario

from fakes import FakeKernel

EXPECTED = Path(__file__).with_name("storage_scenario.txt")


@pytest.mark.parametrize("is_ours", [True, False], ids=["the product's", "Debian's"])
def test_the_fake_kernel_prints_the_expected_lines(is_ours: bool) -> None:
    kernel = FakeKernel(disks=7)
    if not is_ours:
        kernel.boot_linux()
    disks = [f"/dev/sd{letter}" for letter in "abcdefg"]
    lines = list(storage_scenario.run(kernel.host, disks))
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()
