"""Limits of operations and bytes: groups that devices share, changed without a suspend."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import HostError, RequestError, Target
from sanstone.kernel.storage import thin
from sanstone.kernel.storage.stack import over_thin, quality_of_service
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.storage.stack.quality_of_service import Counted, Group, QualityOfService

POOL = names.pool_device("5c0e0000-1111-4111-8111-111111111111")
UUID = "5c0e0000-aaaa-4111-8111-111111111111"
OWN, SHARED = Group("own", 100), Group("shared", 0, 10**6)
DEVICE = over_thin.ThinDevice(
    UUID, POOL, 1, 1024**2, (BlockSize(), QualityOfService((OWN, SHARED)))
)
OTHER = replace(
    DEVICE, uuid="5c0e0000-bbbb-4111-8111-111111111111", thin_id=2, layers=(BlockSize(),)
)


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool in which there are two volumes."""
    kernel = FakeKernel()
    pool = ThinPool(65536, 1024**3, 1024**2)
    kernel.mapper.activate(POOL, "LVM-pool", [Target(0, 8, "linear", "")], pool)
    for thin_id in (1, 2):
        thin.ensure_thin(kernel.host, POOL, thin_id)
    return kernel


def limited(device: over_thin.ThinDevice, *groups: Group) -> over_thin.ThinDevice:
    """Return the device in other groups."""
    return replace(device, layers=(BlockSize(), QualityOfService(groups)))


def counters(kernel: FakeKernel, device: over_thin.ThinDevice = DEVICE) -> dict[str, Counted]:
    """Return the layer's counters of each group, by its name."""
    report = over_thin.report(kernel.host, device)["limits"]
    return {name: count for name, count in report.items() if isinstance(count, Counted)}


def test_hosts_see_the_layer_that_limits(kernel: FakeKernel) -> None:
    assert over_thin.ensure(kernel.host, DEVICE) is Ensured.CREATED
    assert over_thin.ensure(kernel.host, DEVICE) is Ensured.UNCHANGED
    [target] = kernel.mapper.table(names.device(UUID))
    assert target.kind == "sanstone-qos"
    assert target.arguments.endswith(" 0 own:100:0 shared:0:1000000")
    assert len(over_thin.live_names(kernel.host, UUID)) == 2


def test_limits_change_by_messages_alone(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, DEVICE)
    at = len(kernel.interrupt.log)
    more = Group("own", 200)
    assert over_thin.ensure(kernel.host, limited(DEVICE, more, SHARED)) is Ensured.CHANGED
    assert kernel.interrupt.log[at:] == [f"dm message {names.device(UUID)} limit own 200 0"]
    assert counters(kernel, limited(DEVICE, more, SHARED))["own"].group == more


def test_other_groups_take_another_table(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, DEVICE)
    over_thin.ensure(kernel.host, limited(DEVICE, OWN))
    assert list(counters(kernel, limited(DEVICE, OWN))) == ["own"]
    over_thin.ensure(kernel.host, replace(DEVICE, layers=(BlockSize(),)))
    [target] = kernel.mapper.table(names.device(UUID))
    assert target.kind == "thin"


def test_devices_that_name_a_group_share_it(kernel: FakeKernel) -> None:
    """A table's limits are those of a group that is new; a later one brings its own by message."""
    over_thin.ensure(kernel.host, DEVICE)
    other = limited(OTHER, Group("shared", 0, 5 * 10**6))
    over_thin.ensure(kernel.host, other)
    assert counters(kernel)["shared"].group.size == 5 * 10**6
    kernel.mapper.do_io(names.device(UUID), reads=2, writes=1)
    kernel.mapper.do_io(names.device(other.uuid), writes=4)
    assert (counters(kernel)["own"].operations, counters(kernel)["shared"].operations) == (3, 7)
    assert counters(kernel)["shared"].size == 7 * 4096


def test_a_group_is_forgotten_with_its_last_device(kernel: FakeKernel) -> None:
    over_thin.ensure(kernel.host, DEVICE)
    kernel.mapper.do_io(names.device(UUID), reads=2)
    over_thin.ensure_none(kernel.host, UUID)
    over_thin.ensure(kernel.host, limited(DEVICE, Group("own", 7)))
    [own] = counters(kernel, limited(DEVICE, OWN)).values()
    assert (own.group.operations, own.operations) == (7, 0)


def test_a_kernel_without_the_target_gets_no_layer(kernel: FakeKernel) -> None:
    kernel.mapper.limits.is_there = False
    assert not quality_of_service.is_possible(kernel.host)
    over_thin.ensure(kernel.host, DEVICE)
    [target] = kernel.mapper.table(names.device(UUID))
    assert target.kind == "thin"


@pytest.mark.parametrize(
    "groups",
    [
        (),
        (OWN, OWN),
        (Group("x" * 64),),
        (Group("a:b"),),
        (Group("own", -1),),
        tuple(Group(str(number)) for number in range(quality_of_service.MOST_GROUPS + 1)),
    ],
)
def test_groups_that_the_kernel_refuses(kernel: FakeKernel, groups: tuple[Group, ...]) -> None:
    with pytest.raises(RequestError) as error:
        over_thin.ensure(kernel.host, limited(DEVICE, *groups))
    assert error.value.errno == errno.EINVAL


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("limit own 1", errno.EINVAL),
        ("limit own 1 x", errno.EINVAL),
        ("set own 1 1", errno.EINVAL),
        ("limit another 1 1", errno.ENOENT),
    ],
)
def test_messages_that_the_kernel_refuses(kernel: FakeKernel, message: str, number: int) -> None:
    over_thin.ensure(kernel.host, DEVICE)
    with pytest.raises(RequestError) as error:
        kernel.host.mapper.message(names.device(UUID), message)
    assert error.value.errno == number


def test_a_status_of_another_release_is_an_error(
    kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    over_thin.ensure(kernel.host, DEVICE)
    status = [Target(0, 2048, "sanstone-qos", "7 1 own 1 2 3")]
    monkeypatch.setattr(kernel.host.mapper, "status", lambda _name: status)
    with pytest.raises(HostError, match="unexpected status '7 1 own 1 2 3'"):
        over_thin.report(kernel.host, DEVICE)
