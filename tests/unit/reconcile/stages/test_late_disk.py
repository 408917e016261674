"""Disks that are late at boot: hosts wait for their LUNs, and never find them gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from machine_state import comparable, difference
from scenarios import fabric, san
from simulator import Simulator, simulated

PORTAL = "np/10.10.1.1:3260"
LATE = ("sda", "sdb", "sdc")
"""More than a RAID 6 can do without."""
SUBSYSTEM_LINK = "ports/3/subsystems/"


@pytest.mark.parametrize(("provision", "export"), [(san, PORTAL), (fabric, SUBSYSTEM_LINK)])
def test_hosts_find_all_or_nothing(
    tmp_path: Path, provision: Callable[[Simulator], None], export: str
) -> None:
    with simulated(tmp_path) as array:
        provision(array)
        before = comparable(array.kernel)
        assert export in array.dump()

        array.reboot()
        for disk in LATE:
            array.kernel.remove_disk(disk)
        array.settle()
        assert export not in array.dump()

        for disk in LATE:
            array.kernel.add_disk(disk)
        array.reconciler.rescan()
        array.settle()
        assert difference(comparable(array.kernel), before) == ""
