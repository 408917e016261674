"""A disk's own health report: SMART of ATA and SCSI disks, the health log of NVMe ones.

smartctl reads all three and answers in JSON (smartctl(8), `--json`; names of its members are those
of smartmontools 7.4 and later: ataprint.cpp, scsiprint.cpp, nvmeprint.cpp). What a disk does not
tell is None. A disk that sleeps is not woken, and what a RAID controller or a hypervisor shows in a
disk's place mostly tells nothing at all.

smartctl's exit status is a set of bits. The lowest two mean that there is no answer: the command
line, or opening the disk. `ASLEEP` is both, which smartctl itself never uses together. All others
are about the disk (failing, errors in its log) and are in the answer too.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from sanstone.kernel.host import CommandError, Host, HostError

PATIENCE = 60.0
"""Seconds for which a disk is waited for. One that is busy mending itself answers late."""
ASLEEP = 3
"""smartctl's exit status for a disk that sleeps, as we ask for it."""
_NO_ANSWER = 0b11
_NVME_TEMPERATURE = 1 << 1
_NVME_WARNINGS = {
    1 << 0: "few spare blocks are left",
    1 << 2: "it is not reliable any more",
    1 << 3: "it takes no writes any more",
    1 << 4: "its memory is not saved on a loss of power any more",
    1 << 5: "its persistent memory is not reliable any more",
}
"""Bits of Critical Warning (NVM Express base specification, SMART / Health Information)."""
_REALLOCATED, _UNCORRECTED, _PENDING = 5, 187, 197
"""Numbers of ATA attributes on which vendors agree."""
_WEAR = "Percentage Used Endurance Indicator"
"""A device statistic of ATA (ACS-4, A.5.9), by smartctl's name."""


@dataclass(frozen=True)
class DiskHealth:
    """A disk's report on itself.

    `passed` is false when it predicts its failure; `message` says why, or why nothing is known.
    Temperatures are in °C; `temperature_limit` is the one from which it may be damaged. `life_used`
    is in percent of what its vendor expects, and may exceed 100. `media_errors` are errors that the
    disk could not correct; `reallocated` and `pending` are sectors (of SCSI disks: defects) that
    were replaced and that wait for it.
    """

    passed: bool | None = None
    message: str = ""
    life_used: int | None = None
    temperature: int | None = None
    temperature_limit: int | None = None
    too_hot: bool = False
    power_on_hours: int | None = None
    media_errors: int | None = None
    reallocated: int | None = None
    pending: int | None = None


def read(host: Host, path: str) -> DiskHealth | None:
    """Return the health of the disk at `path`, None while it sleeps.

    Raises HostError when smartctl cannot open it, CommandTimeout when it does not answer.
    """
    argv = ["smartctl", "--json=c", "--all", "--log=devstat", f"--nocheck=standby,{ASLEEP}", path]
    try:
        answer = host.commands.run(argv, time_limit=PATIENCE)
    except CommandError as error:
        if error.status == ASLEEP:
            return None
        if error.status & _NO_ANSWER or error.status > 0xFF:
            raise HostError(_complaint(error.stdout) or str(error)) from error
        answer = error.stdout
    return parse(answer)


def parse(answer: str) -> DiskHealth:
    """Return the report in smartctl's answer. Raises HostError for any other text."""
    report = _object(answer)
    if report is None:
        raise HostError("smartctl: its answer is no JSON")
    if "nvme_smart_health_information_log" in report:
        return _nvme(report)
    return _ata(report) if "ata_smart_attributes" in report else _scsi(report)


def _object(answer: str) -> dict[str, Any] | None:
    try:
        report = json.loads(answer)
    except json.JSONDecodeError:
        return None
    return report if isinstance(report, dict) else None


def _complaint(answer: str) -> str:
    """Return smartctl's reason for no answer, '' for none."""
    messages = _at(_object(answer), "smartctl", "messages")
    texts = [_at(each, "string") for each in messages] if isinstance(messages, list) else []
    return "; ".join(text for text in texts if isinstance(text, str))


