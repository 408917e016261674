"""rasdaemon's records are counted by device, within a day."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from fakes.files import Directory
from fakes.rasdaemon import DATABASE, MEMORY_CONTROLLER, UNCORRECTED
from sanstone.kernel.hardware import error_records
from sanstone.kernel.hardware.error_records import (
    CORRECTED,
    FATAL,
    LONGEST,
    MEMORY,
    PAGE,
    PCIE,
    PROCESSOR,
    Errors,
)
from sanstone.kernel.host import CommandError

BUS = 0x0000000000000E0B
"""The error code of a bus (Intel SDM volume 3, table 17-10)."""
MEMORY_READ = 0x0000000000000091
"""The error code of a memory controller's channel 1, reading."""
CORRECTED_STATUS = 0x8C00000000000000
DISK = "0000:3b:00.0"


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a memory controller that EDAC knows, on which rasdaemon runs."""
    kernel = FakeKernel()
    kernel.rasdaemon.start()
    kernel.files.place(MEMORY_CONTROLLER, Directory())
    return kernel


def test_without_rasdaemons_database_there_is_no_query() -> None:
    kernel = FakeKernel()
    assert error_records.read(kernel.host) == []
    assert not [call for call in kernel.commands.calls if call[0] == "sqlite3"]


def test_a_machine_without_errors(kernel: FakeKernel) -> None:
    assert error_records.read(kernel.host) == []


def test_errors_of_the_memory_are_counted_by_its_label(kernel: FakeKernel) -> None:
    kernel.rasdaemon.memory_error("Corrected", "CPU0_DIMM_A1", 3)
    kernel.rasdaemon.memory_error("Corrected", "CPU0_DIMM_A1", 4)
    kernel.rasdaemon.memory_error("Corrected", "CPU0_DIMM_B1", 0)
    kernel.rasdaemon.memory_error("Fatal", "CPU0_DIMM_A1")
    kernel.rasdaemon.memory_error("Info", "CPU0_DIMM_A1")
    counts = {(each.severity, each.device): each.count for each in error_records.read(kernel.host)}
    assert counts == {
        ("corrected", "CPU0_DIMM_A1, memory controller 0"): 7,
        ("corrected", "CPU0_DIMM_B1, memory controller 0"): 1,
        ("uncorrected", "CPU0_DIMM_A1, memory controller 0"): 1,
    }


def test_machine_checks_are_counted_by_processor_and_bank(kernel: FakeKernel) -> None:
    kernel.rasdaemon.machine_check(2, 4, UNCORRECTED | BUS, "BUS error")
    for _ in range(2):
        kernel.rasdaemon.machine_check(2, 4, CORRECTED_STATUS | BUS, "BUS error")
    assert sorted(error_records.read(kernel.host), key=lambda each: each.severity) == [
        Errors(PROCESSOR, CORRECTED, "processor 2, bank 4", "BUS error", 2),
        Errors(PROCESSOR, "uncorrected", "processor 2, bank 4", "BUS error", 1),
    ]


def test_a_machine_check_of_the_memory_counts_where_nobody_decodes_it(kernel: FakeKernel) -> None:
    kernel.rasdaemon.machine_check(0, 7, CORRECTED_STATUS | MEMORY_READ, "read error")
    assert error_records.read(kernel.host) == []
    kernel.files.displace(MEMORY_CONTROLLER)
    [record] = error_records.read(kernel.host)
    assert record == Errors(MEMORY, CORRECTED, "of socket 0", "read error", 1)


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        ("Corrected", CORRECTED),
        ("Uncorrected (Non-Fatal)", "uncorrected"),
        ("Uncorrected (Fatal)", FATAL),
    ],
)
def test_errors_of_pcie(kernel: FakeKernel, kind: str, severity: str) -> None:
    kernel.rasdaemon.pcie_error(kind, DISK, "Receiver Error")
    assert error_records.read(kernel.host) == [Errors(PCIE, severity, DISK, "Receiver Error", 1)]


def test_a_long_message_is_cut_to_a_line(kernel: FakeKernel) -> None:
    kernel.rasdaemon.pcie_error("Corrected", DISK, "Receiver\nError  " + "x" * 1000)
    [record] = error_records.read(kernel.host)
    assert record.message == f"Receiver Error {'x' * (LONGEST - 15)} …"


def test_pages_that_the_kernel_gave_up(kernel: FakeKernel) -> None:
    kernel.rasdaemon.broken_page(0x123, "dirty LRU page", "Recovered")
    [record] = error_records.read(kernel.host)
    assert record == Errors(PAGE, "uncorrected", "", "dirty LRU page: Recovered", 1)


def test_an_error_counts_for_a_day(kernel: FakeKernel, clock: Clock) -> None:
    kernel.rasdaemon.pcie_error("Corrected", DISK, "Receiver Error")
    clock.now += 86_000
    kernel.rasdaemon.pcie_error("Corrected", DISK, "Receiver Error")
    [record] = error_records.read(kernel.host)
    assert record.count == 2
    clock.now += 500
    [record] = error_records.read(kernel.host)
    assert record.count == 1


def test_a_rasdaemon_that_was_built_for_less(kernel: FakeKernel) -> None:
    for table in ("mc_event", "mce_record", "memory_failure_event"):
        kernel.rasdaemon.drop(table)
    kernel.rasdaemon.pcie_error("Corrected", DISK, "Receiver Error")
    [record] = error_records.read(kernel.host)
    assert record.source == PCIE
    kernel.rasdaemon.drop("aer_event")
    assert error_records.read(kernel.host) == []


def test_a_database_that_cannot_be_read_is_an_error(kernel: FakeKernel) -> None:
    def broken(argv: tuple[str, ...], _stdin: str) -> str:
        raise CommandError(argv, 26, "Error: in prepare, file is not a database (26)")

    kernel.commands.register("sqlite3", broken)  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="not a database"):
        error_records.read(kernel.host)
    assert kernel.files.exists(DATABASE)
