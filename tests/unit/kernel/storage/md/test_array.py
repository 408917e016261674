"""Disks of one RAID group have sectors of one size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from raid_group import ARRAY, status

from fakes import FakeKernel
from sanstone.kernel.storage import md
from sanstone.kernel.storage.md import ArrayError


class TestSectors:
    """All disks of an array have logical sectors of one size, or its data changes its shape."""

    @staticmethod
    def enlarge(kernel: FakeKernel, name: str) -> None:
        """Put a disk with sectors of 4096 bytes in the place of an empty one."""
        kernel.storage.disks.present[name].logical_block_size = 4096
        kernel.storage.disks.plug(kernel.storage.disks.pull(name))

    def test_an_array_of_disks_of_both_kinds_is_refused(self, kernel: FakeKernel) -> None:
        self.enlarge(kernel, "sdc")
        with pytest.raises(ArrayError, match="/dev/sdc has sectors of 4096 bytes, not of 512"):
            md.ensure_created(kernel.host, ARRAY)
        assert not kernel.interrupt.log

    def test_an_array_has_those_of_its_disks(self, kernel: FakeKernel) -> None:
        for name in ("sda", "sdb", "sdc", "sdd"):
            self.enlarge(kernel, name)
        md.ensure_created(kernel.host, ARRAY)
        assert status(kernel).sector_size == 4096

    @pytest.mark.parametrize("raid_type", ["raid_dp", "raid10"])
    def test_a_replacement_with_others_is_refused_and_nothing_is_written(
        self, kernel: FakeKernel, raid_type: str
    ) -> None:
        array = replace(ARRAY, raid_type=raid_type)
        md.ensure_created(kernel.host, array)
        self.enlarge(kernel, "sde")
        kernel.storage.fail_disk("sdb")
        steps = len(kernel.interrupt.log)
        desired = replace(array, disks=("/dev/sda", "/dev/sde", "/dev/sdc", "/dev/sdd"))
        with pytest.raises(ArrayError, match="/dev/sde has sectors of 4096 bytes, not of 512"):
            md.ensure_members(kernel.host, desired)
        assert kernel.storage.disks.present["sde"].superblock is None
        assert all("--add" not in step for step in kernel.interrupt.log[steps:])
