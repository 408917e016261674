"""Health of ATA, SCSI and NVMe disks is read; missing facts stay absent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakes import FakeKernel, smart
from sanstone.kernel.hardware import disk_health
from sanstone.kernel.hardware.disk_health import DiskHealth
from sanstone.kernel.host import CommandError, CommandTimeout, HostError


def attribute(
    number: int, name: str, raw: str, *, failed: str = "", prefailure: bool = True
) -> dict[str, Any]:
    """Return an ATA attribute; its raw value holds what the vendor packed into it."""
    return {
        "id": number,
        "name": name,
        "value": 100,
        "worst": 100,
        "thresh": 10,
        "when_failed": failed,
        "flags": {"value": 51, "string": "PO--CK ", "prefailure": prefailure},
        "raw": {"value": 0x120000000000, "string": raw},
    }


def ata(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return smartctl's output for a disk on SATA."""
    return {
        "json_format_version": [1, 0],
        "smartctl": {"version": [7, 4], "exit_status": 0},
        "device": {"name": "/dev/sda", "type": "sat", "protocol": "ATA"},
        "model_name": "ST4000NM0035-1V4107",
        "smart_status": {"passed": True},
        "ata_smart_attributes": {"revision": 10, "table": list(rows)},
        "power_on_time": {"hours": 40127},
        "temperature": {"current": 34, "op_limit_max": 60},
    } | more


def wear(percent: int, *, valid: bool = True) -> dict[str, Any]:
    """Return the statistics that an SSD on SATA keeps."""
    row = {
        "offset": 8,
        "name": "Percentage Used Endurance Indicator",
        "size": 1,
        "value": percent,
        "flags": {"value": 0xC0, "string": "N-- ", "valid": valid, "normalized": True},
    }
    general = {"number": 1, "name": "General Statistics", "revision": 1, "table": []}
    solid = {"number": 7, "name": "Solid State Device Statistics", "revision": 1, "table": [row]}
    return {"ata_device_statistics": {"pages": [general, solid]}}


def parsed(report: dict[str, Any]) -> DiskHealth:
    return disk_health.parse(json.dumps(report))


def test_a_rotating_disk_on_sata() -> None:
    report = ata(
        attribute(5, "Reallocated_Sector_Ct", "16 (0 2)"),
        attribute(187, "Reported_Uncorrect", "1"),
        attribute(197, "Current_Pending_Sector", "8"),
        attribute(194, "Temperature_Celsius", "34 (0 18 0 0 0)"),
    )
    assert parsed(report) == DiskHealth(
        passed=True,
        temperature=34,
        temperature_limit=60,
        power_on_hours=40127,
        media_errors=1,
        reallocated=16,
        pending=8,
    )


def test_an_attribute_below_its_threshold_predicts_a_failure() -> None:
    """Some disks say that they are in order nevertheless (smartctl's exit status, bit 4)."""
    report = ata(attribute(5, "Reallocated_Sector_Ct", "4096", failed="now"))
    health = parsed(report)
    assert (health.passed, health.message) == (False, "below its threshold: Reallocated_Sector_Ct")


@pytest.mark.parametrize(("failed", "prefailure"), [("past", True), ("now", False)])
def test_age_and_what_is_over_predict_nothing(failed: str, prefailure: bool) -> None:
    row = attribute(190, "Airflow_Temperature_Cel", "61", failed=failed, prefailure=prefailure)
    assert parsed(ata(row)).passed is True


def test_an_ssd_on_sata_tells_its_wear_by_its_statistics() -> None:
    guessed = {"endurance_used": {"current_percent": 3}}
    assert parsed(ata(**wear(7), **guessed)).life_used == 7
    assert parsed(ata(**wear(7, valid=False), **guessed)).life_used == 3
    assert parsed(ata()).life_used is None


def test_a_disk_on_sas() -> None:
    report = smart.sas(used=3, temperature=29) | {"scsi_grown_defect_list": 2}
    report["scsi_error_counter_log"]["read"]["total_uncorrected_errors"] = 4
    report["scsi_pending_defects"] = {"count": 1}
    assert parsed(report) == DiskHealth(
        passed=True,
        life_used=3,
        temperature=29,
        temperature_limit=60,
        power_on_hours=21844,
        media_errors=4,
        reallocated=2,
        pending=1,
    )


def test_a_disk_on_sas_says_why_it_will_fail() -> None:
    reason = "FIRMWARE IMPENDING FAILURE DATA ERROR RATE TOO HIGH"
    health = parsed(smart.sas(failing=reason))
    assert (health.passed, health.message) == (False, reason)


@pytest.mark.parametrize(("current", "too_hot"), [(59, False), (60, True), (61, True), (-2, False)])
def test_too_hot_is_from_the_limit_on(current: int, too_hot: bool) -> None:
    health = parsed(smart.sas(temperature=current))
    assert (health.temperature, health.too_hot, health.passed) == (current, too_hot, True)


def test_a_controllers_stand_in_for_a_disk_has_no_temperature() -> None:
    nothing = {
        "smart_support": {"available": False},
        "temperature": {"current": 0, "drive_trip": 0},
    }
    assert parsed(nothing) == DiskHealth()


