"""Errors are read beside the turns, each source at its time, and none keeps another from it."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from sanstone.kernel.host import FileError
from sanstone.reconcile.tasks.error_reader import (
    LINKS_PERIOD,
    RECORDS_PERIOD,
    ErrorReader,
    ErrorsMemory,
)

HUNG = "INFO: task lvm:77 blocked for more than 120 seconds."


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine on which rasdaemon runs."""
    kernel = FakeKernel()
    kernel.rasdaemon.start()
    return kernel


def query_count(kernel: FakeKernel) -> int:
    """Return the number of queries to rasdaemon's database."""
    return sum(call[0] == "sqlite3" for call in kernel.commands.calls)


def test_each_source_is_read_at_its_time(kernel: FakeKernel, clock: Clock) -> None:
    memory = ErrorsMemory()
    reader = ErrorReader(kernel.host, memory)
    kernel.pcie.plug("0000:3b:00.0")
    reader.read()
    assert memory.readings is not None
    assert memory.readings.records == ()
    assert [link.address for link in memory.readings.links or ()] == ["0000:3b:00.0"]
    before = query_count(kernel)
    kernel.pcie.plug("0000:3c:00.0")
    clock.now += RECORDS_PERIOD
    reader.read()
    assert query_count(kernel) == 2 * before
    assert len(memory.readings.links or ()) == 1
    clock.now += LINKS_PERIOD - RECORDS_PERIOD
    reader.read()
    assert len(memory.readings.links or ()) == 2


def test_nothing_new_is_no_new_reading(kernel: FakeKernel) -> None:
    memory = ErrorsMemory()
    reader = ErrorReader(kernel.host, memory)
    reader.read()
    before = memory.readings
    reader.read()
    assert memory.readings is before


def test_the_kernels_log_is_read_each_time_and_by_others_too(kernel: FakeKernel) -> None:
    memory = ErrorsMemory()
    reader = ErrorReader(kernel.host, memory)
    kernel.log.say(HUNG)
    reader.read()
    kernel.log.say(HUNG)
    reader.read()
    assert [complaint.sequence for complaint in memory.complaints] == [0, 1]
    assert len(kernel.log.read_new()) == 2


def test_an_unreadable_source_does_not_hide_the_others(
    kernel: FakeKernel, caplog: pytest.LogCaptureFixture
) -> None:
    memory = ErrorsMemory()
    reader = ErrorReader(kernel.host, memory)
    kernel.log.failure = FileError("read", "/dev/kmsg", 1)
    for _ in range(3):
        reader.read()
    assert memory.readings is not None
    assert memory.readings.records == ()
    assert caplog.text.count("the kernel's log cannot be read") == 1
    kernel.log.failure = None
    kernel.log.say(HUNG)
    reader.read()
    assert len(memory.complaints) == 1