def _at(value: Any, *names: str) -> Any:
    """Return the value at a place in an answer, None where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _count(value: Any) -> int | None:
    """Return a number from 0, None for anything else."""
    return value if type(value) is int and value >= 0 else None


def _passed(report: dict[str, Any]) -> bool | None:
    passed = _at(report, "smart_status", "passed")
    return passed if isinstance(passed, bool) else None


def _temperature(report: dict[str, Any], limit: str) -> tuple[int | None, int | None]:
    """Return temperature and limit. Where nothing is measured, SCSI has 0 for both."""
    current, most = (_at(report, "temperature", name) for name in ("current", limit))
    known_limit = most if type(most) is int and most > 0 else None
    if type(current) is not int or (current == 0 and known_limit is None):
        return None, known_limit
    return current, known_limit


def _is_over(current: int | None, limit: int | None) -> bool:
    return current is not None and limit is not None and current >= limit


def _nvme(report: dict[str, Any]) -> DiskHealth:
    """Return the report of an NVMe disk. That it is warm is no prediction of its failure."""
    log = report["nvme_smart_health_information_log"]
    warning = _count(_at(log, "critical_warning")) or 0
    current, limit = _temperature(report, "critical_limit_max")
    reasons = [text for bit, text in _NVME_WARNINGS.items() if warning & bit]
    warns = bool(warning & _NVME_TEMPERATURE)
    return DiskHealth(
        passed=not warning & ~_NVME_TEMPERATURE,
        message="; ".join(reasons),
        life_used=_count(_at(log, "percentage_used")),
        temperature=current,
        temperature_limit=limit,
        too_hot=warns if limit is None else _is_over(current, limit),
        power_on_hours=_count(_at(log, "power_on_hours")),
        media_errors=_count(_at(log, "media_errors")),
    )


def _ata(report: dict[str, Any]) -> DiskHealth:
    """Return the report of an ATA disk, by its attributes and device statistics."""
    table = _at(report, "ata_smart_attributes", "table") or []
    failing = [
        str(row.get("name"))
        for row in table
        if row.get("when_failed") == "now" and _at(row, "flags", "prefailure")
    ]
    raw = {row.get("id"): _raw(row) for row in table}
    passed = _passed(report)
    current, limit = _temperature(report, "op_limit_max")
    return DiskHealth(
        passed=False if failing else passed,
        message=f"below its threshold: {', '.join(failing)}" if failing else "",
        life_used=_ata_life_used(report),
        temperature=current,
        temperature_limit=limit,
        too_hot=_is_over(current, limit),
        power_on_hours=_count(_at(report, "power_on_time", "hours")),
        media_errors=raw.get(_UNCORRECTED),
        reallocated=raw.get(_REALLOCATED),
        pending=raw.get(_PENDING),
    )


def _raw(row: dict[str, Any]) -> int | None:
    """Return an attribute's raw number; smartctl's text has it without what vendors put beside."""
    number = re.match(r"\d+", str(_at(row, "raw", "string") or ""))
    return int(number[0]) if number else None


def _ata_life_used(report: dict[str, Any]) -> int | None:
    """Return the wear that the disk itself tells, else what smartctl guesses by an attribute."""
    for page in _at(report, "ata_device_statistics", "pages") or []:
        for row in _at(page, "table") or []:
            if _at(row, "name") == _WEAR and _at(row, "flags", "valid"):
                return _count(_at(row, "value"))
    return _count(_at(report, "endurance_used", "current_percent"))


def _scsi(report: dict[str, Any]) -> DiskHealth:
    """Return the report of a SCSI disk, empty for one without SMART."""
    reason = _at(report, "smart_status", "scsi", "ie_string")
    uncorrected = [
        _count(_at(report, "scsi_error_counter_log", kind, "total_uncorrected_errors"))
        for kind in ("read", "write", "verify")
    ]
    known = [number for number in uncorrected if number is not None]
    current, limit = _temperature(report, "drive_trip")
    life_used = _count(_at(report, "scsi_percentage_used_endurance_indicator"))
    return DiskHealth(
        passed=_passed(report),
        message=reason if isinstance(reason, str) else "",
        life_used=life_used,
        temperature=current,
        temperature_limit=limit,
        too_hot=_is_over(current, limit),
        power_on_hours=_count(_at(report, "power_on_time", "hours")),
        media_errors=sum(known) if known else None,
        reallocated=_count(_at(report, "scsi_grown_defect_list")),
        pending=_count(_at(report, "scsi_pending_defects", "count")),
    )
