"""The RAID group that tests of md are about."""

from __future__ import annotations

from fakes import FakeKernel
from sanstone.kernel.storage import md
from sanstone.kernel.storage.md import Array, ArrayStatus

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
DISKS = ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd")
ARRAY = Array(AGGREGATE, 0, "raid_dp", DISKS)
NAME = ARRAY.device.removeprefix("/dev/")


def status(kernel: FakeKernel) -> ArrayStatus:
    """Return the state of the RAID group, which must be assembled."""
    group = md.status(kernel.host, AGGREGATE, 0)
    assert group is not None
    return group
