"""Disks and shelves are read beside the turns, each at its time, and none is woken."""

from __future__ import annotations

from typing import Any

import pytest
from simulator import Simulator
from standing_clock import Clock

from fakes import smart
from fakes.files import Text
from sanstone.kernel.hardware import disk_health
from sanstone.kernel.host import CommandTimeout
from sanstone.reconcile.tasks import disk_reader

DISKS, EVENTS, SHELVES = "storage/disks", "support/ems/events", "storage/shelves"
UID = "500605b0000272bf"


def disk(array: Simulator, name: str = "sda") -> dict[str, Any]:
    """Return a disk's record, by the kernel's name."""
    [record] = array.get(f"{DISKS}?path=/dev/{name}&fields=**")["records"]
    return dict(record)


def queried_disks(array: Simulator) -> list[str]:
    """Return the disks whose health was read so far."""
    calls = array.kernel.commands.calls
    return [call[-1].removeprefix("/dev/") for call in calls if call[0] == "smartctl"]


def active(array: Simulator, name: str) -> list[dict[str, Any]]:
    """Return the events of a kind that are active."""
    query = f"message.name={name}&active=true&fields=log_message,message.severity"
    return list(array.get(f"{EVENTS}?{query}")["records"])


def test_readings_of_a_disk_are_shown(array: Simulator) -> None:
    array.kernel.smart.reports["sda"] = smart.sas(used=3, temperature=29)
    array.read_disks()
    record = disk(array)
    assert record["health"]["passed"] is True
    assert record["rated_life_used_percent"] == 3
    assert (record["temperature"], record["temperature_limit"]) == (29, 60)
    assert record["stats"] == {"power_on_hours": 21844}
    assert (record["media_errors"], record["reallocated_sectors"]) == (0, 0)
    assert "pending_sectors" not in record
    assert record["health"].keys() == {"passed", "last_checked"}


def test_a_disk_without_readings_raises_no_event(array: Simulator) -> None:
    array.read_disks()
    record = disk(array)
    assert record["health"].keys() == {"last_checked"}
    absent = {"rated_life_used_percent", "temperature", "stats", "media_errors", "bay", "shelf"}
    assert not absent & record.keys()
    assert array.get(f"{EVENTS}?message.name=disk.*")["records"] == []


def test_a_virtual_disk_is_not_read(array: Simulator) -> None:
    array.kernel.storage.disks.present["sda"].transport = "virtio"
    array.reconciler.rescan()
    array.read_disks()
    assert "sda" not in queried_disks(array)
    assert "health" not in disk(array)
    assert "sdb" in queried_disks(array)


def test_each_disk_is_read_at_its_time(array: Simulator, clock: Clock) -> None:
    array.read_disks()
    assert sorted(set(queried_disks(array))) == sorted(queried_disks(array)), "once each"
    before = len(queried_disks(array))
    clock.now += disk_reader.HEALTH_PERIOD - 1
    array.settle()
    assert len(queried_disks(array)) == before
    clock.now += 2
    array.settle()
    assert len(queried_disks(array)) == 2 * before


def test_a_sleeping_disk_keeps_its_readings(array: Simulator, clock: Clock) -> None:
    array.kernel.smart.reports["sda"] = smart.sas(temperature=29)
    array.read_disks()
    before = disk(array)
    array.kernel.smart.asleep.add("sda")
    clock.now += disk_reader.HEALTH_PERIOD
    array.read_disks()
    assert disk(array) == before


def test_a_disk_that_hangs_delays_no_other_and_says_why_nothing_is_known(
    array: Simulator,
) -> None:
    answer = array.kernel.commands.run

    def smartctl(argv: Any, **options: Any) -> str:
        if argv[0] == "smartctl" and argv[-1] == "/dev/sda":
            raise CommandTimeout(argv, disk_health.PATIENCE)
        return answer(argv, **options)

    array.kernel.commands.run = smartctl  # type: ignore[method-assign]
    array.kernel.smart.reports["sdb"] = smart.sas()
    array.read_disks()
    assert disk(array)["health"]["message"].endswith("no answer within 60 s")
    assert "passed" not in disk(array)["health"]
    assert disk(array, "sdb")["health"]["passed"] is True


