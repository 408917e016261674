"""The storage drivers do on a real kernel what unit tests take for granted on the fake one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.station import Array

SCENARIO = Path(__file__).parents[2] / "unit/kernel/storage/storage_scenario.py"
MINUTES = 15.0


@pytest.mark.spare_disks
def test_the_machine_tells_what_the_fake_kernel_does(array: Array) -> None:
    disks = " ".join(f"/dev/disk/by-id/virtio-LAB-DISK-{number:02d}" for number in range(1, 8))
    array.run("systemctl stop sanstone-reconciler")
    array.run("cat > /run/scenario.py", stdin=SCENARIO.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    told = array.run(f"{interpreter} /run/scenario.py $(realpath {disks})", timeout=MINUTES * 60)
    assert told == SCENARIO.with_suffix(".txt").read_text()
    array.run("systemctl start sanstone-reconciler")
