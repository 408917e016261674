"""Aggregates: how space is divided, and groups that are created, grown, started and destroyed."""

from __future__ import annotations

import pytest

from fakes import FakeKernel, Killed
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError
from sanstone.kernel.storage import lvm, md, thin
from sanstone.kernel.storage.lvm import Group, GroupError, GroupReport, PhysicalVolume
from sanstone.kernel.storage.stack import over_thin

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
OTHER = "bbbbbbbb-1111-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
KIB, MIB, GIB, TIB = (1024**n for n in (1, 2, 3, 4))
FIRST = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
SECOND = md.Array(AGGREGATE, 1, "raid5", ("/dev/sde", "/dev/sdf", "/dev/sdg"))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine on which one RAID group runs."""
    kernel = FakeKernel()
    md.ensure_created(kernel.host, FIRST)
    return kernel


def group(*arrays: md.Array) -> Group:
    """Return the wanted group on these arrays."""
    return Group(AGGREGATE, tuple(PhysicalVolume(a.device, 128 * KIB) for a in arrays))


def reported(kernel: FakeKernel, desired: Group) -> GroupReport:
    """Return LVM's report of the group, which must be the only one."""
    [report] = lvm.report(kernel.host, desired.devices)
    return report


@pytest.mark.parametrize(
    ("size", "chunk"),
    [
        (1 * GIB, 64 * KIB),
        (7 * TIB, 64 * KIB),
        (8 * TIB, 128 * KIB),
        (16 * TIB, 256 * KIB),
        (32 * TIB, 512 * KIB),
        (64 * TIB, 1 * MIB),
        (200 * TIB, 1 * MIB),
    ],
)
def test_chunks_grow_with_the_pool(size: int, chunk: int) -> None:
    assert lvm.chunk_size(size) == chunk


def test_every_pool_can_double_before_its_metadata_reach_their_limit() -> None:
    for size in (n * TIB for n in range(1, 127)):
        mappings = 2 * size // lvm.chunk_size(size)
        assert mappings * 64 <= 16 * GIB


@pytest.mark.parametrize(
    ("size", "metadata"),
    [(1 * GIB, 64 * MIB), (64 * GIB, 64 * MIB), (1 * TIB, 1 * GIB), (1000 * TIB, 17045651456)],
)
def test_metadata_follow_the_number_of_chunks(size: int, metadata: int) -> None:
    assert lvm.metadata_size(size, 64 * KIB) == metadata


def test_a_pool_leaves_room_for_its_repair() -> None:
    for size in (1 * GIB, 100 * GIB, 20 * TIB):
        space = lvm.layout(size)
        assert space.pool + 3 * space.metadata + lvm.CONFIGURATION_SIZE <= size
        assert space.pool % lvm.EXTENT == space.metadata % lvm.EXTENT == 0


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(GroupError, match="too few"):
        lvm.layout(256 * MIB)
    with pytest.raises(GroupError, match="too many"):
        lvm.layout(300 * TIB)
    with pytest.raises(GroupError, match="too many"):
        lvm.layout(20 * TIB, chunk=64 * KIB)


def test_a_group_is_created_with_its_pool_and_configuration_volume(kernel: FakeKernel) -> None:
    desired = group(FIRST)
    assert lvm.ensure_created(kernel.host, desired) is Ensured.CREATED
    assert lvm.ensure_created(kernel.host, desired) is Ensured.UNCHANGED
    report = reported(kernel, desired)
    assert report.volumes[names.POOL] == "thin-pool"
    assert report.volumes[names.CONFIGURATION] == "linear"
    assert report.pool_transaction_id == 0
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    assert (status.mode, status.size, status.used) == ("rw", report.pool_size, 0)
    assert report.free >= report.pool_metadata_size


def test_no_command_sees_other_devices(kernel: FakeKernel) -> None:
    lvm.ensure_created(kernel.host, group(FIRST))
    calls = [call for call in kernel.commands.calls if call[0] == "lvm"]
    assert calls
    assert all(call[2:4] == ("--devices", FIRST.device) for call in calls)


