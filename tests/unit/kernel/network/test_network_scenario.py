"""The network scenario on the fake kernel prints the lines of every form of host."""

from __future__ import annotations

from pathlib import Path

import network_scenario

from fakes import FakeKernel
from fakes.files import Text
from sanstone.kernel.network import firewall

EXPECTED = Path(__file__).with_name("network_scenario.txt")
FILE = (Path(__file__).parents[4] / f"overlay{firewall.FILE}").read_text()


def test_the_fake_kernel_prints_the_expected_lines() -> None:
    kernel = FakeKernel(disks=0)
    kernel.files.place(firewall.FILE, Text(FILE))
    kernel.host.commands.run(["nft", "--file", "-"], stdin=FILE)
    before = kernel.network.dump(), kernel.nftables.dump()
    lines = list(network_scenario.run(kernel.host, "e0c", "e0d"))
    assert lines == EXPECTED.read_text(encoding="utf-8").splitlines()
    assert (kernel.network.dump(), kernel.nftables.dump()) == before
