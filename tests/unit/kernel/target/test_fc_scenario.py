"""The scenario of Fibre Channel's targets on the fake kernel prints the lines of a machine."""

from __future__ import annotations

from pathlib import Path

import fc_scenario
from target_worlds import machine

from sanstone.kernel.target.addresses import WorldWideName

EXPECTED = Path(__file__).with_name("fc_scenario.txt")
PORT = WorldWideName("20:00:00:24:ff:00:00:01", "21:00:00:24:ff:00:00:01")


def test_the_fake_kernel_prints_the_expected_lines() -> None:
    kernel = machine()
    kernel.configfs.nvmet.fc_ports.add(PORT.transport_address)
    before = kernel.configfs.dump()
    lines = list(fc_scenario.run(kernel.host, "/dev/vda", PORT))
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()
    fabric = fc_scenario.FABRIC.path
    remaining = [
        line for line in kernel.configfs.dump().splitlines() if not line.startswith(fabric)
    ]
    assert remaining == before.splitlines()
