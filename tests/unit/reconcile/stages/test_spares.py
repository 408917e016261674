"""Spares: they replace failed disks, and the API shows the redundancy that is left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator
from standing_clock import Clock

from fakes.disks import Foreign
from fakes.smart import sas
from sanstone.reconcile.stages.spares import ABSENCE
from sanstone.system import slot_report

AGGREGATES = "storage/aggregates"
AT_REST = 31.0
"""Seconds after a start from which disks are replaced."""


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks; two are spares."""
    return aggregate


@pytest.fixture(autouse=True)
def started(array: Simulator, clock: Clock) -> None:
    """Have the array run for a while."""
    clock.now += AT_REST


def look(array: Simulator, times: int = 3) -> None:
    """Have the reconciler look at the disks, as after a change that the kernel reports."""
    for _ in range(times):
        array.reconciler.rescan()
        array.settle()


def redundancy(array: Simulator) -> dict[str, Any]:
    """Return RAID groups and redundancy of the aggregate."""
    [record] = array.get(f"{AGGREGATES}?fields=**")["records"]
    return dict(record["block_storage"])


def members(array: Simulator) -> list[str]:
    """Return the names of the aggregate's disks."""
    return [disk["name"] for disk in redundancy(array)["primary"]["disks"]]


def disk(array: Simulator, name: str) -> dict[str, Any]:
    """Return a disk."""
    return array.get(f"storage/disks/{name}?fields=**")


def fail(array: Simulator, name: str) -> None:
    """Have a disk fail, and the array notice."""
    array.kernel.storage.fail_disk(disk(array, name)["path"].removeprefix("/dev/"))
    look(array)


def events(array: Simulator, name: str) -> list[str]:
    """Return the messages of the events of a kind, the oldest first."""
    path = f"support/ems/events?message.name={name}&fields=log_message&order_by=index"
    return [str(event["log_message"]) for event in array.get(path)["records"]]


def is_active(array: Simulator, name: str) -> bool:
    """Return whether a lasting event of a kind is there and has not ended."""
    return len(events(array, name)) > len(events(array, f"{name}.resolved"))


def set_option(array: Simulator, name: str, value: str) -> None:
    """Set one of the options of RAID."""
    array.do("PATCH", f"private/cli/storage/raid-options?name={name}", {"value": value})


def test_a_spare_takes_the_place_of_a_disk_that_failed(array: Simulator) -> None:
    array.kernel.storage.arrays.rebuilds_slowly = True
    fail(array, "1.0.2")
    assert members(array) == ["1.0.1", "1.0.7", "1.0.3", "1.0.4", "1.0.5", "1.0.6"]
    [text] = events(array, "raid.rg.recons.start")
    assert "spare disk 1.0.7 takes the place of disk 1.0.2, which failed" in text
    [group] = redundancy(array)["raid_groups"]
    assert (group["state"], group["resync_percent"]) == ("rebuilding", 10)
    [job] = array.get("cluster/jobs?state=running&fields=**")["records"]
    assert job["message"] == "RAID group 0 is rebuilt: 10 %"
    [name] = array.kernel.storage.arrays.running
    array.kernel.storage.arrays.finish_rebuild(name)
    look(array)
    assert redundancy(array)["raid_groups"][0]["state"] == "clean"
    assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "success"


def test_redundancy_is_shown(array: Simulator, clock: Clock) -> None:
    look(array)
    assert (redundancy(array)["tolerated_failures"], redundancy(array)["fitting_spares"]) == (2, 2)
    assert "degraded_since" not in redundancy(array)
    array.kernel.storage.arrays.rebuilds_slowly = True
    fail(array, "1.0.2")
    since = redundancy(array)["degraded_since"]
    assert (redundancy(array)["tolerated_failures"], redundancy(array)["fitting_spares"]) == (1, 1)
    [group] = redundancy(array)["raid_groups"]
    assert (group["tolerated_failures"], group["degraded_since"]) == (1, since)
    clock.now += 60
    array.recover()
    assert redundancy(array)["degraded_since"] == since
    [name] = array.kernel.storage.arrays.running
    array.kernel.storage.arrays.finish_rebuild(name)
    look(array)
    assert redundancy(array)["tolerated_failures"] == 2
    assert "degraded_since" not in redundancy(array)


