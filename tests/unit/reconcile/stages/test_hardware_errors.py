"""An error of hardware or kernel is an event once; a corrected one is when it repeats."""

from __future__ import annotations

import pytest
from simulator import Simulator
from standing_clock import Clock

from fakes.rasdaemon import UNCORRECTED
from sanstone.kernel.host import CommandError, FileError
from sanstone.reconcile.stages.alerts import MOST
from sanstone.reconcile.stages.hardware_alerts import REPEATED
from sanstone.reconcile.stages.hardware_errors import LASTS
from sanstone.reconcile.tasks.error_reader import LINKS_PERIOD, RECORDS_PERIOD

EVENTS = "support/ems/events"
NAMES = "memory.*|processor.*|pcie.*|kernel.*|hardware.*"
DISK = "0000:3b:00.0"
HUNG = "INFO: task {}:77 blocked for more than 120 seconds."


def look_again(array: Simulator, clock: Clock, after: float = RECORDS_PERIOD) -> None:
    """Let some seconds pass, and have errors read."""
    clock.now += after
    array.read_hardware()


def error_events(array: Simulator) -> list[tuple[str, str]]:
    """Return the names and texts of events about errors, oldest first."""
    query = f"message.name={NAMES}&fields=message.name,log_message"
    records = array.get(f"{EVENTS}?{query}")["records"]
    return [(each["message"]["name"], each["log_message"]) for each in records]


def names(array: Simulator) -> list[str]:
    return [name for name, _ in error_events(array)]


def test_a_machine_without_errors_has_none(array: Simulator) -> None:
    array.read_hardware()
    array.kernel.rasdaemon.start()
    array.read_hardware()
    assert error_events(array) == []


def test_corrected_memory_errors_are_an_event_when_they_repeat(
    array: Simulator, clock: Clock
) -> None:
    array.kernel.rasdaemon.memory_error("Corrected", "CPU0_DIMM_A1", REPEATED - 1)
    array.kernel.rasdaemon.memory_error("Corrected", "CPU0_DIMM_B1", REPEATED - 1)
    array.read_hardware()
    assert error_events(array) == []
    array.kernel.rasdaemon.memory_error("Corrected", "CPU0_DIMM_A1", 2)
    look_again(array, clock)
    assert error_events(array) == [
        (
            "memory.error.corrected",
            "Memory CPU0_DIMM_A1, memory controller 0 had 11 errors within a day, all corrected: "
            "memory read error.",
        )
    ]
    [event] = array.get(f"{EVENTS}?message.name=memory.*&fields=object,node,active")["records"]
    assert event["object"]["path"] == "cluster/nodes"
    assert event["active"] is True


def test_errors_are_an_event_again_at_ten_times_the_count(array: Simulator, clock: Clock) -> None:
    for _ in range(3):
        array.kernel.rasdaemon.memory_error("Corrected", "A1", 30)
        look_again(array, clock)
    assert names(array) == ["memory.error.corrected"]
    array.kernel.rasdaemon.memory_error("Corrected", "A1", 300)
    look_again(array, clock)
    assert names(array) == ["memory.error.corrected"] * 2
    assert "390 errors" in error_events(array)[-1][1]


def test_the_end_of_errors_is_an_event(array: Simulator, clock: Clock) -> None:
    array.kernel.rasdaemon.memory_error("Corrected", "A1", REPEATED)
    array.read_hardware()
    look_again(array, clock, LASTS + 1)
    assert names(array) == ["memory.error.corrected", "memory.error.corrected.resolved"]


def test_an_uncorrected_error_is_an_event_at_once(array: Simulator, clock: Clock) -> None:
    array.kernel.rasdaemon.memory_error("Uncorrected", "CPU0_DIMM_A1")
    array.kernel.rasdaemon.machine_check(2, 4, UNCORRECTED | 0xE0B, "BUS error")
    array.kernel.rasdaemon.broken_page(0x123, "dirty LRU page", "Recovered")
    array.read_hardware()
    assert sorted(error_events(array)) == [
        (
            "memory.error.uncorrected",
            "Memory CPU0_DIMM_A1, memory controller 0 had an error that cannot be corrected, once "
            "within a day: memory read error.",
        ),
        (
            "memory.page.broken",
            "Pages of memory are broken, once within a day: dirty LRU page: Recovered.",
        ),
        (
            "processor.error.uncorrected",
            "Processor 2, bank 4: a machine check that was not corrected, once within a day: BUS "
            "error.",
        ),
    ]


@pytest.mark.parametrize(
    ("kind", "count", "name", "severity"),
    [
        ("Corrected", REPEATED, "pcie.error.corrected", "notice"),
        ("Uncorrected (Non-Fatal)", 1, "pcie.error.uncorrected", "error"),
        ("Uncorrected (Fatal)", 1, "pcie.error.uncorrected", "alert"),
    ],
)
def test_pcie_errors_are_events_by_device(
    array: Simulator, kind: str, count: int, name: str, severity: str
) -> None:
    for _ in range(count):
        array.kernel.rasdaemon.pcie_error(kind, DISK, "Receiver Error")
    array.read_hardware()
    [(event_name, text)] = error_events(array)
    assert event_name == name
    assert DISK in text
    [event] = array.get(f"{EVENTS}?message.name={name}&fields=message.severity")["records"]
    assert event["message"]["severity"] == severity


