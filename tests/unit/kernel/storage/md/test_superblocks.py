"""A disk that left a RAID group is free again."""

from __future__ import annotations

from dataclasses import replace

from raid_group import ARRAY

from fakes import FakeKernel
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.storage import md


def test_a_disk_that_left_can_be_freed(machine: FakeKernel) -> None:
    machine.storage.fail_disk("sdb")
    desired = replace(ARRAY, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
    md.ensure_members(machine.host, desired)
    assert md.ensure_erased(machine.host, ARRAY.uuid, ["/dev/sdb"]) is Ensured.CHANGED
    assert md.ensure_erased(machine.host, ARRAY.uuid, ["/dev/sdb"]) is Ensured.UNCHANGED
    assert not machine.storage.disks.present["sdb"].signatures()