def test_a_group_survives_a_reboot(kernel: FakeKernel) -> None:
    desired = group(FIRST)
    lvm.ensure_created(kernel.host, desired)
    thin.ensure_thin(kernel.host, POOL, 7)
    before = reported(kernel, desired)
    kernel.reboot()
    md.ensure_running(kernel.host, FIRST)
    assert lvm.ensure_active(kernel.host, desired) is Ensured.CHANGED
    assert lvm.ensure_active(kernel.host, desired) is Ensured.UNCHANGED
    assert reported(kernel, desired) == before
    assert thin.ensure_thin(kernel.host, POOL, 7) is Ensured.UNCHANGED


def test_a_configuration_is_read_without_the_pool(kernel: FakeKernel) -> None:
    """Read-only arrays cannot bear one, and a damaged one shall not matter."""
    desired, configuration = group(FIRST), names.configuration_device(AGGREGATE)
    lvm.ensure_created(kernel.host, desired)
    kernel.storage.groups.groups[desired.name].pool.needs_check = True  # type: ignore[union-attr]
    with lvm.readable(kernel.host, desired):
        assert kernel.host.mapper.state(POOL)
    assert kernel.host.mapper.state(configuration)
    kernel.reboot()
    md.ensure_running(kernel.host, FIRST)
    with lvm.readable(kernel.host, desired):
        assert [device.name for device in kernel.mapper.devices()] == [configuration]
    assert not kernel.mapper.devices()


def test_an_active_group_costs_no_command(kernel: FakeKernel) -> None:
    desired = group(FIRST)
    lvm.ensure_created(kernel.host, desired)
    count = len(kernel.commands.calls)
    lvm.ensure_active(kernel.host, desired)
    assert len(kernel.commands.calls) == count


def test_a_group_grows_over_another_array_while_it_is_used(kernel: FakeKernel) -> None:
    lvm.ensure_created(kernel.host, group(FIRST))
    thin.ensure_thin(kernel.host, POOL, 1)
    over_thin.ensure(kernel.host, over_thin.ThinDevice(OTHER, POOL, 1, GIB))
    before = reported(kernel, group(FIRST)).pool_size
    md.ensure_created(kernel.host, SECOND)
    desired = group(FIRST, SECOND)
    assert lvm.ensure_created(kernel.host, desired) is Ensured.CHANGED
    assert lvm.ensure_created(kernel.host, desired) is Ensured.UNCHANGED
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    assert status.size == reported(kernel, desired).pool_size > 1.9 * before


def _kill_each_step(desired: Group, arrays: tuple[md.Array, ...], steps: int) -> None:
    for step in range(1, steps + 1):
        for done in (False, True):
            kernel = FakeKernel()
            for array in arrays:
                md.ensure_created(kernel.host, array)
            if len(arrays) > 1:
                lvm.ensure_created(kernel.host, group(FIRST))
            kernel.kill_after(step, done=done)
            with pytest.raises(Killed):
                lvm.ensure_created(kernel.host, desired)
            kernel.reboot()
            for array in arrays:
                md.ensure_running(kernel.host, array)
            lvm.ensure_created(kernel.host, desired)
            report = reported(kernel, desired)
            assert report.pool_size == lvm.layout(report.size).pool
            assert thin.pool_status(kernel.host, POOL) is not None


def test_a_creation_that_was_cut_short_is_finished() -> None:
    _kill_each_step(group(FIRST), (FIRST,), steps=6)


def test_growth_that_was_cut_short_is_finished() -> None:
    _kill_each_step(group(FIRST, SECOND), (FIRST, SECOND), steps=3)


