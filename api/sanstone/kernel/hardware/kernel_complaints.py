"""The kernel's complaints in its log: tasks that hang, processors that are stuck, PCIe links that
it trained again, and errors from before the boot that processors and firmware have kept.

Of errors that happen while the system runs rasdaemon tells more (`error_records`). It is not there
yet when the kernel reads what was left in the processors' registers by an error that ended the boot
before (mcheck_late_init(), arch/x86/kernel/cpu/mce/core.c), nor when the firmware's record of such
an error is printed (bert_init(), drivers/acpi/apei/bert.c). So these are taken from the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sanstone.kernel.host import LogRecord

HUNG_TASK, LOCKUP, RCU_STALL = "hung task", "lockup", "RCU stall"
LINK_RETRAINED, ERROR_BEFORE_BOOT = "link retrained", "error before boot"
AT_BOOT = 60.0
"""Seconds of uptime within which the kernel tells what was left from before: before there are any
processes, even where it is emulated."""
_UNCORRECTED = 1 << 61
"""The bit UC of a bank's status (Intel SDM volume 3, 17.3.2.2; AMD APM volume 2, 9.3.2.2)."""
_MACHINE_CHECK = re.compile(
    r"mce: \[Hardware Error\]: CPU (?P<cpu>\d+): Machine Check(?: Exception)?: [0-9a-f]+ "
    r"Bank (?P<bank>\d+): (?P<status>[0-9a-f]{16})"
)
_PATTERNS = (
    (
        # check_hung_task(), kernel/hung_task.c
        HUNG_TASK,
        re.compile(
            r"INFO: task (?P<subject>.{1,64}):\d+ "
            r"blocked (?:in I/O wait )?for more than (?P<seconds>\d+) seconds\."
        ),
    ),
    (
        # watchdog_timer_fn(), kernel/watchdog.c
        LOCKUP,
        re.compile(
            r"watchdog: BUG: soft lockup - CPU#(?P<subject>\d+) stuck for (?P<seconds>\d+)s! .*"
        ),
    ),
    (
        # watchdog_hardlockup_check(), kernel/watchdog.c; by name of the CPU since 6.12
        LOCKUP,
        re.compile(
            r"(?:NMI )?watchdog: (?:CPU\d+: )?Watchdog detected hard LOCKUP on cpu (?P<subject>\d+)"
        ),
    ),
    (
        # print_other_cpu_stall(), print_cpu_stall(), kernel/rcu/tree_stall.h; tree_exp.h
        RCU_STALL,
        re.compile(
            r"(?:rcu: )?INFO: (?P<subject>rcu_\w+) "
            r"(?:self-detected stall on CPU|detected (?:expedited )?stalls on CPUs/tasks:).*"
        ),
    ),
    (
        # pcie_failed_link_retrain(), drivers/pci/quirks.c; pcie_aspm_configure_common_clock()
        LINK_RETRAINED,
        re.compile(
            r"\S+ (?P<subject>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]): "
            r".*\bretrain(?:ing|ed)?\b.*"
        ),
    ),
    (
        # bert_print_all(), drivers/acpi/apei/bert.c
        ERROR_BEFORE_BOOT,
        re.compile(r"BERT: Error records from previous boot:(?P<subject>)"),
    ),
)


@dataclass(frozen=True)
class Complaint:
    """A complaint of the kernel's. `sequence` is that of its record in the log of the boot.

    `subject` is the task, the processor's number, the kind of RCU, or the device's PCI address, ''
    where there is none.
    """

    sequence: int
    kind: str
    subject: str


def complaints(records: Iterable[LogRecord]) -> Iterator[Complaint]:
    """Yield the kernel's complaints in its log."""
    for record in records:
        if complaint := _from_before_boot(record):
            yield complaint
            continue
        for kind, pattern in _PATTERNS:
            if match := pattern.fullmatch(record.text):
                yield Complaint(record.sequence, kind, match["subject"])
                break


def _from_before_boot(record: LogRecord) -> Complaint | None:
    match = _MACHINE_CHECK.fullmatch(record.text)
    if match is None or record.seconds > AT_BOOT or not int(match["status"], 16) & _UNCORRECTED:
        return None
    subject = f"processor {match['cpu']}, bank {match['bank']}"
    return Complaint(record.sequence, ERROR_BEFORE_BOOT, subject)
