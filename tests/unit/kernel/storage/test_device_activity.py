"""Telling devices that did I/O from thousands that did none."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from sanstone.kernel import names
from sanstone.kernel.host import Target
from sanstone.kernel.storage.device_activity import DeviceActivity

LUN = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"
OTHER = "11111111-30a5-4b3b-8f0c-6a1b0a1b2c3d"


def add(kernel: FakeKernel, name: str, uuid: str) -> None:
    """Make a mapped device."""
    kernel.mapper.create(name, uuid)
    kernel.mapper.load(name, [Target(0, 64, "linear", "8:0 0")])
    kernel.mapper.resume(name)


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with two exported devices and one of somebody else."""
    fake = FakeKernel()
    add(fake, "foreign", "LVM-foreign")
    for uuid in (LUN, OTHER):
        add(fake, names.device(uuid), names.device_uuid(uuid))
    return fake


def test_the_first_look_lists_all_devices(kernel: FakeKernel) -> None:
    assert DeviceActivity().since_last(kernel.host) == {LUN, OTHER}


def test_later_looks_list_devices_with_io(kernel: FakeKernel) -> None:
    activity = DeviceActivity()
    activity.since_last(kernel.host)
    assert activity.since_last(kernel.host) == set()
    kernel.mapper.do_io(names.device(LUN), writes=1)
    kernel.mapper.do_io("foreign", writes=1)
    assert activity.since_last(kernel.host) == {LUN}
    assert activity.since_last(kernel.host) == set()


def test_io_of_what_lies_under_an_adapter_is_its_devices(kernel: FakeKernel) -> None:
    add(kernel, names.layer_device(LUN, names.THIN), names.layer_uuid(LUN, names.THIN))
    activity = DeviceActivity()
    activity.since_last(kernel.host)
    kernel.mapper.do_io(names.layer_device(LUN, names.THIN), reads=1)
    assert activity.since_last(kernel.host) == {LUN}


def test_a_new_device_is_listed_without_io(kernel: FakeKernel) -> None:
    activity = DeviceActivity()
    activity.since_last(kernel.host)
    kernel.mapper.remove(names.device(OTHER))
    assert activity.since_last(kernel.host) == set()
    add(kernel, names.device(OTHER), names.device_uuid(OTHER))
    assert activity.since_last(kernel.host) == {OTHER}