def test_an_old_group_that_a_new_array_shows_is_erased(kernel: FakeKernel) -> None:
    lvm.ensure_created(kernel.host, group(FIRST))
    kernel.reboot()
    for disk in FIRST.disks:
        kernel.storage.disks.present[disk[5:]].superblock = None
        kernel.files.write(f"/sys/block/{disk[5:]}/queue/write_zeroes_max_bytes", "0")
    again = md.Array(OTHER, 0, "raid_dp", FIRST.disks)
    md.ensure_created(kernel.host, again)
    desired = Group(OTHER, (PhysicalVolume(again.device, 128 * KIB),))
    [stale] = lvm.report(kernel.host, desired.devices)
    assert names.aggregate_of(stale.name) == AGGREGATE
    assert lvm.ensure_created(kernel.host, desired) is Ensured.CREATED
    assert reported(kernel, desired).name == desired.name


def test_a_group_that_lacks_an_array_is_neither_started_nor_grown(kernel: FakeKernel) -> None:
    md.ensure_created(kernel.host, SECOND)
    desired = group(FIRST, SECOND)
    lvm.ensure_created(kernel.host, desired)
    kernel.reboot()
    md.ensure_running(kernel.host, FIRST)
    with pytest.raises(GroupError, match=f"not there: {SECOND.device}"):
        lvm.ensure_active(kernel.host, desired)
    with pytest.raises(CommandError, match="Refusing activation of partial LV"):
        lvm.ensure_created(kernel.host, group(FIRST))
    assert reported(kernel, group(FIRST)).missing_devices == 1


def test_a_group_in_use_is_not_deactivated(kernel: FakeKernel) -> None:
    desired = group(FIRST)
    lvm.ensure_created(kernel.host, desired)
    thin.ensure_thin(kernel.host, POOL, 1)
    over_thin.ensure(kernel.host, over_thin.ThinDevice(OTHER, POOL, 1, GIB))
    with pytest.raises(CommandError, match="is used by another device"):
        lvm.ensure_inactive(kernel.host, desired)
    with pytest.raises(CommandError, match="is used by another device"):
        lvm.ensure_removed(kernel.host, desired)
    over_thin.ensure_none(kernel.host, OTHER)
    assert lvm.ensure_inactive(kernel.host, desired) is Ensured.CHANGED
    assert lvm.ensure_inactive(kernel.host, desired) is Ensured.UNCHANGED


def test_damaged_metadata_are_refused_until_repaired(kernel: FakeKernel) -> None:
    desired = group(FIRST)
    lvm.ensure_created(kernel.host, desired)
    thin.ensure_thin(kernel.host, POOL, 3)
    pool = kernel.storage.groups.groups[desired.name].pool
    assert pool is not None
    pool.needs_check = True
    lvm.ensure_inactive(kernel.host, desired)
    with pytest.raises(CommandError, match="Manual repair required"):
        lvm.ensure_active(kernel.host, desired)
    lvm.repair(kernel.host, desired)
    lvm.ensure_active(kernel.host, desired)
    assert thin.ensure_thin(kernel.host, POOL, 3) is Ensured.UNCHANGED


def test_removal_leaves_empty_arrays(kernel: FakeKernel) -> None:
    desired = group(FIRST)
    lvm.ensure_created(kernel.host, desired)
    assert lvm.ensure_removed(kernel.host, desired) is Ensured.CHANGED
    assert lvm.ensure_removed(kernel.host, desired) is Ensured.UNCHANGED
    assert lvm.report(kernel.host, desired.devices) == []
    md.ensure_removed(kernel.host, FIRST)
    assert lvm.ensure_removed(kernel.host, desired) is Ensured.UNCHANGED


def test_a_removal_that_was_cut_short_is_finished() -> None:
    for step in (1, 2):
        kernel = FakeKernel()
        md.ensure_created(kernel.host, FIRST)
        lvm.ensure_created(kernel.host, group(FIRST))
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            lvm.ensure_removed(kernel.host, group(FIRST))
        lvm.ensure_removed(kernel.host, group(FIRST))
        assert lvm.ensure_created(kernel.host, group(FIRST)) is Ensured.CREATED