def nvme(warning: int = 0, temperature: int = 41, **limits: int) -> dict[str, Any]:
    """Return smartctl's output for an NVMe disk."""
    log = smart.NVME["nvme_smart_health_information_log"] | {"critical_warning": warning}
    return smart.NVME | {
        "smart_status": {"passed": not warning, "nvme": {"value": warning}},
        "nvme_smart_health_information_log": log | {"temperature": temperature},
        "temperature": {"current": temperature} | limits,
    }


def test_an_nvme_disk() -> None:
    assert parsed(smart.NVME) == DiskHealth(
        passed=True,
        life_used=12,
        temperature=41,
        temperature_limit=85,
        power_on_hours=9731,
        media_errors=0,
    )


def test_an_nvme_disk_says_what_is_critical() -> None:
    health = parsed(nvme(0b1001))
    assert health.passed is False
    assert health.message == "few spare blocks are left; it takes no writes any more"


def test_an_nvme_disk_that_is_warm_does_not_fail_for_that() -> None:
    """Its warning comes with the lower of two limits; the upper one is the critical one."""
    warm = parsed(nvme(0b10, 78, critical_limit_max=85))
    assert (warm.passed, warm.too_hot) == (True, False)
    hot = parsed(nvme(0b10, 86, critical_limit_max=85))
    assert (hot.passed, hot.too_hot) == (True, True)


def test_an_nvme_disk_without_limits_is_believed() -> None:
    health = parsed(nvme(0b10, 80))
    assert (health.passed, health.too_hot, health.temperature_limit) == (True, True, None)


@pytest.mark.parametrize("answer", ["", "smartctl 7.4 2023-08-01", "[]", '{"smartctl": '])
def test_a_malformed_answer_is_refused(answer: str) -> None:
    with pytest.raises(HostError, match="no JSON"):
        disk_health.parse(answer)


@pytest.mark.parametrize("wrong", [None, -1, "12", 1.5, True, [1]])
def test_an_invalid_count_is_absent(wrong: Any) -> None:
    report = smart.NVME | {
        "nvme_smart_health_information_log": {
            "critical_warning": 0,
            "percentage_used": wrong,
            "media_errors": wrong,
        }
    }
    health = parsed(report)
    assert (health.life_used, health.media_errors) == (None, None)


class TestExitStatus:
    """smartctl's exit status is a set of bits; two of them mean that there is no answer."""

    @pytest.fixture
    def kernel(self) -> FakeKernel:
        """A machine with one disk that reports its health."""
        kernel = FakeKernel()
        kernel.smart.reports["sda"] = smart.sas()
        return kernel

    def _ends(self, kernel: FakeKernel, status: int, answer: str) -> None:
        def smartctl(argv: Any, _stdin: str) -> str:
            raise CommandError(argv, status, "", answer)

        kernel.commands.register("smartctl", smartctl)

    def test_a_disk_in_order(self, kernel: FakeKernel) -> None:
        health = disk_health.read(kernel.host, "/dev/sda")
        assert health is not None
        assert health.passed is True

    def test_a_disk_that_sleeps_is_not_woken(self, kernel: FakeKernel) -> None:
        kernel.smart.asleep.add("sda")
        assert disk_health.read(kernel.host, "/dev/sda") is None

    @pytest.mark.parametrize("status", [4, 8, 16, 32, 64, 128, 0b11011000])
    def test_status_bits_about_the_disk_are_an_answer(
        self, kernel: FakeKernel, status: int
    ) -> None:
        self._ends(kernel, status, json.dumps(smart.sas(used=5)))
        health = disk_health.read(kernel.host, "/dev/sda")
        assert health is not None
        assert health.life_used == 5

    @pytest.mark.parametrize("status", [1, 2, 1 | 64, 2 | 4])
    def test_without_an_answer_the_error_has_the_reason(
        self, kernel: FakeKernel, status: int
    ) -> None:
        report = {"smartctl": {"messages": [{"string": "Unable to detect device type"}]}}
        self._ends(kernel, status, json.dumps(report))
        with pytest.raises(HostError, match=r"^Unable to detect device type$"):
            disk_health.read(kernel.host, "/dev/sda")

    def test_without_a_reason_the_error_has_the_status(self, kernel: FakeKernel) -> None:
        self._ends(kernel, 2, "")
        with pytest.raises(HostError, match="exit status 2"):
            disk_health.read(kernel.host, "/dev/sda")

    def test_a_disk_that_is_gone(self, kernel: FakeKernel) -> None:
        with pytest.raises(HostError, match="No such device"):
            disk_health.read(kernel.host, "/dev/sdz")

    def test_a_disk_that_hangs(self, kernel: FakeKernel) -> None:
        def smartctl(argv: Any, _stdin: str) -> str:
            raise CommandTimeout(argv, disk_health.PATIENCE)

        kernel.commands.register("smartctl", smartctl)
        with pytest.raises(HostError, match="no answer within 60 s"):
            disk_health.read(kernel.host, "/dev/sda")

    def test_a_killed_program_gives_no_answer(self, kernel: FakeKernel) -> None:
        self._ends(kernel, -9, "")
        with pytest.raises(HostError):
            disk_health.read(kernel.host, "/dev/sda")
