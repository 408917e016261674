"""Thin devices: made, resized, found again, and never confused."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace

import pytest

from fakes import FakeKernel, Killed
from fakes.files import BlockNode
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import RequestError, Target
from sanstone.kernel.storage import dm, lvm, md
from sanstone.kernel.storage.dm import DeviceError, ThinDevice
from sanstone.kernel.storage.layers.block_size import BlockSize

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
UUID = "55555555-1111-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
MIB = 1024**2
PLAIN = ThinDevice(UUID, POOL, 5, 100 * MIB)
LARGE_BLOCKS = replace(PLAIN, layers=(BlockSize(4096),))
ARRAY = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
GROUP = lvm.Group(AGGREGATE, (lvm.PhysicalVolume(ARRAY.device, 131072),))

both = pytest.mark.parametrize("wanted", [PLAIN, LARGE_BLOCKS], ids=["512", "4096"])


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool in which volume 5 is, whose kernel needs a layer for larger blocks."""
    kernel = FakeKernel()
    kernel.boot_linux()
    start(kernel, lvm.ensure_created)
    dm.ensure_thin(kernel.host, POOL, 5)
    return kernel


def start(kernel: FakeKernel, bring_up: Callable[..., Ensured]) -> None:
    """Make or start the pool."""
    md.ensure_created(kernel.host, ARRAY)
    bring_up(kernel.host, GROUP)


def pool(kernel: FakeKernel) -> ThinPool:
    """Return what is on the pool's disks."""
    found = kernel.storage.groups.groups[GROUP.name].pool
    assert found is not None
    return found


def size(kernel: FakeKernel) -> int:
    """Return the bytes of the block device that the node leads to."""
    device = kernel.files.block_device(names.device_node(UUID))
    assert device is not None
    return device.size


def test_a_thin_volume_is_made_once(kernel: FakeKernel) -> None:
    assert dm.ensure_thin(kernel.host, POOL, 6) is Ensured.CREATED
    assert dm.ensure_thin(kernel.host, POOL, 6) is Ensured.UNCHANGED


@both
def test_a_device_gets_its_node(kernel: FakeKernel, wanted: ThinDevice) -> None:
    assert dm.ensure_device(kernel.host, wanted) is Ensured.CREATED
    assert dm.ensure_device(kernel.host, wanted) is Ensured.UNCHANGED
    assert size(kernel) == 100 * MIB
    assert dm.devices(kernel.host) == {UUID}


def test_layers_lie_above_the_thin_device(kernel: FakeKernel) -> None:
    dm.ensure_device(kernel.host, LARGE_BLOCKS)
    below = names.layer_device(UUID, names.THIN)
    assert [target.kind for target in kernel.mapper.table(below)] == ["thin"]
    assert [target.kind for target in kernel.mapper.table(names.device(UUID))] == ["crypt"]
    assert dm.stack(kernel.host, UUID) == [names.device(UUID), below]


@both
@pytest.mark.parametrize("new", [200 * MIB, 40 * MIB], ids=["grown", "shrunk"])
def test_a_device_is_resized_while_it_is_open(
    kernel: FakeKernel, wanted: ThinDevice, new: int
) -> None:
    dm.ensure_device(kernel.host, wanted)
    device = kernel.files.block_device(names.device_node(UUID))
    assert device is not None
    device.hold("nvmet")
    assert dm.ensure_device(kernel.host, replace(wanted, size=new)) is Ensured.CHANGED
    assert dm.ensure_device(kernel.host, replace(wanted, size=new)) is Ensured.UNCHANGED
    assert size(kernel) == new


@pytest.mark.parametrize(
    ("new", "first"),
    [(200 * MIB, names.layer_device(UUID, names.THIN)), (40 * MIB, names.device(UUID))],
    ids=["grown", "shrunk"],
)
def test_a_layer_never_reaches_beyond_what_it_lies_on(
    kernel: FakeKernel, new: int, first: str
) -> None:
    dm.ensure_device(kernel.host, LARGE_BLOCKS)
    count = len(kernel.interrupt.log)
    dm.ensure_device(kernel.host, replace(LARGE_BLOCKS, size=new))
    resumed = [line for line in kernel.interrupt.log[count:] if line.startswith("dm resume")]
    assert resumed[0] == f"dm resume {first}"
    assert len(resumed) == 2


@both
def test_whatever_was_cut_short_is_finished(kernel: FakeKernel, wanted: ThinDevice) -> None:
    steps = 7 if wanted.layers else 4
    for step in range(1, steps + 1):
        for done in (False, True):
            kernel.kill_after(step, done=done)
            with pytest.raises(Killed):
                dm.ensure_device(kernel.host, wanted)
            dm.ensure_device(kernel.host, wanted)
            assert size(kernel) == 100 * MIB
            state = kernel.mapper.state(names.device(UUID))
            assert state is not None
            assert state.live
            assert not state.suspended
            dm.ensure_no_device(kernel.host, UUID)


@both
def test_a_resize_that_was_cut_short_is_finished(kernel: FakeKernel, wanted: ThinDevice) -> None:
    for new in (200 * MIB, 40 * MIB):
        for step in range(1, 5 if wanted.layers else 3):
            dm.ensure_device(kernel.host, wanted)
            kernel.kill_after(step, done=True)
            with pytest.raises(Killed):
                dm.ensure_device(kernel.host, replace(wanted, size=new))
            dm.ensure_device(kernel.host, replace(wanted, size=new))
            assert size(kernel) == new
            dm.ensure_no_device(kernel.host, UUID)