def test_corrected_machine_checks_are_an_event_when_they_repeat(array: Simulator) -> None:
    for _ in range(REPEATED):
        array.kernel.rasdaemon.machine_check(0, 1, 0x8C00000000000E0B)
    array.read_hardware()
    assert names(array) == ["processor.error.corrected"]


def test_a_restart_and_a_reboot_repeat_no_event(array: Simulator, clock: Clock) -> None:
    array.kernel.rasdaemon.memory_error("Uncorrected", "A1")
    array.kernel.log.say(HUNG.format("lvm"))
    array.read_hardware()
    before = error_events(array)
    assert len(before) == 2
    array.start()
    array.settle()
    array.read_hardware()
    array.reboot()
    array.settle()
    array.read_hardware()
    assert error_events(array) == before


def test_errors_before_a_reboot_are_events_after_it(array: Simulator) -> None:
    array.kernel.rasdaemon.memory_error("Uncorrected", "A1")
    array.reboot()
    array.kernel.log.say("BERT: Error records from previous boot:", 0.9)
    array.settle()
    array.read_hardware()
    assert sorted(names(array)) == ["hardware.error.before_boot", "memory.error.uncorrected"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (HUNG.format("lvm"), "kernel.task.hung"),
        ("watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [fio:99]", "kernel.lockup"),
        ("rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", "kernel.rcu.stalled"),
        ("pcieport 0000:00:1c.0: retraining failed", "pcie.link.retrained"),
    ],
)
def test_a_kernel_complaint_is_an_event_for_a_day(
    array: Simulator, clock: Clock, text: str, name: str
) -> None:
    array.kernel.log.say(text)
    array.read_hardware()
    assert names(array) == [name]
    look_again(array, clock, LASTS / 2)
    array.kernel.log.say(text)
    array.read_hardware()
    look_again(array, clock, LASTS - 60)
    assert names(array) == [name], "it lasts from the last time on"
    look_again(array, clock, 120)
    assert names(array) == [name, f"{name}.resolved"]


def test_many_tasks_that_hang_fill_no_log(array: Simulator) -> None:
    for number in range(1000):
        array.kernel.log.say(HUNG.format(f"kworker/{number}"))
        array.kernel.log.say(f"pcieport 0000:00:{number % 256:02x}.0: retraining failed")
    array.read_hardware()
    assert len(error_events(array)) <= MOST
    assert names(array).count("kernel.task.hung") == 1


def test_a_degraded_pcie_link_is_an_event_after_a_boot_too(array: Simulator, clock: Clock) -> None:
    array.kernel.pcie.plug(DISK, name="nvme3")
    array.read_hardware()
    assert error_events(array) == []
    array.kernel.pcie.plug(DISK, speed="8.0 GT/s PCIe", width=2, name="nvme3")
    array.reboot()
    array.settle()
    array.read_hardware()
    assert error_events(array) == [
        (
            "pcie.link.degraded",
            f"The link of PCIe device {DISK} (nvme3) runs at 8 GT/s with 2 lanes; it did at 16 "
            "GT/s with 4.",
        )
    ]
    array.kernel.pcie.plug(DISK, name="nvme3")
    look_again(array, clock, LINKS_PERIOD)
    assert names(array)[-1] == "pcie.link.degraded.resolved"


def test_another_device_in_the_slot_has_a_link_of_its_own(array: Simulator, clock: Clock) -> None:
    array.kernel.pcie.plug(DISK)
    array.read_hardware()
    array.kernel.pcie.plug(DISK, speed="8.0 GT/s PCIe", device="0xa824")
    look_again(array, clock, LINKS_PERIOD)
    assert error_events(array) == []


def test_an_unreadable_source_keeps_its_events_and_is_logged_once(
    array: Simulator, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    array.kernel.rasdaemon.memory_error("Uncorrected", "A1")
    array.read_hardware()

    def broken(argv: tuple[str, ...], _stdin: str) -> str:
        raise CommandError(argv, 5, "Error: in prepare, database is locked (5)")

    array.kernel.commands.register("sqlite3", broken)  # type: ignore[arg-type]
    for _ in range(3):
        look_again(array, clock)
    assert names(array) == ["memory.error.uncorrected"]
    assert caplog.text.count("what rasdaemon recorded cannot be read") == 1


def test_an_unreadable_log_does_not_hide_other_errors(
    array: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    array.kernel.rasdaemon.memory_error("Uncorrected", "A1")
    array.kernel.log.failure = FileError("read", "/dev/kmsg", 1)
    array.read_hardware()
    assert names(array) == ["memory.error.uncorrected"]
    assert "the kernel's log cannot be read" in caplog.text
