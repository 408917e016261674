"""Layers on a RAID group: LVM knows what lies on top by a node whose name stays."""

from __future__ import annotations

import pytest
import trial_layers
from trial_layers import BOTH, HEADER

from fakes import FakeKernel, Killed
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import CommandError, RequestError
from sanstone.kernel.storage import lvm, md, thin
from sanstone.kernel.storage.mapped import DeviceError
from sanstone.kernel.storage.stack import over_md

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
ARRAY = md.Array(AGGREGATE, 0, "raid_dp", ("/dev/sda", "/dev/sdb", "/dev/sdc", "/dev/sdd"))
NODE = names.group_node(AGGREGATE, 0)
GROUP = lvm.Group(AGGREGATE, (lvm.PhysicalVolume(NODE, 131072),))


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stack has places for both trial layers over md."""
    monkeypatch.setattr(names, "OVER_MD", trial_layers.with_places("OVER_MD"))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a RAID group that runs."""
    kernel = FakeKernel()
    md.ensure_created(kernel.host, ARRAY)
    return kernel


def ensure(kernel: FakeKernel, *, new: bool = True) -> Ensured:
    """Activate both layers on the RAID group."""
    return over_md.ensure(kernel.host, AGGREGATE, 0, BOTH, new=new)


def test_without_layers_lvm_has_the_array_itself(kernel: FakeKernel) -> None:
    assert over_md.ensure(kernel.host, AGGREGATE, 0, ()) is Ensured.UNCHANGED
    assert over_md.device(AGGREGATE, 0, ()) == ARRAY.device


def test_a_volume_group_lies_on_the_top(kernel: FakeKernel) -> None:
    assert ensure(kernel) is Ensured.CREATED
    assert ensure(kernel) is Ensured.UNCHANGED
    assert over_md.device(AGGREGATE, 0, BOTH) == NODE
    assert kernel.blocks.size(NODE) == kernel.blocks.size(ARRAY.device) - HEADER
    assert lvm.ensure_created(kernel.host, GROUP) is Ensured.CREATED
    [report] = lvm.report(kernel.host, [NODE])
    assert report.devices == (NODE,)
    assert lvm.report(kernel.host, [ARRAY.device]) == [], "seen through the array itself"


def test_a_boot_brings_it_back_from_the_bottom(kernel: FakeKernel) -> None:
    ensure(kernel)
    lvm.ensure_created(kernel.host, GROUP)
    kernel.reboot()
    md.ensure_running(kernel.host, ARRAY)
    assert ensure(kernel, new=False) is Ensured.CREATED
    assert lvm.ensure_active(kernel.host, GROUP) is Ensured.CHANGED
    assert thin.pool_status(kernel.host, names.pool_device(AGGREGATE)) is not None


def test_each_step_that_was_cut_short_is_finished(kernel: FakeKernel) -> None:
    for step in range(1, 8):
        kernel.kill_after(step, done=True)
        with pytest.raises(Killed):
            ensure(kernel)
        ensure(kernel)
        assert kernel.files.block_device(NODE) is not None
        for last in range(1, 4):
            kernel.kill_after(last, done=True)
            with pytest.raises(Killed):
                over_md.ensure_none(kernel.host, AGGREGATE, 0)
            over_md.ensure_none(kernel.host, AGGREGATE, 0)
            assert kernel.mapper.devices() == []
            assert not kernel.host.files.exists(NODE)
            ensure(kernel)
        over_md.ensure_none(kernel.host, AGGREGATE, 0)


def test_nothing_that_lvm_has_open_goes(kernel: FakeKernel) -> None:
    ensure(kernel)
    lvm.ensure_created(kernel.host, GROUP)
    with pytest.raises(RequestError):
        over_md.ensure_none(kernel.host, AGGREGATE, 0)
    with pytest.raises(CommandError):
        md.ensure_stopped(kernel.host, AGGREGATE, 0)


def test_a_header_is_written_on_a_new_array_alone(kernel: FakeKernel) -> None:
    with pytest.raises(DeviceError, match="header"):
        ensure(kernel, new=False)


def test_layers_grow_with_the_array_and_never_shrink(kernel: FakeKernel) -> None:
    ensure(kernel)
    device = kernel.devices.by_name(ARRAY.device.removeprefix("/dev/"))
    assert device is not None
    before = device.size
    device.size += 1024**3
    assert ensure(kernel, new=False) is Ensured.CHANGED
    assert ensure(kernel, new=False) is Ensured.UNCHANGED
    assert kernel.blocks.size(NODE) == before + 1024**3 - HEADER
    device.size = before
    assert ensure(kernel, new=False) is Ensured.UNCHANGED
