"""The storage scenario on the fake kernel tells what it told on a Linux 6.12 machine."""

from __future__ import annotations

from pathlib import Path

import storage_scenario

from sanstone.kernel.fake import FakeKernel

MACHINE = Path(__file__).with_name("storage_scenario.txt")
"""What `storage_scenario.py` printed on Debian trixie, with disks that clear themselves."""


def test_fake_and_machine_tell_the_same() -> None:
    kernel = FakeKernel(disks=7)
    disks = [f"/dev/sd{letter}" for letter in "abcdefg"]
    told = list(storage_scenario.run(kernel.host, disks))
    assert told == MACHINE.read_text(encoding="utf-8").splitlines()
