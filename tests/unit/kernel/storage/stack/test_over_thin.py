"""The devices that hosts see: created, resized, found again, while their layers come and go."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable
from dataclasses import replace

import pytest
import trial_layers
from trial_layers import Headed, Plain

from fakes import FakeKernel, Killed
from fakes.files import BlockNode, Text
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import RequestError, Target
from sanstone.kernel.storage import lvm, md, thin
from sanstone.kernel.storage.mapped import DeviceError
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.stack.over_thin import ThinDevice
from sanstone.kernel.target.nvmet import MAX_BLOCK_SIZE

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
UUID = "55555555-1111-4111-8111-111111111111"
POOL = names.pool_device(AGGREGATE)
MIB = 1024**2
PLAIN = ThinDevice(UUID, POOL, 5, 100 * MIB)
LARGE_BLOCKS = replace(PLAIN, layers=(BlockSize(4096),))
ARRAY = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
GROUP = lvm.Group(AGGREGATE, (lvm.PhysicalVolume(ARRAY.device, 131072),))

both = pytest.mark.parametrize("desired", [PLAIN, LARGE_BLOCKS], ids=["512", "4096"])


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool in which volume 5 is, whose kernel needs a layer for larger blocks."""
    kernel = FakeKernel()
    kernel.boot_linux()
    start(kernel, lvm.ensure_created)
    thin.ensure_thin(kernel.host, POOL, 5)
    return kernel


def start(kernel: FakeKernel, bring_up: Callable[..., Ensured]) -> None:
    """Make or start the pool."""
    md.ensure_created(kernel.host, ARRAY)
    bring_up(kernel.host, GROUP)


def pool(kernel: FakeKernel) -> ThinPool:
    """Return the pool's content on disk."""
    thin_pool = kernel.storage.groups.groups[GROUP.name].pool
    assert thin_pool is not None
    return thin_pool


def size(kernel: FakeKernel) -> int:
    """Return the bytes of the block device that the node leads to."""
    device = kernel.files.block_device(names.device_node(UUID))
    assert device is not None
    return device.size


@both
def test_a_takeover_swaps_a_table_under_the_same_device(
    kernel: FakeKernel, desired: ThinDevice
) -> None:
    standby = replace(desired, pool="", thin_id=0)
    assert over_thin.ensure(kernel.host, standby) is Ensured.CREATED
    assert over_thin.ensure(kernel.host, standby) is Ensured.UNCHANGED
    assert over_thin.is_standby(kernel.host, UUID)
    assert size(kernel) == desired.size
    before = kernel.files.block_device(names.device_node(UUID))
    assert over_thin.ensure(kernel.host, desired) is Ensured.CHANGED
    assert not over_thin.is_standby(kernel.host, UUID)
    assert over_thin.ensure(kernel.host, standby) is Ensured.CHANGED
    assert over_thin.is_standby(kernel.host, UUID)
    assert kernel.files.block_device(names.device_node(UUID)) is before
    assert lvm.ensure_inactive(kernel.host, GROUP) is Ensured.CHANGED


@both
@pytest.mark.parametrize("done", [False, True])
def test_a_takeover_that_is_cut_short_is_completed(
    kernel: FakeKernel, desired: ThinDevice, done: bool
) -> None:
    standby = replace(desired, pool="", thin_id=0)
    for step in range(1, 20):
        over_thin.ensure(kernel.host, standby)
        kernel.interrupt.kill_after(step, done=done)
        with contextlib.suppress(Killed):
            over_thin.ensure(kernel.host, desired)
            kernel.interrupt.clear()
        over_thin.ensure(kernel.host, desired)
        assert not over_thin.is_standby(kernel.host, UUID)
        assert over_thin.ensure(kernel.host, desired) is Ensured.UNCHANGED


@both
def test_a_device_gets_its_node(kernel: FakeKernel, desired: ThinDevice) -> None:
    assert over_thin.ensure(kernel.host, desired) is Ensured.CREATED
    assert over_thin.ensure(kernel.host, desired) is Ensured.UNCHANGED
    assert size(kernel) == 100 * MIB
    assert over_thin.devices(kernel.host) == {UUID}


def test_layers_lie_above_the_thin_device(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, LARGE_BLOCKS)
    below = names.layer_device(UUID, names.THIN)
    assert [target.kind for target in kernel.mapper.table(below)] == ["thin"]
    assert [target.kind for target in kernel.mapper.table(names.device(UUID))] == ["crypt"]
    assert over_thin.live_names(kernel.host, UUID) == [names.device(UUID), below]


