"""RAID groups are started by UUID, whatever their disks are called."""

from __future__ import annotations

from dataclasses import replace

import pytest
from raid_group import AGGREGATE, ARRAY, DISKS, NAME, status

from fakes import FakeKernel, Killed
from fakes.disks import Foreign
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.storage import md
from sanstone.kernel.storage.md import ArrayError, DirtyError
from sanstone.kernel.storage.md.assembly import STARTS_DIRTY


def test_a_late_disk_does_not_degrade_the_array(machine: FakeKernel) -> None:
    machine.reboot()
    machine.remove_disk("sdb")
    with pytest.raises(ArrayError, match="/dev/sdb"):
        md.ensure_running(machine.host, ARRAY)
    assert md.status(machine.host, AGGREGATE, 0) is None
    machine.add_disk("sdb")
    md.ensure_running(machine.host, ARRAY)
    assert status(machine).missing_disks == 0


def test_an_array_starts_degraded_by_order(machine: FakeKernel) -> None:
    machine.reboot()
    machine.remove_disk("sdb")
    assert md.ensure_running(machine.host, ARRAY, degraded=True) is Ensured.CHANGED
    assert (status(machine).state, status(machine).missing_disks) == ("degraded", 1)


def test_a_disk_known_to_have_failed_does_not_hold_up_the_next_start(machine: FakeKernel) -> None:
    machine.remove_disk("sdb")
    machine.storage.arrays.written(NAME)
    machine.reboot()
    md.ensure_running(machine.host, ARRAY)
    assert status(machine).missing_disks == 1


def test_too_many_missing_disks_are_refused_even_by_order(machine: FakeKernel) -> None:
    machine.reboot()
    for name in ("sda", "sdb", "sdc"):
        machine.remove_disk(name)
    with pytest.raises(ArrayError, match="/dev/sda, /dev/sdb, /dev/sdc"):
        md.ensure_running(machine.host, ARRAY, degraded=True)


def test_an_array_without_any_disk_is_an_error(kernel: FakeKernel) -> None:
    with pytest.raises(ArrayError, match="none of its disks is there"):
        md.ensure_running(kernel.host, ARRAY)


def test_disks_are_found_under_other_names(machine: FakeKernel) -> None:
    machine.storage.disks.swap_names("sda", "sdh")
    machine.reboot()
    md.ensure_running(machine.host, replace(ARRAY, disks=("/dev/sdh", *DISKS[1:])))
    assert status(machine).missing_disks == 0


def test_an_automatic_assembly_under_another_name_is_replaced(machine: FakeKernel) -> None:
    machine.reboot()
    machine.storage.arrays.assemble_as("md127", ARRAY.uuid)
    md.ensure_running(machine.host, ARRAY)
    assert list(machine.storage.arrays.running) == [NAME]


def test_a_half_assembled_array_is_stopped_first(machine: FakeKernel) -> None:
    machine.reboot()
    machine.storage.arrays.assemble_as("md127", ARRAY.uuid)
    machine.storage.arrays.stall("md127")
    md.ensure_running(machine.host, ARRAY)
    assert list(machine.storage.arrays.running) == [NAME]


def test_an_array_is_found_from_its_disks_alone(machine: FakeKernel) -> None:
    machine.reboot()
    assert md.ensure_running_by_uuid(machine.host, ARRAY.uuid, DISKS[1:]) == ARRAY.device
    assert status(machine).state == "degraded"
    assert md.ensure_running_by_uuid(machine.host, ARRAY.uuid, DISKS[1:]) == ARRAY.device


def test_an_array_is_read_without_a_trace(machine: FakeKernel) -> None:
    machine.reboot()
    present = machine.storage.disks.present
    before = {name: str(disk.superblock) for name, disk in present.items()}
    with md.readable(machine.host, ARRAY.uuid, DISKS[1:]) as device:
        assert device == ARRAY.device
        assert machine.host.files.read(f"/sys/block/{device[5:]}/md/array_state") == "readonly"
    assert not machine.storage.arrays.running
    assert {name: str(disk.superblock) for name, disk in present.items()} == before
    md.ensure_running(machine.host, ARRAY)
    assert status(machine).state == "clean"


def test_an_array_that_runs_is_read_as_it_is(machine: FakeKernel) -> None:
    with md.readable(machine.host, ARRAY.uuid, DISKS[1:]):
        assert status(machine).state == "clean"
    assert status(machine).state == "clean"


def test_an_array_whose_reader_was_killed_starts_writable(machine: FakeKernel) -> None:
    machine.reboot()
    machine.kill_after(2)
    with pytest.raises(Killed), md.readable(machine.host, ARRAY.uuid, DISKS):
        pass
    machine.interrupt.clear()
    assert status(machine).state == "inactive"
    assert md.ensure_running(machine.host, ARRAY) is Ensured.CHANGED
    assert status(machine).state == "clean"


def test_a_foreign_array_is_not_started(kernel: FakeKernel) -> None:
    foreign = Foreign("linux_raid_member", "raid", "nas:0", "99999999-9999-4999-8999-999999999999")
    kernel.storage.disks.present["sda"].foreign.append(foreign)
    assert md.ensure_running_by_uuid(kernel.host, foreign.uuid, ["/dev/sda"]) == ""
    assert not kernel.interrupt.log


class TestDirty:
    """A degraded array that was dirty at a power cut starts by order alone."""

    @staticmethod
    def cut(kernel: FakeKernel, *missing: str) -> None:
        """Cut the power while hosts write, and boot without some disks."""
        kernel.storage.arrays.leave_dirty(NAME)
        kernel.reboot()
        for name in missing:
            kernel.remove_disk(name)

    def test_a_dirty_degraded_array_is_refused(self, machine: FakeKernel) -> None:
        self.cut(machine, "sdb")
        for degraded in (False, True):
            with pytest.raises(DirtyError, match=r"not clean.*/dev/sdb"):
                md.ensure_running(machine.host, ARRAY, degraded=degraded)
        assert md.status(machine.host, AGGREGATE, 0) is None

    def test_a_dirty_array_starts_by_order_and_no_other_does_after_it(
        self, machine: FakeKernel
    ) -> None:
        self.cut(machine, "sdb")
        md.ensure_running(machine.host, ARRAY, degraded=True, dirty=True)
        assert (status(machine).state, status(machine).missing_disks) == ("degraded", 1)
        assert machine.host.files.read(STARTS_DIRTY) == "0"

    def test_a_killed_start_leaves_no_permission_behind(self, machine: FakeKernel) -> None:
        self.cut(machine, "sdb")
        machine.kill_after(1, done=True)
        with pytest.raises(Killed):
            md.ensure_running(machine.host, ARRAY, degraded=True, dirty=True)
        with pytest.raises(DirtyError):
            md.ensure_running(machine.host, ARRAY, degraded=True)

    def test_a_whole_dirty_array_starts_by_itself(self, machine: FakeKernel) -> None:
        self.cut(machine)
        assert md.ensure_running(machine.host, ARRAY) is Ensured.CHANGED

    def test_mirrors_start_by_themselves(self, kernel: FakeKernel) -> None:
        mirror = replace(ARRAY, raid_type="raid1", disks=DISKS[:2])
        md.ensure_created(kernel.host, mirror)
        self.cut(kernel, "sdb")
        assert md.ensure_running(kernel.host, mirror, degraded=True) is Ensured.CHANGED
