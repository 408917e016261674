"""Disks are erased by whatever may be on them, unless anything uses them."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from fakes.disks import FakePartition, Foreign, Superblock
from sanstone.kernel.host import CommandError
from sanstone.kernel.storage import block, disk_erasure, md
from sanstone.kernel.storage.block import ContentError, Disk
from sanstone.kernel.storage.disk_erasure import DISCARD, LABELS, ZEROES

AGGREGATE = "aaaaaaaa-1111-4111-8111-111111111111"
METHODS = (LABELS, DISCARD, ZEROES)
FOREIGN = {
    "md": [Foreign("linux_raid_member", "raid", "nas:0", "99999999-9999-4999-8999-999999999999")],
    "ZFS": [Foreign("zfs_member", "filesystem", "tank")],
    "LVM": [Foreign("LVM2_member", "raid")],
    "GPT": [Foreign("gpt", "partition-table"), Foreign("PMBR", "partition-table")],
}


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with eight disks."""
    return FakeKernel()


def disk(kernel: FakeKernel, name: str) -> Disk:
    """Return the present state of a disk."""
    return next(each for each in block.disks(kernel.host) if each.name == name)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("what", FOREIGN)
def test_an_erased_disk_is_empty_whatever_was_on_it(
    kernel: FakeKernel, what: str, method: str
) -> None:
    kernel.storage.disks.present["sda"].foreign = list(FOREIGN[what])
    assert disk(kernel, "sda").obstacle
    disk_erasure.erase(kernel.host, disk(kernel, "sda"), method)
    assert disk(kernel, "sda").obstacle == ""
    expected = {LABELS: "", DISCARD: "discard", ZEROES: "zeroes"}[method]
    assert kernel.storage.disks.present["sda"].overwritten == expected


def test_content_of_partitions_is_erased_too(kernel: FakeKernel) -> None:
    """Else a later table with the same partitions would show their old content."""
    parts = [FakePartition(foreign=[Foreign("ext4", "filesystem")]), FakePartition()]
    kernel.storage.disks.present["sda"].foreign = [Foreign("gpt", "partition-table")]
    kernel.storage.disks.divide("sda", parts)
    disk_erasure.erase(kernel.host, disk(kernel, "sda"), LABELS)
    assert parts[0].foreign == []
    assert disk(kernel, "sda").partitions == ()


def test_a_mounted_disk_is_refused_and_nothing_is_written(kernel: FakeKernel) -> None:
    for method in METHODS:
        with pytest.raises(ContentError, match="mounted at /"):
            disk_erasure.erase(kernel.host, disk(kernel, "nvme0n1"), method)
    assert not kernel.interrupt.log


def test_a_member_of_an_array_that_runs_is_refused(kernel: FakeKernel) -> None:
    array = md.Array(AGGREGATE, 0, "raid1", ("/dev/sda", "/dev/sdb"))
    stale = disk(kernel, "sda")
    md.ensure_created(kernel.host, array)
    with pytest.raises(ContentError, match="in use by md_"):
        disk_erasure.erase(kernel.host, disk(kernel, "sda"), LABELS)
    with pytest.raises(CommandError, match="busy"):
        disk_erasure.erase(kernel.host, stale, LABELS)
    assert isinstance(kernel.storage.disks.present["sda"].superblock, Superblock)


def test_a_disk_that_cannot_discard_is_refused(kernel: FakeKernel) -> None:
    kernel.storage.disks.present["sda"].discards = False
    assert not disk(kernel, "sda").discards
    with pytest.raises(CommandError, match="not supported"):
        disk_erasure.erase(kernel.host, disk(kernel, "sda"), DISCARD)


def test_an_interrupted_erasure_starts_again(kernel: FakeKernel) -> None:
    kernel.storage.disks.present["sda"].foreign = list(FOREIGN["ZFS"])
    refusal = CommandError(["blkdiscard"], 1, "no")
    kernel.fail_when(lambda step: step.startswith("blkdiscard"), refusal)
    with pytest.raises(CommandError):
        disk_erasure.erase(kernel.host, disk(kernel, "sda"), ZEROES)
    kernel.interrupt.clear()
    disk_erasure.erase(kernel.host, disk(kernel, "sda"), ZEROES)
    assert kernel.storage.disks.present["sda"].overwritten == "zeroes"
