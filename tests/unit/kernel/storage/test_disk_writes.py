"""Telling how far disks are that clear themselves."""

from __future__ import annotations

from fakes import FakeKernel
from sanstone.kernel.storage import disk_writes


def test_bytes_written_to_some_disks_are_added_up() -> None:
    kernel = FakeKernel()
    for name in ("first", "second", "other"):
        kernel.mapper.create(name, name)
        kernel.mapper.do_io(name, reads=7, writes=2, sectors=8)
    assert disk_writes.written(kernel.host, ["dm-0", "dm-1"]) == 2 * 2 * 8 * 512
    kernel.mapper.do_io("second", writes=1, sectors=1)
    assert disk_writes.written(kernel.host, ["dm-1"]) == 17 * 512
    assert disk_writes.written(kernel.host, ["sdz"]) == 0