@both
@pytest.mark.parametrize("new", [200 * MIB, 40 * MIB], ids=["grown", "shrunk"])
def test_a_device_is_resized_while_it_is_open(
    kernel: FakeKernel, desired: ThinDevice, new: int
) -> None:
    over_thin.ensure(kernel.host, desired)
    device = kernel.files.block_device(names.device_node(UUID))
    assert device is not None
    device.hold("nvmet")
    assert over_thin.ensure(kernel.host, replace(desired, size=new)) is Ensured.CHANGED
    assert over_thin.ensure(kernel.host, replace(desired, size=new)) is Ensured.UNCHANGED
    assert size(kernel) == new


@pytest.mark.parametrize(
    ("new", "first"),
    [(200 * MIB, names.layer_device(UUID, names.THIN)), (40 * MIB, names.device(UUID))],
    ids=["grown", "shrunk"],
)
def test_a_layer_never_reaches_beyond_what_it_lies_on(
    kernel: FakeKernel, new: int, first: str
) -> None:
    over_thin.ensure(kernel.host, LARGE_BLOCKS)
    count = len(kernel.interrupt.log)
    over_thin.ensure(kernel.host, replace(LARGE_BLOCKS, size=new))
    resumed = [line for line in kernel.interrupt.log[count:] if line.startswith("dm resume")]
    assert resumed[0] == f"dm resume {first}"
    assert len(resumed) == 2


@both
def test_an_interrupted_creation_is_finished(kernel: FakeKernel, desired: ThinDevice) -> None:
    steps = 7 if desired.layers else 4
    for step in range(1, steps + 1):
        for done in (False, True):
            kernel.kill_after(step, done=done)
            with pytest.raises(Killed):
                over_thin.ensure(kernel.host, desired)
            over_thin.ensure(kernel.host, desired)
            assert size(kernel) == 100 * MIB
            state = kernel.mapper.state(names.device(UUID))
            assert state is not None
            assert state.live
            assert not state.suspended
            over_thin.ensure_none(kernel.host, UUID)


@both
def test_a_resize_that_was_cut_short_is_finished(kernel: FakeKernel, desired: ThinDevice) -> None:
    for new in (200 * MIB, 40 * MIB):
        for step in range(1, 5 if desired.layers else 3):
            over_thin.ensure(kernel.host, desired)
            kernel.kill_after(step, done=True)
            with pytest.raises(Killed):
                over_thin.ensure(kernel.host, replace(desired, size=new))
            over_thin.ensure(kernel.host, replace(desired, size=new))
            assert size(kernel) == new
            over_thin.ensure_none(kernel.host, UUID)


def test_a_device_that_was_left_suspended_runs_again(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, PLAIN)
    kernel.mapper.suspend(names.device(UUID))
    assert over_thin.ensure(kernel.host, PLAIN) is Ensured.CHANGED
    state = kernel.mapper.state(names.device(UUID))
    assert state is not None
    assert not state.suspended


def test_a_stale_node_is_replaced(kernel: FakeKernel) -> None:
    kernel.files.place(names.device_node(UUID), BlockNode(8, 0))
    over_thin.ensure(kernel.host, PLAIN)
    assert size(kernel) == 100 * MIB


def test_a_reboot_brings_back_the_same_data(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, PLAIN)
    pool(kernel).write(5, 3 * MIB)
    kernel.reboot()
    start(kernel, lvm.ensure_active)
    assert over_thin.ensure(kernel.host, PLAIN) is Ensured.CREATED
    assert over_thin.used(kernel.host, UUID) == 3 * MIB


@both
def test_the_space_of_a_device_is_reported(kernel: FakeKernel, desired: ThinDevice) -> None:
    over_thin.ensure(kernel.host, desired)
    assert over_thin.used(kernel.host, UUID) == 0
    pool(kernel).write(5, 7 * MIB)
    assert over_thin.used(kernel.host, UUID) == 7 * MIB
    status = thin.pool_status(kernel.host, POOL)
    assert status is not None
    assert status.used == 7 * MIB


def test_an_unknown_volume_is_refused(kernel: FakeKernel) -> None:
    with pytest.raises(RequestError) as error:
        over_thin.ensure(kernel.host, replace(PLAIN, thin_id=99))
    assert error.value.errno == errno.ENODATA


def test_a_device_without_an_active_pool_is_refused(kernel: FakeKernel) -> None:
    lvm.ensure_inactive(kernel.host, GROUP)
    with pytest.raises(DeviceError, match="the pool is not active"):
        over_thin.ensure(kernel.host, PLAIN)
    assert thin.pool_status(kernel.host, POOL) is None


