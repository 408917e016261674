"""I/O of disks, by the kernel's counters."""

from __future__ import annotations

from fakes import FakeKernel
from sanstone.kernel.storage.disk_latency import Served, served


def test_reads_and_writes_count_together() -> None:
    kernel = FakeKernel()
    kernel.storage.disks.present["sda"].io = (3, 0, 24, 30, 2, 0, 16, 12)
    assert served(kernel.host, ["sda", "sdb", "none"]) == {
        "sda": Served(5, 42),
        "sdb": Served(0, 0),
    }
