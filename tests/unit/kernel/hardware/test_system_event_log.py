"""The management controller's log is read as ipmitool prints it."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from fakes.ipmi import Entry
from sanstone.kernel.hardware import system_event_log
from sanstone.kernel.hardware.system_event_log import LAST, LogEntry


def test_the_newest_entries_are_read_oldest_first() -> None:
    kernel = FakeKernel()
    kernel.controller.attach()
    assert system_event_log.read(kernel.host) == []
    kernel.controller.log = [
        Entry(number, "Memory #0x53", "Correctable ECC") for number in range(1, LAST + 10)
    ]
    entries = system_event_log.read(kernel.host)
    assert len(entries) == LAST
    assert entries[-1] == LogEntry(
        f"{LAST + 9:x} 11/26/26 03:08:01 UTC", "Memory #0x53: Correctable ECC", grave=False
    )


@pytest.mark.parametrize(
    ("sensor", "event", "grave"),
    [
        ("Processor CPU1 Status", "IERR", True),
        ("Processor CPU1 Status", "FRB2/Hang in POST failure", True),
        ("Processor CPU1 Status", "Presence detected", False),
        ("Memory CPU1_DIMM_A1", "Uncorrectable ECC", True),
        ("Memory CPU1_DIMM_A1", "Correctable ECC", False),
        ("Critical Interrupt #0x71", "PCI SERR", True),
        ("Critical Interrupt #0x71", "Bus Correctable error", False),
        ("Watchdog2 Watchdog", "Hard reset", True),
        ("Watchdog2 Watchdog", "Timer interrupt", False),
        ("Power Unit Pwr Unit", "AC lost", True),
        ("Fan FAN1", "Lower Critical going low ", False),
        ("Power Supply PS1", "Failure detected", False),
        ("Temperature Inlet", "Upper Critical going high", False),
        ("Version Change #0x10", "Firmware or software change detected, BIOS/EFI change", False),
    ],
)
def test_events_without_another_source_are_grave(sensor: str, event: str, grave: bool) -> None:
    for asserted in (True, False):
        line = Entry(1, sensor, event, asserted).line()
        [entry] = system_event_log.parse(line)
        assert entry.text == f"{sensor}: {event.strip()}"
        assert entry.grave is (grave and asserted)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "3, Pre-Init ,0000000042,Processor CPU1,IERR,Asserted",
            LogEntry("3 Pre-Init 0000000042", "Processor CPU1: IERR", grave=True),
        ),
        (
            "2a,,,Linux kernel panic: Fatal machi",
            LogEntry("2a", "Linux kernel panic: Fatal machi", grave=True),
        ),
        (
            "5,11/26/26,03:08:01 UTC,Memory A1,Uncorrectable ECC,Asserted,CPU 1 DIMM 2",
            LogEntry("5 11/26/26 03:08:01 UTC", "Memory A1: Uncorrectable ECC", grave=True),
        ),
        (
            "6,11/26/26,03:08:01 UTC,Memory A\x07,Parity,Asserted",
            LogEntry("6 11/26/26 03:08:01 UTC", "Memory A?: Parity", grave=True),
        ),
    ],
)
def test_entries_of_other_forms(line: str, expected: LogEntry) -> None:
    assert system_event_log.parse(line) == [expected]


@pytest.mark.parametrize(
    "line", ["", "SEL has no entries", "7,11/26/26,03:08:01 UTC,OEM record c1,000157,0102030405"]
)
def test_lines_that_are_no_events_are_left_out(line: str) -> None:
    assert system_event_log.parse(line) == []