def test_a_device_that_was_left_suspended_runs_again(kernel: FakeKernel) -> None:
    dm.ensure_device(kernel.host, PLAIN)
    kernel.mapper.suspend(names.device(UUID))
    assert dm.ensure_device(kernel.host, PLAIN) is Ensured.CHANGED
    state = kernel.mapper.state(names.device(UUID))
    assert state is not None
    assert not state.suspended


def test_a_stale_node_is_replaced(kernel: FakeKernel) -> None:
    kernel.files.place(names.device_node(UUID), BlockNode(8, 0))
    dm.ensure_device(kernel.host, PLAIN)
    assert size(kernel) == 100 * MIB


def test_a_reboot_brings_back_the_same_data(kernel: FakeKernel) -> None:
    dm.ensure_device(kernel.host, PLAIN)
    pool(kernel).write(5, 3 * MIB)
    kernel.reboot()
    start(kernel, lvm.ensure_active)
    assert dm.ensure_device(kernel.host, PLAIN) is Ensured.CREATED
    assert dm.used(kernel.host, UUID) == 3 * MIB


@both
def test_what_a_device_occupies_is_told(kernel: FakeKernel, wanted: ThinDevice) -> None:
    dm.ensure_device(kernel.host, wanted)
    assert dm.used(kernel.host, UUID) == 0
    pool(kernel).write(5, 7 * MIB)
    assert dm.used(kernel.host, UUID) == 7 * MIB
    status = dm.pool_status(kernel.host, POOL)
    assert status is not None
    assert status.used == 7 * MIB


def test_an_unknown_volume_is_refused(kernel: FakeKernel) -> None:
    with pytest.raises(RequestError) as refused:
        dm.ensure_device(kernel.host, replace(PLAIN, thin_id=99))
    assert refused.value.errno == errno.ENODATA


def test_a_device_without_an_active_pool_is_refused(kernel: FakeKernel) -> None:
    lvm.ensure_inactive(kernel.host, GROUP)
    with pytest.raises(DeviceError, match="the pool is not active"):
        dm.ensure_device(kernel.host, PLAIN)
    assert dm.pool_status(kernel.host, POOL) is None


@pytest.mark.parametrize("size", [0, 1000, 4096 + 512])
def test_a_size_of_broken_blocks_is_refused(kernel: FakeKernel, size: int) -> None:
    with pytest.raises(DeviceError, match="no multiple"):
        dm.ensure_device(kernel.host, replace(LARGE_BLOCKS, size=size))


def test_a_name_that_something_else_has_is_refused(kernel: FakeKernel) -> None:
    kernel.mapper.create(names.device(UUID), "SOMETHING-ELSE")
    with pytest.raises(DeviceError, match="belongs to something else"):
        dm.ensure_device(kernel.host, PLAIN)


@both
def test_an_open_device_stays(kernel: FakeKernel, wanted: ThinDevice) -> None:
    dm.ensure_device(kernel.host, wanted)
    device = kernel.files.block_device(names.device_node(UUID))
    assert device is not None
    device.hold("nvmet")
    with pytest.raises(RequestError) as refused:
        dm.ensure_no_device(kernel.host, UUID)
    assert refused.value.errno == errno.EBUSY
    assert size(kernel) == 100 * MIB


@both
def test_removal_leaves_nothing_behind(kernel: FakeKernel, wanted: ThinDevice) -> None:
    for step in range(1, 3):
        dm.ensure_device(kernel.host, wanted)
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            dm.ensure_no_device(kernel.host, UUID)
        dm.ensure_no_device(kernel.host, UUID)
        assert dm.devices(kernel.host) == set()
    assert dm.ensure_no_device(kernel.host, UUID) is Ensured.UNCHANGED


def test_a_volume_is_deleted_once_and_only_when_its_device_is_gone(kernel: FakeKernel) -> None:
    dm.ensure_device(kernel.host, PLAIN)
    with pytest.raises(RequestError) as refused:
        dm.ensure_no_thin(kernel.host, POOL, 5)
    assert refused.value.errno == errno.EBUSY
    dm.ensure_no_device(kernel.host, UUID)
    assert dm.ensure_no_thin(kernel.host, POOL, 5) is Ensured.CHANGED
    assert dm.ensure_no_thin(kernel.host, POOL, 5) is Ensured.UNCHANGED


def test_a_read_only_pool_refuses_loudly(kernel: FakeKernel) -> None:
    pool(kernel).mode = "ro"
    with pytest.raises(RequestError) as refused:
        dm.ensure_thin(kernel.host, POOL, 8)
    assert refused.value.errno == errno.EOPNOTSUPP


def test_the_state_of_a_pool_is_told(kernel: FakeKernel) -> None:
    pool(kernel).mode, pool(kernel).needs_check = "out_of_data_space", True
    status = dm.pool_status(kernel.host, POOL)
    assert status is not None
    assert (status.mode, status.needs_check) == ("out_of_data_space", True)
    pool(kernel).mode = "failed"
    status = dm.pool_status(kernel.host, POOL)
    assert status is not None
    assert status.mode == "failed"
    assert (status.size, status.metadata_size) == (pool(kernel).size, pool(kernel).metadata_size)


def test_a_failed_volume_is_told(kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    dm.ensure_device(kernel.host, PLAIN)
    failed = [Target(0, 204800, "thin", "Fail")]
    monkeypatch.setattr(kernel.mapper, "status", lambda _name: failed)
    with pytest.raises(DeviceError, match="'Fail'"):
        dm.used(kernel.host, UUID)


def test_devices_of_others_are_not_ours(kernel: FakeKernel) -> None:
    kernel.mapper.create("data", "CRYPT-LUKS2-x")
    assert dm.devices(kernel.host) == set()
