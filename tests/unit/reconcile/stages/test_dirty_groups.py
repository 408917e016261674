"""A RAID group that is dirty and degraded starts by an administrator's order alone."""

from __future__ import annotations

from typing import Any

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator
from standing_clock import Clock

AGGREGATES = "storage/aggregates"


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks."""
    return aggregate


@pytest.fixture
def cut(array: Simulator, clock: Clock) -> Simulator:
    """An array that lost its power while hosts wrote, and boots without a disk."""
    arrays = array.kernel.storage.arrays
    [name] = arrays.running
    arrays.leave_dirty(name)
    array.reboot()
    array.kernel.remove_disk("sdb")
    array.settle()
    clock.now += 60
    array.settle()
    return array


def aggregate_record(array: Simulator) -> dict[str, Any]:
    """Return the aggregate."""
    [record] = array.get(f"{AGGREGATES}?fields=**")["records"]
    return dict(record)


def start(array: Simulator, name: str) -> Any:
    """Order the aggregate to start all the same, and return the answer."""
    path = f"{AGGREGATES}/{aggregate_record(array)['uuid']}"
    return array.call("PATCH", path, {"forced_start.name": name})


def events(array: Simulator) -> list[str]:
    """Return the names of all events."""
    records = array.get("support/ems/events?fields=message.name&order_by=index")["records"]
    return [record["message"]["name"] for record in records]


def test_a_dirty_group_does_not_start_by_itself_and_gives_a_reason(cut: Simulator) -> None:
    assert aggregate_record(cut)["state"] == "offline"
    assert aggregate_record(cut)["block_storage"]["raid_groups"] == [
        {"number": 0, "state": "dirty"}
    ]
    assert "raid.dirty" in events(cut)


def test_its_disk_comes_back_and_it_starts(cut: Simulator) -> None:
    cut.kernel.add_disk("sdb")
    cut.reconciler.rescan()
    cut.settle()
    assert aggregate_record(cut)["state"] == "online"
    assert "raid.dirty.resolved" in events(cut)


def test_a_dirty_group_starts_by_order(cut: Simulator) -> None:
    assert start(cut, "aggr1").status_code < 300
    cut.settle()
    assert aggregate_record(cut)["state"] == "online"
    [group] = aggregate_record(cut)["block_storage"]["raid_groups"]
    assert (group["state"], group["missing_disks"]) == ("degraded", 1)


def test_the_order_counts_once(cut: Simulator, clock: Clock) -> None:
    start(cut, "aggr1")
    [name] = cut.kernel.storage.arrays.running
    cut.kernel.storage.arrays.leave_dirty(name)
    cut.reboot()
    cut.kernel.remove_disk("sdc")
    cut.settle()
    clock.now += 60
    cut.settle()
    assert aggregate_record(cut)["state"] == "offline"


def test_another_name_starts_nothing(cut: Simulator) -> None:
    answer = start(cut, "aggr2")
    assert answer.status_code == 409
    assert 'the name of the aggregate: "aggr1"' in answer.get_json()["error"]["message"]
    assert aggregate_record(cut)["state"] == "offline"


def test_a_running_group_takes_no_order(array: Simulator) -> None:
    assert start(array, "aggr1").status_code == 409
