"""A RAID group is widened by a disk while it serves, and the pool takes its space in."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator

AGGREGATES = "storage/aggregates"


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks; two are spares."""
    return aggregate


def aggregate_record(array: Simulator) -> dict[str, Any]:
    """Return the aggregate."""
    [record] = array.get(f"{AGGREGATES}?fields=**")["records"]
    return dict(record)


def widen(array: Simulator, count: int, group: str = "rg0", options: str = "") -> Any:
    """Have a RAID group be spread over more disks, and return the answer."""
    body = {"block_storage.primary": {"disk_count": count, "raid_group": group}}
    return array.call("PATCH", f"{AGGREGATES}/{aggregate_record(array)['uuid']}{options}", body)


def size(array: Simulator) -> int:
    """Return the size of the aggregate."""
    return int(aggregate_record(array)["space"]["block_storage"]["size"])


def test_the_space_of_a_disk_is_added(array: Simulator) -> None:
    before = size(array)
    assert widen(array, 7).status_code < 300
    array.settle()
    assert aggregate_record(array)["block_storage"]["primary"]["disk_count"] == 7
    [group] = aggregate_record(array)["block_storage"]["raid_groups"]
    assert group["state"] == "clean"
    assert size(array) > before * 1.2


def test_progress_is_shown_and_the_pool_grows_at_the_end(array: Simulator) -> None:
    arrays, before = array.kernel.storage.arrays, size(array)
    [name] = arrays.running
    arrays.reshapes_slowly = True
    job = widen(array, 7).get_json()["job"]["uuid"]
    arrays.reshape_to(name, 250)
    array.settle()
    [group] = aggregate_record(array)["block_storage"]["raid_groups"]
    assert (group["state"], group["resync_percent"]) == ("reshaping", 25)
    assert group["seconds_left"] == 187
    running = array.get(f"cluster/jobs/{job}")
    assert (running["state"], running["message"]) == ("running", "RAID group 0 is widened: 25 %")
    assert array.call("PATCH", f"cluster/jobs/{job}?action=cancel").status_code >= 400
    assert (size(array), aggregate_record(array)["state"]) == (before, "online")

    arrays.finish_reshape(name)
    array.settle()
    assert array.get(f"cluster/jobs/{job}")["state"] == "success"
    assert size(array) > before * 1.2


@pytest.mark.parametrize("cut", ["power", "process"])
def test_a_reshape_that_was_cut_goes_on(array: Simulator, cut: str) -> None:
    arrays = array.kernel.storage.arrays
    arrays.reshapes_slowly = True
    [name] = arrays.running
    job = widen(array, 8).get_json()["job"]["uuid"]
    arrays.reshape_to(name, 500)
    if cut == "power":
        array.reboot()
    else:
        array.start()
    array.settle()
    assert aggregate_record(array)["state"] == "online"
    arrays = array.kernel.storage.arrays
    arrays.reshape_to(name, 750)
    array.settle()
    assert array.get(f"cluster/jobs/{job}")["progress"]["percent"] == 75
    arrays.finish_reshape(name)
    array.settle()
    assert array.get(f"cluster/jobs/{job}")["state"] == "success"
    assert aggregate_record(array)["block_storage"]["primary"]["disk_count"] == 8


def test_a_scrub_makes_way_for_it(array: Simulator) -> None:
    path = f"{AGGREGATES}/{aggregate_record(array)['uuid']}"
    array.do("PATCH", path, {"scrub.action": "start"})
    arrays = array.kernel.storage.arrays
    arrays.reshapes_slowly = True
    [name] = arrays.running
    assert widen(array, 7).status_code < 300
    array.settle()
    assert aggregate_record(array)["scrub"]["state"] == "waiting"
    assert arrays.running[name].activity == "reshape"
    arrays.finish_reshape(name)
    array.settle()
    assert aggregate_record(array)["scrub"]["state"] == "running"


def test_simulated_it_changes_nothing(array: Simulator) -> None:
    answer = widen(array, 7, options="?simulate=true")
    assert answer.status_code == 200, answer.get_data(as_text=True)
    assert "cannot be cancelled" in str(answer.get_json()["warnings"])
    [record] = answer.get_json()["records"]
    assert record["block_storage"]["primary"]["disk_count"] == 7
    assert record["space"]["block_storage"]["size"] > size(array)
    assert aggregate_record(array)["block_storage"]["primary"]["disk_count"] == 6


@pytest.mark.parametrize(
    ("count", "group", "reason"),
    [
        (7, "rg1", "no RAID group rg1"),
        (5, "rg0", "Disks cannot be taken out"),
        (9, "rg0", "3 spare disks"),
        (28, "rg0", "above its raid_size of 16"),
    ],
)
def test_impossible_widths_are_refused(
    array: Simulator, count: int, group: str, reason: str
) -> None:
    answer = widen(array, count, group)
    assert answer.status_code in (400, 409)
    assert reason in answer.get_json()["error"]["message"]


def test_as_many_disks_as_there_are_change_nothing(array: Simulator) -> None:
    """So a task of Ansible can run again."""
    widen(array, 7)
    steps = len(array.kernel.interrupt.log)
    assert widen(array, 7).status_code < 300
    assert not any("mdadm" in step for step in array.kernel.interrupt.log[steps:])


def test_a_degraded_group_is_not_widened(array: Simulator) -> None:
    array.kernel.remove_disk("sdb")
    array.reconciler.rescan()
    array.settle()
    answer = widen(array, 7)
    assert answer.status_code == 409
    assert "it is widened when it is whole" in answer.get_json()["error"]["message"]
