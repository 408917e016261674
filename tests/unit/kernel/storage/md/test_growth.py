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


def test_the_array_is_larger_at_the_end(used: FakeKernel) -> None:
    before = status(used).size
    used.storage.arrays.reshapes_slowly = True
    assert widen(used) is Ensured.CHANGED
    assert widen(used) is Ensured.UNCHANGED
    used.storage.arrays.reshape_to(NAME, 250)
    assert (status(used).state, status(used).percent, status(used).raid_disks) == (
        *("reshaping", 25.0),
        5,
    )
    assert status(used).seconds_left == 187
    assert (status(used).size, status(used).missing_disks) == (before, 0)
    used.storage.arrays.finish_reshape(NAME)
    assert (status(used).state, status(used).size) == ("clean", before * 3 // 2)


def test_it_stands_still_after_a_start_until_it_is_told(used: FakeKernel) -> None:
    used.storage.arrays.reshapes_slowly = True
    widen(used)
    used.storage.arrays.reshape_to(NAME, 400)
    used.reboot()
    md.ensure_running(used.host, WIDER)
    assert (status(used).state, status(used).percent) == ("reshaping", None)
    assert md.ensure_reshaping(used.host, ARRAY.device) is Ensured.CHANGED
    assert md.ensure_reshaping(used.host, ARRAY.device) is Ensured.UNCHANGED
    assert (status(used).state, status(used).percent) == ("reshaping", 40.0)


def test_it_begins_although_nothing_was_written_since_the_start(used: FakeKernel) -> None:
    used.storage.arrays.running[NAME].read_auto = True
    used.storage.arrays.become(NAME, "idle")
    assert widen(used) is Ensured.CHANGED
    assert status(used).state == "clean"


def test_it_waits_for_a_resync(used: FakeKernel) -> None:
    used.storage.arrays.become(NAME, "resync")
    assert widen(used) is Ensured.UNCHANGED
    used.storage.arrays.become(NAME, "idle")
    assert widen(used) is Ensured.CHANGED


def test_what_lacks_a_disk_is_rebuilt_and_not_widened(used: FakeKernel) -> None:
    used.remove_disk("sdb")
    md.ensure_members(used.host, WIDER)
    assert md.ensure_width(used.host, WIDER, 5) is Ensured.UNCHANGED


def test_a_mirror_is_not_widened(kernel: FakeKernel) -> None:
    mirror = replace(ARRAY, raid_type="raid1", disks=DISKS[:2])
    md.ensure_created(kernel.host, mirror)
    with pytest.raises(ArrayError, match="raid1 is not widened"):
        md.ensure_width(kernel.host, mirror, 3)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("reboot", [False, True], ids=["restarted", "rebooted"])
def test_a_kill_at_any_step_costs_nothing(used: FakeKernel, done: bool, reboot: bool) -> None:
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