@pytest.mark.parametrize("size", [0, 1000, 4096 + 512])
def test_a_size_of_broken_blocks_is_refused(kernel: FakeKernel, size: int) -> None:
    with pytest.raises(DeviceError, match="no multiple"):
        over_thin.ensure(kernel.host, replace(LARGE_BLOCKS, size=size))


def test_a_name_that_something_else_has_is_refused(kernel: FakeKernel) -> None:
    kernel.mapper.create(names.device(UUID), "SOMETHING-ELSE")
    with pytest.raises(DeviceError, match="belongs to something else"):
        over_thin.ensure(kernel.host, PLAIN)


@both
def test_an_open_device_stays(kernel: FakeKernel, desired: ThinDevice) -> None:
    over_thin.ensure(kernel.host, desired)
    device = kernel.files.block_device(names.device_node(UUID))
    assert device is not None
    device.hold("nvmet")
    with pytest.raises(RequestError) as error:
        over_thin.ensure_none(kernel.host, UUID)
    assert error.value.errno == errno.EBUSY
    assert size(kernel) == 100 * MIB


@both
def test_removal_leaves_nothing_behind(kernel: FakeKernel, desired: ThinDevice) -> None:
    for step in range(1, 3):
        over_thin.ensure(kernel.host, desired)
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            over_thin.ensure_none(kernel.host, UUID)
        over_thin.ensure_none(kernel.host, UUID)
        assert over_thin.devices(kernel.host) == set()
    assert over_thin.ensure_none(kernel.host, UUID) is Ensured.UNCHANGED