def test_a_failed_disk_is_out_of_service_until_the_administrator_returns_it(
    array: Simulator,
) -> None:
    fail(array, "1.0.2")
    broken = disk(array, "1.0.2")
    assert (broken["state"], broken["container_type"]) == ("broken", "broken")
    assert broken["outage"]["persistently_failed"]
    assert broken["outage"]["reason"]["message"] == 'in aggregate "aggr1" it failed'
    assert is_active(array, "disk.failed")
    array.reboot()
    look(array)
    assert disk(array, "1.0.2")["state"] == "broken"
    response = array.call("PATCH", "storage/disks/1.0.2", {"erase": {"content": "x"}})
    assert response.status_code == 409
    array.do("PATCH", "storage/disks/1.0.2", {"outage": {"persistently_failed": False}})
    look(array)
    assert not is_active(array, "disk.failed")
    content = disk(array, "1.0.2")["content"]
    array.do("PATCH", "storage/disks/1.0.2", {"erase": {"content": content}})
    look(array)
    assert disk(array, "1.0.2")["container_type"] == "spare"


def test_nobody_takes_a_disk_out_of_service_that_works(array: Simulator) -> None:
    body = {"outage": {"persistently_failed": True}}
    assert array.call("PATCH", "storage/disks/1.0.7", body).status_code == 400


def test_a_second_failure_has_the_second_spare(array: Simulator) -> None:
    array.kernel.storage.arrays.rebuilds_slowly = True
    fail(array, "1.0.2")
    fail(array, "1.0.3")
    assert members(array) == ["1.0.1", "1.0.7", "1.0.8", "1.0.4", "1.0.5", "1.0.6"]
    assert redundancy(array)["tolerated_failures"] == 0
    [name] = array.kernel.storage.arrays.running
    array.kernel.storage.arrays.finish_rebuild(name)
    look(array)
    assert redundancy(array)["raid_groups"][0]["state"] == "clean"
    assert is_active(array, "raid.rg.spares.low")


def test_a_spare_that_fails_is_replaced_by_the_next(array: Simulator) -> None:
    array.kernel.storage.arrays.rebuilds_slowly = True
    fail(array, "1.0.2")
    fail(array, "1.0.7")
    assert members(array) == ["1.0.1", "1.0.8", "1.0.3", "1.0.4", "1.0.5", "1.0.6"]
    assert disk(array, "1.0.7")["state"] == "broken"


def test_without_a_spare_the_next_one_is_taken_as_soon_as_it_is_there(array: Simulator) -> None:
    for name in ("1.0.2", "1.0.3", "1.0.4"):
        fail(array, name)
    assert "1.0.4" in members(array)
    assert disk(array, "1.0.4")["state"] == "broken"
    [*_, text] = events(array, "raid.rg.spares.low")
    assert "no spare disk fits" in text
    new = replace(array.kernel.storage.disks.present["sda"], name="sdz", serial="NEW", wwn="0x5")
    array.kernel.storage.disks.plug(replace(new, superblock=None, foreign=[]))
    look(array)
    assert "1.0.4" not in members(array)
    assert redundancy(array)["raid_groups"][0]["state"] == "clean"


@pytest.mark.parametrize(
    ("other", "fits"),
    [
        ({"logical_block_size": 4096}, False),
        ({"transport": "iscsi"}, False),
        ({"rotational": True}, False),
        ({"size": 1024**3}, False),
        ({"foreign": [Foreign("ext4", "data")]}, False),
        ({"size": 2 * 1024**4}, True),
    ],
)
def test_only_a_disk_that_fits_is_taken(
    array: Simulator, other: dict[str, Any], fits: bool
) -> None:
    present = array.kernel.storage.disks.present
    for name in ("1.0.7", "1.0.8"):
        kernels = disk(array, name)["path"].removeprefix("/dev/")
        for key, value in other.items():
            setattr(present[kernels], key, value)
        array.kernel.storage.disks.plug(present[kernels])
    look(array)
    assert is_active(array, "raid.rg.spares.low") is not fits
    fail(array, "1.0.2")
    assert ("1.0.7" in members(array)) is fits


def test_the_smallest_spare_that_fits_is_taken(array: Simulator) -> None:
    larger = array.kernel.storage.disks.present["sdg"]
    larger.size *= 2
    array.kernel.storage.disks.plug(larger)
    look(array)
    fail(array, "1.0.2")
    assert "1.0.8" in members(array)


def test_a_disk_that_was_pulled_is_waited_for(array: Simulator, clock: Clock) -> None:
    array.kernel.remove_disk("sdb")
    look(array)
    clock.now += ABSENCE - 1
    look(array)
    assert "1.0.2" in members(array)
    array.kernel.add_disk("sdb")
    look(array)
    assert redundancy(array)["raid_groups"][0]["state"] == "clean"
    clock.now += ABSENCE
    look(array)
    assert "1.0.2" in members(array)
    assert events(array, "raid.rg.recons.start") == []


