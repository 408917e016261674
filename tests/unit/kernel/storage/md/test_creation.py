"""RAID groups are created once, and never again over data."""

from __future__ import annotations

from dataclasses import replace

import pytest
from raid_group import AGGREGATE, ARRAY, DISKS, status

from fakes import FakeKernel, Killed
from fakes.disks import Foreign
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.storage import md
from sanstone.kernel.storage.block import ContentError
from sanstone.kernel.storage.md import Array, ArrayError


@pytest.mark.parametrize(
    ("raid_type", "disks", "level", "disks_of_data"),
    [
        ("raid_dp", 6, "raid6", 4),
        ("raid4", 3, "raid4", 2),
        ("raid5", 4, "raid5", 3),
        ("raid10", 4, "raid10", 2),
        ("raid1", 2, "raid1", 1),
        ("raid0", 2, "raid0", 2),
        ("raid0", 1, "raid0", 1),
    ],
)
def test_every_raid_type_is_created_and_starts_again(
    kernel: FakeKernel, raid_type: str, disks: int, level: str, disks_of_data: int
) -> None:
    paths = tuple(f"/dev/sd{letter}" for letter in "abcdefgh"[:disks])
    array = replace(ARRAY, raid_type=raid_type, disks=paths)
    assert md.ensure_created(kernel.host, array) is Ensured.CREATED
    assert md.ensure_created(kernel.host, array) is Ensured.UNCHANGED
    group = status(kernel)
    assert (group.level, group.state, group.missing_disks) == (level, "clean", 0)
    assert group.full_stripe == disks_of_data * 64 * 1024
    kernel.reboot()
    assert md.status(kernel.host, AGGREGATE, 0) is None
    assert md.ensure_running(kernel.host, array) is Ensured.CHANGED
    assert md.ensure_running(kernel.host, array) is Ensured.UNCHANGED
    assert status(kernel) == group


def test_too_few_disks_are_refused_before_anything_is_touched(kernel: FakeKernel) -> None:
    with pytest.raises(ArrayError, match="takes at least 4 disks, not 3"):
        md.ensure_created(kernel.host, replace(ARRAY, disks=DISKS[:3]))
    assert not kernel.interrupt.log


def test_a_disk_with_data_is_refused_and_nothing_is_written(kernel: FakeKernel) -> None:
    kernel.storage.disks.present["sdc"].foreign.append(Foreign("xfs", "filesystem"))
    with pytest.raises(ContentError, match="/dev/sdc"):
        md.ensure_created(kernel.host, ARRAY)
    assert not kernel.interrupt.log


def test_a_member_of_another_array_of_ours_is_refused(machine: FakeKernel) -> None:
    other = Array(AGGREGATE, 1, "raid1", ("/dev/sda", "/dev/sde"))
    with pytest.raises(ContentError, match="md member of sanstone"):
        md.ensure_created(machine.host, other)


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("reboot", [False, True], ids=["restarted", "rebooted"])
def test_a_creation_that_was_cut_short_is_finished(
    kernel: FakeKernel, done: bool, reboot: bool
) -> None:
    for step in (1, 2):
        kernel = FakeKernel()
        kernel.kill_after(step, done=done)
        with pytest.raises(Killed):
            md.ensure_created(kernel.host, ARRAY)
        if reboot:
            kernel.reboot()
        md.ensure_created(kernel.host, ARRAY)
        assert status(kernel).state == "clean"


def test_an_array_that_held_data_is_never_created_again(machine: FakeKernel) -> None:
    machine.reboot()
    for name in ("sda", "sdb", "sdc"):
        machine.storage.disks.present[name].superblock = None
    with pytest.raises(ArrayError, match="need all 4"):
        md.ensure_created(machine.host, ARRAY)
    assert machine.storage.disks.present["sdd"].superblock is not None


def test_zeroes_are_written_only_where_all_disks_do_so_by_themselves(kernel: FakeKernel) -> None:
    md.ensure_created(kernel.host, ARRAY)
    assert "--write-zeroes" in kernel.commands.calls[-1]
    kernel.files.write("/sys/block/sde/queue/rotational", "1")
    mirror = Array(AGGREGATE, 1, "raid1", ("/dev/sde", "/dev/sdf"))
    md.ensure_created(kernel.host, mirror)
    assert "--write-zeroes" not in kernel.commands.calls[-1]


def test_removal_frees_the_disks(machine: FakeKernel) -> None:
    assert md.ensure_removed(machine.host, ARRAY) is Ensured.CHANGED
    assert md.ensure_removed(machine.host, ARRAY) is Ensured.UNCHANGED
    assert all(not machine.storage.disks.present[d[5:]].signatures() for d in DISKS)


def test_a_removal_that_was_cut_short_is_finished(machine: FakeKernel) -> None:
    for step in range(1, 6):
        kernel = FakeKernel()
        md.ensure_created(kernel.host, ARRAY)
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            md.ensure_removed(kernel.host, ARRAY)
        md.ensure_removed(kernel.host, ARRAY)
        assert all(not kernel.storage.disks.present[d[5:]].signatures() for d in DISKS)
