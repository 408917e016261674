"""Alerts of the hardware's and the kernel's errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sanstone.core.events import ALERT, EMERGENCY, ERROR, NOTICE, Condition
from sanstone.kernel.hardware import error_records, kernel_complaints
from sanstone.kernel.hardware.error_records import CORRECTED, FATAL, Errors
from sanstone.kernel.hardware.kernel_complaints import Complaint
from sanstone.kernel.hardware.pcie_links import Link
from sanstone.reconcile.stages.alerts import Alert

REPEATED = 10
"""Corrected errors within a day from which they are reported: single ones are everywhere."""


def of_errors(records: Iterable[Errors]) -> Iterator[tuple[str, Alert]]:
    """Yield the alerts of errors within the last day, with their keys."""
    for errors in records:
        if errors.severity == CORRECTED and errors.count < REPEATED:
            continue
        key = f"{errors.source}:{errors.severity}:{errors.device}"
        yield key, Alert(_condition(errors), errors.count)


def _condition(errors: Errors) -> Condition:
    times = "once" if errors.count == 1 else f"{errors.count} times"
    detail = f": {errors.message}" if errors.message else ""
    corrected = errors.severity == CORRECTED
    match errors.source:
        case error_records.MEMORY:
            where = f"Memory {errors.device}"
            if corrected:
                text = f"{where} had {errors.count} errors within a day, all corrected{detail}."
                return Condition(ERROR, "memory.error.corrected", text)
            text = f"{where} had an error that cannot be corrected, {times} within a day{detail}."
            return Condition(ALERT, "memory.error.uncorrected", text)
        case error_records.PROCESSOR:
            where = errors.device.capitalize()
            if corrected:
                text = f"{where}: {errors.count} corrected machine checks within a day{detail}."
                return Condition(ERROR, "processor.error.corrected", text)
            text = f"{where}: a machine check that was not corrected, {times} within a day{detail}."
            return Condition(ALERT, "processor.error.uncorrected", text)
        case error_records.PCIE:
            where = f"PCIe device {errors.device}"
            if corrected:
                text = f"{where} had {errors.count} errors within a day, all corrected{detail}."
                return Condition(NOTICE, "pcie.error.corrected", text)
            grave = "a fatal error" if errors.severity == FATAL else "an error"
            text = f"{where} had {grave} that was not corrected, {times} within a day{detail}."
            return Condition(
                ALERT if errors.severity == FATAL else ERROR, "pcie.error.uncorrected", text
            )
        case _:
            text = f"Pages of memory are broken, {times} within a day{detail}."
            return Condition(ALERT, "memory.page.broken", text)


def of_link(link: Link, speed: float, width: int) -> Alert | None:
    """Return the alert of a link that was once as fast and as wide as this, None if it still is."""
    if link.speed >= speed and link.width >= width:
        return None
    name = f" ({link.name})" if link.name else ""
    text = (
        f"The link of PCIe device {link.address}{name} runs at {link.speed:g} GT/s with "
        f"{link.width} lanes; it did at {speed:g} GT/s with {width}."
    )
    return Alert(Condition(ERROR, "pcie.link.degraded", text))


def of_complaint(complaint: Complaint) -> tuple[str, Alert]:
    """Return the alert of what the kernel complains of, with its key.

    Of tasks and processors one stands for all: when one hangs, many do.
    """
    match complaint.kind:
        case kernel_complaints.HUNG_TASK:
            text = f"Task {complaint.subject} of the system waits for too long, maybe for ever."
            condition = Condition(ALERT, "kernel.task.hung", text)
        case kernel_complaints.LOCKUP:
            text = f"Processor {complaint.subject} was stuck in the kernel."
            condition = Condition(ALERT, "kernel.lockup", text)
        case kernel_complaints.RCU_STALL:
            text = "A processor did not answer the kernel for too long (RCU stall)."
            condition = Condition(ALERT, "kernel.rcu.stalled", text)
        case kernel_complaints.LINK_RETRAINED:
            text = f"The link of PCIe device {complaint.subject} failed and was trained again."
            condition = Condition(ERROR, "pcie.link.retrained", text)
            return f"retrained:{complaint.subject}", Alert(condition)
        case _:
            where = f" ({complaint.subject})" if complaint.subject else ""
            text = f"The system had ended by an error of the hardware before it started{where}."
            condition = Condition(EMERGENCY, "hardware.error.before_boot", text)
    return complaint.kind, Alert(condition)
