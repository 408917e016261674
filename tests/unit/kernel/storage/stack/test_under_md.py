"""Layers on an aggregate's disks: created on empty disks, activated at a boot, gone with md's."""

from __future__ import annotations

from pathlib import Path

import pytest
import trial_layers
from trial_layers import BOTH

from fakes import FakeKernel, Killed
from fakes.disks import Foreign
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import RequestError
from sanstone.kernel.storage import block, md
from sanstone.kernel.storage.block import ContentError
from sanstone.kernel.storage.mapped import DeviceError
from sanstone.kernel.storage.stack import under_md

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
DISKS = {"wwn:a": "/dev/sda", "wwn:b": "/dev/sdb"}


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stack has places for both trial layers under md."""
    monkeypatch.setattr(names, "UNDER_MD", trial_layers.with_places("UNDER_MD"))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with empty disks."""
    return FakeKernel()


def ensure(kernel: FakeKernel, uid: str = "wwn:a", *, new: bool = True) -> Ensured:
    """Activate both layers on a disk."""
    return under_md.ensure(kernel.host, AGGREGATE, uid, DISKS[uid], BOTH, new=new)


def member(kernel: FakeKernel, uid: str = "wwn:a") -> str:
    """Return md's member on a disk."""
    return under_md.member(kernel.host, AGGREGATE, uid, DISKS[uid], BOTH)


def mirror(kernel: FakeKernel) -> md.Array:
    """Create a RAID group of both disks, and return it."""
    for uid in DISKS:
        ensure(kernel, uid)
    array = md.Array(AGGREGATE, 0, "raid1", tuple(member(kernel, uid) for uid in DISKS))
    md.ensure_created(kernel.host, array)
    return array


def test_without_layers_md_has_the_disk_itself(kernel: FakeKernel) -> None:
    where = AGGREGATE, "wwn:a", "/dev/sda", ()
    assert under_md.ensure(kernel.host, *where) is Ensured.UNCHANGED
    assert under_md.member(kernel.host, *where) == "/dev/sda"


def test_md_has_what_lies_on_top(kernel: FakeKernel) -> None:
    assert member(kernel) == ""
    assert ensure(kernel) is Ensured.CREATED
    assert ensure(kernel) is Ensured.UNCHANGED
    size = kernel.blocks.size("/dev/sda") - trial_layers.HEADER
    assert kernel.blocks.size(member(kernel)) == size
    assert block.disk_under(kernel.host, Path(member(kernel)).name) == "sda"


def test_each_step_that_was_cut_short_is_finished(kernel: FakeKernel) -> None:
    for step in range(1, 8):
        for boots in (False, True):
            kernel.kill_after(step, done=True)
            with pytest.raises(Killed):
                ensure(kernel)
            if boots:
                kernel.reboot()
            ensure(kernel)
            assert member(kernel)
            under_md.ensure_erased(kernel.host, AGGREGATE, "wwn:a", "/dev/sda")
            assert block.require_empty(kernel.host, ["/dev/sda"]) == set()
            assert kernel.mapper.devices() == []


def test_a_boot_writes_no_header(kernel: FakeKernel) -> None:
    with pytest.raises(DeviceError, match="header of layer headed is not there"):
        ensure(kernel, new=False)
    ensure(kernel)
    kernel.reboot()
    assert ensure(kernel, new=False) is Ensured.CREATED


def test_no_header_is_written_over_what_others_have_stored(kernel: FakeKernel) -> None:
    kernel.storage.disks.present["sda"].foreign = [Foreign("ext4", "filesystem")]
    with pytest.raises(ContentError):
        ensure(kernel)
    assert not any(kernel.storage.disks.present["sda"].header)


def test_layers_stay_while_md_has_them(kernel: FakeKernel) -> None:
    mirror(kernel)
    assert under_md.ensure_unused_removed(kernel.host, AGGREGATE, []) is Ensured.UNCHANGED
    with pytest.raises(RequestError):
        under_md.ensure_erased(kernel.host, AGGREGATE, "wwn:a", "/dev/sda")
    md.ensure_stopped(kernel.host, AGGREGATE, 0)
    assert under_md.ensure_unused_removed(kernel.host, AGGREGATE, ["wwn:a"]) is Ensured.CHANGED
    assert (member(kernel), member(kernel, "wwn:b")) != ("", "")
    assert member(kernel, "wwn:b") == ""


def test_layers_of_another_aggregate_are_left_alone(kernel: FakeKernel) -> None:
    ensure(kernel)
    other = "bbbbbbbb-1111-4111-8111-111111111111"
    assert under_md.ensure_unused_removed(kernel.host, other, []) is Ensured.UNCHANGED
    assert member(kernel)


def test_a_member_is_gone_with_the_disk_that_it_lies_on(kernel: FakeKernel) -> None:
    array = mirror(kernel)
    kernel.remove_disk("sda")
    states = {m.device: m.state for m in md.members(kernel.host, array.device)}
    assert sorted(states.values()) == ["gone", "in_sync"]


def test_layers_are_not_slid_onto_a_disk_that_came_back(kernel: FakeKernel) -> None:
    """md may not have noticed that it was away, and would take its stale blocks for in sync."""
    array = mirror(kernel)
    former = member(kernel)
    kernel.remove_disk("sda")
    path = f"/dev/{kernel.add_disk('sda')}"
    before = kernel.mapper.dump()
    where = AGGREGATE, "wwn:a", path, BOTH
    assert under_md.member(kernel.host, *where) == ""
    with pytest.raises(RequestError):
        under_md.ensure(kernel.host, *where)
    assert kernel.mapper.dump() == before
    kernel.host.commands.run(["mdadm", "--manage", array.device, "--fail", former])
    kernel.host.commands.run(["mdadm", "--manage", array.device, "--remove", former])
    assert under_md.ensure(kernel.host, *where) is Ensured.CREATED
    now = under_md.member(kernel.host, *where)
    assert block.disk_under(kernel.host, Path(now).name) == Path(path).name
