"""RAID groups are widened while they run, and go on after each start."""

from __future__ import annotations

from dataclasses import replace

import pytest
from raid_group import ARRAY, DISKS, NAME, status

from fakes import FakeKernel, Killed
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.storage import md
from sanstone.kernel.storage.md import ArrayError

WIDER = replace(ARRAY, disks=(*DISKS, "/dev/sde"))


def widen(kernel: FakeKernel) -> Ensured:
    """Add the disk and widen the array, as the reconciler does."""
    md.ensure_members(kernel.host, WIDER)
    return md.ensure_width(kernel.host, WIDER, 5)


def test_the_array_is_larger_at_the_end(machine: FakeKernel) -> None:
    before = status(machine).size
    machine.storage.arrays.reshapes_slowly = True
    assert widen(machine) is Ensured.CHANGED
    assert widen(machine) is Ensured.UNCHANGED
    machine.storage.arrays.reshape_to(NAME, 250)
    assert (status(machine).state, status(machine).percent, status(machine).raid_disks) == (
        *("reshaping", 25.0),
        5,
    )
    assert status(machine).seconds_left == 187
    assert (status(machine).size, status(machine).missing_disks) == (before, 0)
    machine.storage.arrays.finish_reshape(NAME)
    assert (status(machine).state, status(machine).size) == ("clean", before * 3 // 2)


def test_a_reshape_waits_after_a_start_until_it_is_resumed(machine: FakeKernel) -> None:
    machine.storage.arrays.reshapes_slowly = True
    widen(machine)
    machine.storage.arrays.reshape_to(NAME, 400)
    machine.reboot()
    md.ensure_running(machine.host, WIDER)
    assert (status(machine).state, status(machine).percent) == ("reshaping", None)
    assert md.ensure_reshaping(machine.host, ARRAY.device) is Ensured.CHANGED
    assert md.ensure_reshaping(machine.host, ARRAY.device) is Ensured.UNCHANGED
    assert (status(machine).state, status(machine).percent) == ("reshaping", 40.0)


def test_a_reshape_begins_without_writes_since_the_start(machine: FakeKernel) -> None:
    machine.storage.arrays.running[NAME].read_auto = True
    machine.storage.arrays.become(NAME, "idle")
    assert widen(machine) is Ensured.CHANGED
    assert status(machine).state == "clean"


def test_a_reshape_waits_for_a_resync(machine: FakeKernel) -> None:
    machine.storage.arrays.become(NAME, "resync")
    assert widen(machine) is Ensured.UNCHANGED
    machine.storage.arrays.become(NAME, "idle")
    assert widen(machine) is Ensured.CHANGED


def test_a_degraded_group_is_rebuilt_and_not_widened(machine: FakeKernel) -> None:
    machine.remove_disk("sdb")
    md.ensure_members(machine.host, WIDER)
    assert md.ensure_width(machine.host, WIDER, 5) is Ensured.UNCHANGED


def test_a_mirror_is_not_widened(kernel: FakeKernel) -> None:
    mirror = replace(ARRAY, raid_type="raid1", disks=DISKS[:2])
    md.ensure_created(kernel.host, mirror)
    with pytest.raises(ArrayError, match="raid1 is not widened"):
        md.ensure_width(kernel.host, mirror, 3)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("reboot", [False, True], ids=["restarted", "rebooted"])
def test_a_kill_at_any_step_costs_nothing(machine: FakeKernel, done: bool, reboot: bool) -> None:
    for step in (1, 2):
        kernel = FakeKernel()
        md.ensure_created(kernel.host, ARRAY)
        kernel.storage.arrays.written(NAME)
        kernel.kill_after(step, done=done)
        with pytest.raises(Killed):
            widen(kernel)
        if reboot:
            kernel.reboot()
            md.ensure_running(kernel.host, WIDER)
        widen(kernel)
        assert (status(kernel).raid_disks, status(kernel).state) == (5, "clean")