def test_a_failed_volume_is_reported(kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    over_thin.ensure(kernel.host, PLAIN)
    failed = [Target(0, 204800, "thin", "Fail")]
    monkeypatch.setattr(kernel.mapper, "status", lambda _name: failed)
    with pytest.raises(DeviceError, match="'Fail'"):
        over_thin.used(kernel.host, UUID)


def test_devices_of_others_are_not_ours(kernel: FakeKernel) -> None:
    kernel.mapper.create("data", "CRYPT-LUKS2-x")
    assert over_thin.devices(kernel.host) == set()


DEVICE = names.device(UUID)
"""The device that hosts see."""


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stack has places for both trial layers above the thin device."""
    monkeypatch.setattr(names, "OVER_THIN", trial_layers.with_places("OVER_THIN"))


def kinds(kernel: FakeKernel) -> list[tuple[str, str]]:
    """Return the devices of the stack with the kinds of their targets, the hosts' device first."""
    names_ = over_thin.live_names(kernel.host, UUID)
    return [(name, kernel.mapper.table(name)[0].kind) for name in names_]


def below(place: str) -> str:
    """Return the name of a device below the hosts' device."""
    return names.layer_device(UUID, place)


ONE_NEEDED = replace(PLAIN, layers=(BlockSize(4096), Plain()))


@pytest.mark.usefixtures("places")
def test_a_layer_that_no_kernel_needs_is_not_slid_under_live_ones(kernel: FakeKernel) -> None:
    """A thin device below others does not show that each layer is live."""
    kernel.files.place(MAX_BLOCK_SIZE, Text("4096"))
    over_thin.ensure(kernel.host, ONE_NEEDED)
    assert kinds(kernel) == [(DEVICE, "linear"), (below(names.THIN), "thin")]
    assert over_thin.ensure(kernel.host, ONE_NEEDED) is Ensured.UNCHANGED
    assert kinds(kernel) == [(DEVICE, "linear"), (below(names.THIN), "thin")]


@pytest.mark.usefixtures("places")
def test_a_layer_that_is_live_stays_below_one_that_comes(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, LARGE_BLOCKS)
    kernel.files.place(MAX_BLOCK_SIZE, Text("4096"))
    assert over_thin.ensure(kernel.host, ONE_NEEDED) is Ensured.CHANGED
    stack = [(DEVICE, "linear"), (below(names.BLOCKS), "crypt"), (below(names.THIN), "thin")]
    assert kinds(kernel) == stack
    assert over_thin.ensure(kernel.host, ONE_NEEDED) is Ensured.UNCHANGED


WITHOUT, WITH = replace(PLAIN), replace(PLAIN, layers=(Plain(),))
SEVERAL = replace(PLAIN, layers=(BlockSize(4096), Plain()))
CHANGES = [
    pytest.param(WITHOUT, WITH, id="comes"),
    pytest.param(WITH, WITHOUT, id="goes"),
    pytest.param(LARGE_BLOCKS, SEVERAL, id="comes on top"),
    pytest.param(SEVERAL, LARGE_BLOCKS, id="goes from the top"),
    pytest.param(WITH, SEVERAL, id="comes below"),
    pytest.param(SEVERAL, WITH, id="goes from below"),
    pytest.param(WITHOUT, SEVERAL, id="both come"),
    pytest.param(SEVERAL, WITHOUT, id="both go"),
    pytest.param(WITHOUT, replace(SEVERAL, size=200 * MIB), id="come and grow"),
    pytest.param(SEVERAL, replace(WITHOUT, size=40 * MIB), id="go and shrink"),
    pytest.param(SEVERAL, replace(WITHOUT, size=200 * MIB), id="go and grow"),
    pytest.param(WITHOUT, replace(SEVERAL, size=40 * MIB), id="come and shrink"),
]


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_layers_come_and_go_under_a_live_export(
    kernel: FakeKernel, before: ThinDevice, after: ThinDevice
) -> None:
    """Hosts have it open all the time, and no power cut at any step leaves anything else."""
    undisturbed = ""
    for step in range(20):
        over_thin.ensure(kernel.host, before)
        device = kernel.files.block_device(names.device_node(UUID))
        assert device is not None
        device.hold("nvmet")
        if step:
            kernel.kill_after(step, done=True)
            with contextlib.suppress(Killed):
                over_thin.ensure(kernel.host, after)
        killed, kernel.interrupt.log = kernel.interrupt.log, []
        kernel.interrupt.clear()
        over_thin.ensure(kernel.host, after)
        assert kernel.files.block_device(names.device_node(UUID)) is device
        assert over_thin.ensure(kernel.host, after) is Ensured.UNCHANGED
        assert size(kernel) == after.size
        undisturbed = undisturbed or kernel.mapper.dump()
        assert kernel.mapper.dump() == undisturbed, killed
        device.release("nvmet")
        over_thin.ensure_none(kernel.host, UUID)
        assert over_thin.devices(kernel.host) == set()


@pytest.mark.usefixtures("places")
def test_a_changed_limit_reaches_the_device_without_a_new_table(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, WITH)
    count = len(kernel.interrupt.log)
    tuned = replace(WITH, layers=(Plain(ahead=512),))
    assert over_thin.ensure(kernel.host, tuned) is Ensured.CHANGED
    assert not [step for step in kernel.interrupt.log[count:] if step.startswith("dm ")]
    assert over_thin.report(kernel.host, tuned) == {"plain": {"ahead": 512}}
    assert over_thin.ensure(kernel.host, tuned) is Ensured.UNCHANGED


HEADED = replace(PLAIN, layers=(Headed(),))


@pytest.mark.usefixtures("places")
def test_a_header_lies_in_the_volume_and_not_in_what_hosts_see(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, HEADED, new=True)
    assert size(kernel) == 100 * MIB
    assert kernel.blocks.size(f"/dev/mapper/{below(names.THIN)}") == 101 * MIB
    over_thin.ensure(kernel.host, replace(HEADED, size=40 * MIB))
    assert size(kernel) == 40 * MIB
    kernel.reboot()
    start(kernel, lvm.ensure_active)
    assert over_thin.ensure(kernel.host, HEADED) is Ensured.CREATED


@pytest.mark.usefixtures("places")
def test_layers_above_a_header_come_and_go(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, HEADED, new=True)
    both = replace(PLAIN, layers=(Headed(), Plain()))
    assert over_thin.ensure(kernel.host, both) is Ensured.CHANGED
    assert [name for name, _ in kinds(kernel)] == [DEVICE, below("headed"), below(names.THIN)]
    assert over_thin.ensure(kernel.host, HEADED) is Ensured.CHANGED
    assert [name for name, _ in kinds(kernel)] == [DEVICE, below(names.THIN)]


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize(("before", "after"), [(WITHOUT, HEADED), (HEADED, WITHOUT)])
def test_bytes_that_hosts_see_are_not_moved(
    kernel: FakeKernel, before: ThinDevice, after: ThinDevice
) -> None:
    over_thin.ensure(kernel.host, before, new=True)
    undisturbed = kernel.mapper.dump()
    with pytest.raises(DeviceError, match="neither comes nor goes"):
        over_thin.ensure(kernel.host, after)
    assert kernel.mapper.dump() == undisturbed


@pytest.mark.usefixtures("places")
def test_no_header_is_written_onto_a_volume_that_is_not_new(kernel: FakeKernel) -> None:
    with pytest.raises(DeviceError, match="header"):
        over_thin.ensure(kernel.host, HEADED)
