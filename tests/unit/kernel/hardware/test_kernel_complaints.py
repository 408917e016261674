"""The kernel's complaints are found in its log, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from sanstone.kernel.hardware.kernel_complaints import (
    AT_BOOT,
    ERROR_BEFORE_BOOT,
    HUNG_TASK,
    LINK_RETRAINED,
    LOCKUP,
    RCU_STALL,
    Complaint,
    complaints,
)
from sanstone.kernel.host import LogRecord

UNCORRECTED, CORRECTED = "be00000000800400", "8c00000000800400"


def complaints_in(text: str, seconds: float = 100.0) -> list[Complaint]:
    return list(complaints([LogRecord(7, seconds, text)]))


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        ("INFO: task lvm:1234 blocked for more than 120 seconds.", HUNG_TASK, "lvm"),
        (
            "INFO: task kworker/u8:2:77 blocked in I/O wait for more than 241 seconds.",
            HUNG_TASK,
            "kworker/u8:2",
        ),
        ("watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [fio:99]", LOCKUP, "3"),
        ("watchdog: CPU5: Watchdog detected hard LOCKUP on cpu 5", LOCKUP, "5"),
        ("NMI watchdog: Watchdog detected hard LOCKUP on cpu 1", LOCKUP, "1"),
        ("rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", RCU_STALL, "rcu_preempt"),
        ("rcu: INFO: rcu_sched self-detected stall on CPU", RCU_STALL, "rcu_sched"),
        (
            "rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 1-... } 26 jiffies",
            RCU_STALL,
            "rcu_preempt",
        ),
        (
            "pcieport 0000:00:1c.0: broken device, retraining non-functional downstream link at "
            "2.5GT/s",
            LINK_RETRAINED,
            "0000:00:1c.0",
        ),
        ("pcieport 0000:00:1c.0: retraining failed", LINK_RETRAINED, "0000:00:1c.0"),
        ("BERT: Error records from previous boot:", ERROR_BEFORE_BOOT, ""),
    ],
)
def test_messages_that_are_complaints(text: str, kind: str, subject: str) -> None:
    assert complaints_in(text) == [Complaint(7, kind, subject)]


@pytest.mark.parametrize(
    "text",
    [
        "nvmet: creating nvm controller 1 for INFO: task lvm:1 blocked for more than 120 seconds.",
        "INFO: task x:1 blocked for more than 120 seconds. And more",
        "INFO: task " + "x" * 65 + ":1 blocked for more than 120 seconds.",
        "rcu: Hierarchical RCU implementation.",
        "rcu: INFO: from a host",
        "pcieport 0000:00:1c.0: pciehp: Slot(3): Link Up",
        "iSCSI Initiator Node: pcieport 0000:00:1c.0 is not authorized",
        "BERT: Total records found: 1",
    ],
)
def test_other_messages_are_none(text: str) -> None:
    assert complaints_in(text) == []


def test_machine_checks_from_before_the_boot() -> None:
    text = f"mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 5: {UNCORRECTED}"
    assert complaints_in(text, 1.5) == [Complaint(7, ERROR_BEFORE_BOOT, "processor 2, bank 5")]
    assert complaints_in(text.replace(UNCORRECTED, CORRECTED), 1.5) == []
    assert complaints_in(text, AT_BOOT + 1) == [], "rasdaemon tells of these"
    exception = text.replace("Machine Check: 0", "Machine Check Exception: 5")
    assert len(complaints_in(exception, 1.5)) == 1
