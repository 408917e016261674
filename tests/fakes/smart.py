"""smartctl on the fake machine: the health that disks report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fakes.commands import FakeCommands
from fakes.disks import FakeDisks
from sanstone.kernel.host import CommandError

ASLEEP, NO_DEVICE, SMART_FAILED, FAILING = 3, 2, 4, 8

NVME: dict[str, Any] = {
    "device": {"name": "/dev/nvme1n1", "type": "nvme", "protocol": "NVMe"},
    "smart_status": {"passed": True, "nvme": {"value": 0}},
    "nvme_smart_health_information_log": {
        "critical_warning": 0,
        "temperature": 41,
        "available_spare": 100,
        "available_spare_threshold": 10,
        "percentage_used": 12,
        "power_on_hours": 9731,
        "media_errors": 0,
    },
    "temperature": {"current": 41, "op_limit_max": 77, "critical_limit_max": 85},
    "power_on_time": {"hours": 9731},
}


def sas(*, used: int = 3, temperature: int = 29, failing: str = "") -> dict[str, Any]:
    """Return smartctl's report of an SSD on SAS; `failing` is why it will fail."""
    status: dict[str, Any] = {"passed": not failing}
    if failing:
        status["scsi"] = {"asc": 0x5D, "ascq": 0x62, "ie_string": failing}
    return {
        "device": {"name": "/dev/sda", "type": "scsi", "protocol": "SCSI"},
        "smart_status": status,
        "scsi_percentage_used_endurance_indicator": used,
        "temperature": {"current": temperature, "drive_trip": 60},
        "power_on_time": {"hours": 21844, "minutes": 12},
        "scsi_grown_defect_list": 0,
        "scsi_error_counter_log": {
            kind: {"total_uncorrected_errors": 0} for kind in ("read", "write", "verify")
        },
    }


class FakeSmart:
    """The report of each disk, by its name; a disk without one has no SMART.

    `asleep` are the disks that sleep.
    """

    def __init__(self, commands: FakeCommands, disks: FakeDisks) -> None:
        self._disks = disks
        self.reports: dict[str, dict[str, Any]] = {}
        self.asleep: set[str] = set()
        commands.register("smartctl", self._smartctl)

    def _smartctl(self, argv: Sequence[str], _stdin: str) -> str:
        *options, path = argv[1:]
        name = path.removeprefix("/dev/")
        assert {"--json=c", "--all"} <= set(options), options
        if name in self.asleep and f"--nocheck=standby,{ASLEEP}" in options:
            raise self._end(argv, ASLEEP, {})
        if name not in self._disks.present:
            text = f"Smartctl open device: {path} failed: No such device"
            raise self._end(argv, NO_DEVICE, {"messages": [{"string": text, "severity": "error"}]})
        if name not in self.reports:
            support = {"smart_support": {"available": False}}
            raise self._end(argv, SMART_FAILED, {}, support)
        report = self.reports[name]
        if not report["smart_status"]["passed"]:
            raise self._end(argv, FAILING, {}, report)
        return json.dumps({"smartctl": {"exit_status": 0}} | report)

    def _end(
        self,
        argv: Sequence[str],
        status: int,
        messages: dict[str, Any],
        report: dict[str, Any] | None = None,
    ) -> CommandError:
        answer = {"smartctl": {"exit_status": status} | messages} | (report or {})
        return CommandError(argv, status, "", json.dumps(answer))