@pytest.mark.parametrize(
    ("report", "name", "severity", "text"),
    [
        (
            smart.sas(failing="TOO MANY BLOCK REASSIGNS"),
            "disk.failure.predicted",
            "alert",
            "predicts that it will fail: TOO MANY BLOCK REASSIGNS.",
        ),
        (smart.sas(used=90), "disk.wear", "notice", "has used 90 % of the writes"),
        (smart.sas(used=103), "disk.wear", "error", "has used 103 % of the writes"),
        (
            smart.sas(temperature=60),
            "disk.temperature",
            "alert",
            "is too hot: it may be damaged from 60 °C.",
        ),
    ],
)
def test_a_failing_disk_is_an_event_while_it_lasts(
    array: Simulator, clock: Clock, report: dict[str, Any], name: str, severity: str, text: str
) -> None:
    array.kernel.smart.reports["sda"] = smart.sas(used=89, temperature=59)
    array.read_disks()
    assert array.get(f"{EVENTS}?message.name=disk.*")["records"] == []
    array.kernel.smart.reports["sda"] = report
    clock.now += disk_reader.HEALTH_PERIOD
    array.read_disks()
    [event] = active(array, name)
    assert text in event["log_message"]
    assert "serial number SERIAL-sda" in event["log_message"]
    assert event["message"]["severity"] == severity
    array.start()
    array.settle()
    assert len(active(array, name)) == 1, "it lasts over a start, before anything is read"
    array.kernel.smart.reports["sda"] = smart.sas()
    clock.now += disk_reader.HEALTH_PERIOD
    array.read_disks()
    assert active(array, name) == []


def test_a_disk_that_was_taken_out_alarms_nobody_and_has_no_temperature(array: Simulator) -> None:
    array.kernel.smart.reports["sda"] = smart.sas(failing="TOO MANY BLOCK REASSIGNS")
    array.kernel.enclosures.attach(UID, 4, {1: "sda"})
    array.read_disks()
    name = disk(array)["name"]
    array.kernel.remove_disk("sda")
    array.reconciler.rescan()
    array.settle()
    record = array.get(f"{DISKS}/{name}?fields=**")
    assert record["state"] == "removed"
    assert (record["shelf"], record["bay"]) == ({"uid": UID}, 1), "where to look for it"
    assert not {"temperature", "location_led", "stats"} & record.keys()
    assert active(array, "disk.failure.predicted") == []


def test_shelves_are_shown_with_their_disks(array: Simulator) -> None:
    array.kernel.enclosures.attach(UID, 3, {0: "sda", 2: "sdb"})
    array.read_disks()
    [shelf] = array.get(f"{SHELVES}?fields=**")["records"]
    names = {name: disk(array, name)["name"] for name in ("sda", "sdb")}
    assert (shelf["uid"], shelf["disk_count"]) == (UID, 2)
    assert (shelf["manufacturer"], shelf["model"]) == ({"name": "FAKE"}, "JBOD24")
    assert shelf["bays"] == [
        {"id": 0, "has_disk": True, "disk": {"name": names["sda"]}, "state": "ok"},
        {"id": 1, "has_disk": False, "state": "ok"},
        {"id": 2, "has_disk": True, "disk": {"name": names["sdb"]}, "state": "ok"},
    ]
    assert (disk(array)["shelf"], disk(array)["bay"]) == ({"uid": UID}, 0)
    assert disk(array)["location_led"] == "off"


def test_a_disk_that_comes_is_found_in_its_bay_at_once(array: Simulator, clock: Clock) -> None:
    array.kernel.enclosures.attach(UID, 3, {0: "sda"})
    array.read_disks()
    array.kernel.add_disk("sdz")
    array.kernel.enclosures.attach(UID, 3, {1: "sdz"})
    array.reconciler.rescan()
    array.read_disks()
    assert disk(array, "sdz")["bay"] == 1


def test_a_disk_in_a_slot_of_the_machine_has_a_bay_and_no_shelf(array: Simulator) -> None:
    array.kernel.enclosures.put_in_slot(5, "nvme0n1")
    array.read_disks()
    record = disk(array, "nvme0n1")
    assert (record["bay"], record["location_led"]) == (5, "off")
    assert "shelf" not in record
    assert array.get(SHELVES)["records"] == []


def test_a_shelf_that_cannot_be_read_leaves_what_was_known(
    array: Simulator, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    array.kernel.enclosures.attach(UID, 1, {0: "sda"})
    array.read_disks()
    array.kernel.files.displace(f"{array.kernel.enclosures.bay(0, 0)}/device/block/sda")
    array.kernel.files.displace(f"{array.kernel.enclosures.bay(0, 0)}/device/block")
    slot = f"{array.kernel.enclosures.bay(0, 0)}/slot"
    read = array.kernel.files.read

    def failing(path: str) -> str:
        if path == slot:
            return read(f"{slot}/gone")
        return read(path)

    array.kernel.files.read = failing  # type: ignore[method-assign]
    clock.now += disk_reader.SHELVES_PERIOD
    array.read_disks()
    assert disk(array)["bay"] == 0
    assert "shelves are not read" in caplog.text


def test_a_disk_without_a_size_is_scanned_again_and_again(array: Simulator, clock: Clock) -> None:
    rescan = "/sys/block/sdx/device/rescan"
    array.kernel.files.place("/sys/block/sdx/size", Text("0\n"))
    for _ in range(2):
        array.kernel.files.place(rescan, Text(""))
        array.read_disks()
        assert array.kernel.files.read(rescan) == "1"
        clock.now += disk_reader.UNREADY_PERIOD