def test_a_disk_that_stays_away_is_replaced(array: Simulator, clock: Clock) -> None:
    array.kernel.remove_disk("sdb")
    look(array)
    clock.now += ABSENCE
    look(array)
    assert "1.0.7" in members(array)
    [text] = events(array, "raid.rg.recons.start")
    assert "disk 1.0.2, which has been missing for 5 minutes" in text
    array.kernel.add_disk("sdb")
    look(array)
    assert disk(array, "1.0.2")["container_type"] == "foreign"
    assert redundancy(array)["raid_groups"][0]["state"] == "clean"


def test_nothing_is_replaced_in_the_first_seconds_after_a_boot(
    array: Simulator, clock: Clock
) -> None:
    array.reboot()
    array.settle()
    fail(array, "1.0.2")
    assert "1.0.2" in members(array)
    clock.now += AT_REST
    look(array)
    assert "1.0.7" in members(array)


def test_a_group_that_has_lost_too_much_is_left_alone(array: Simulator, clock: Clock) -> None:
    for name in ("sda", "sdb", "sdc"):
        array.kernel.remove_disk(name)
    look(array)
    clock.now += 2 * ABSENCE
    look(array)
    assert members(array) == [f"1.0.{number}" for number in range(1, 7)]


def test_an_administrator_may_have_none_replaced(array: Simulator) -> None:
    set_option(array, "raid.reconstruct.auto.enable", "off")
    fail(array, "1.0.2")
    assert "1.0.2" in members(array)
    set_option(array, "raid.reconstruct.auto.enable", "on")
    look(array)
    assert "1.0.7" in members(array)


def test_an_array_without_spares_by_choice_raises_no_event(array: Simulator) -> None:
    set_option(array, "raid.min_spare_count", "3")
    look(array)
    [text] = events(array, "raid.rg.spares.low")
    assert text == 'Aggregate "aggr1": only 2 of the 3 spare disks fit that it should have.'
    set_option(array, "raid.min_spare_count", "0")
    look(array)
    assert not is_active(array, "raid.rg.spares.low")
    path = "private/cli/storage/raid-options?name=raid.min_spare_count"
    assert array.call("PATCH", path, {"value": "5"}).status_code == 400


def test_on_trial_nothing_is_replaced(array: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_report, "on_trial", lambda: True)
    fail(array, "1.0.2")
    assert "1.0.2" in members(array)


def predict_failure(array: Simulator, name: str) -> None:
    """Have a disk say that it will fail, and the array read that."""
    kernels = disk(array, name)["path"].removeprefix("/dev/")
    array.kernel.smart.reports[kernels] = sas(failing="data error rate too high")
    array.read_disks()
    array.disk_reader._due.clear()
    look(array)


def test_a_disk_that_predicts_its_failure_is_copied(array: Simulator) -> None:
    predict_failure(array, "1.0.2")
    assert "1.0.7" in members(array)
    [text] = events(array, "raid.rg.diskcopy.start")
    assert "takes the place of disk 1.0.2, which predicts that it will fail" in text
    log = [step for step in array.kernel.interrupt.log if "--replace" in step]
    assert len(log) == 1
    assert events(array, "raid.degraded") == []
    assert redundancy(array)["tolerated_failures"] == 2
    assert disk(array, "1.0.2")["state"] == "broken"
    assert redundancy(array)["fitting_spares"] == 1


def test_the_copy_goes_on_while_the_disk_works(array: Simulator) -> None:
    """A disk that predicts its failure waits for its group to be whole, and for others of it."""
    array.kernel.storage.arrays.rebuilds_slowly = True
    fail(array, "1.0.3")
    predict_failure(array, "1.0.2")
    assert "1.0.2" in members(array)
    [name] = array.kernel.storage.arrays.running
    array.kernel.storage.arrays.finish_rebuild(name)
    look(array)
    assert "1.0.2" not in members(array)


def test_a_spare_that_predicts_its_failure_is_none(array: Simulator) -> None:
    predict_failure(array, "1.0.7")
    assert redundancy(array)["fitting_spares"] == 1
    fail(array, "1.0.2")
    assert "1.0.8" in members(array)


def test_an_administrator_may_have_none_copied(array: Simulator) -> None:
    set_option(array, "raid.disk.copy.auto.enable", "off")
    predict_failure(array, "1.0.2")
    assert "1.0.2" in members(array)
