"""The scenario of layers on the fake kernel prints the lines of every form of host."""

from __future__ import annotations

from pathlib import Path

import layers_scenario
import pytest

from fakes import FakeKernel
from sanstone.kernel import names

EXPECTED = Path(__file__).with_name("layers_scenario.txt")


@pytest.mark.parametrize("is_ours", [True, False], ids=["the product's", "Debian's"])
def test_the_fake_kernel_prints_the_expected_lines(
    is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for height in ("UNDER_MD", "OVER_MD", "OVER_THIN"):
        monkeypatch.setattr(names, height, getattr(names, height))
    kernel = FakeKernel(disks=2)
    if not is_ours:
        kernel.boot_linux()
    lines = list(layers_scenario.run(kernel.host, ["/dev/sda", "/dev/sdb"]))
    expected = EXPECTED.read_text(encoding="utf-8")
    if not is_ours:
        expected = layers_scenario.without_limits(expected)
    assert lines == expected.splitlines()
