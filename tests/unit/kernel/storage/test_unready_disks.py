"""Disks without a size are scanned again, and no others."""

from __future__ import annotations

from fakes import FakeKernel
from fakes.files import Text
from sanstone.kernel.storage import unready_disks


def test_a_disk_without_a_size_is_scanned_again() -> None:
    kernel = FakeKernel()
    for name, size in (("sdx", "0"), ("sdy", "2097152"), ("sr0", "0"), ("vdx", "0")):
        kernel.files.place(f"/sys/block/{name}/size", Text(f"{size}\n"))
        kernel.files.place(f"/sys/block/{name}/device/rescan", Text(""))
    unready_disks.ask_again(kernel.host)
    rescanned = [
        name
        for name in ("sdx", "sdy", "sr0", "vdx")
        if kernel.files.read(f"/sys/block/{name}/device/rescan") == "1"
    ]
    assert rescanned == ["sdx"]


def test_disks_with_sizes_are_not_scanned_again() -> None:
    kernel = FakeKernel()
    unready_disks.ask_again(kernel.host)
    assert not kernel.interrupt.log
