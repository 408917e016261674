"""RAID groups are scrubbed by their schedule and by order, and nothing is repaired."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator
from standing_clock import Clock

AGGREGATES = "storage/aggregates"
DAY = 86400.0


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks."""
    return aggregate


def scrub(array: Simulator) -> dict[str, Any]:
    """Return the aggregate's scrub."""
    [record] = array.get(f"{AGGREGATES}?fields=scrub")["records"]
    return dict(record["scrub"])


def state(array: Simulator) -> str:
    """Return the state of the aggregate's scrub."""
    return str(scrub(array)["state"])


def md_does(array: Simulator) -> str:
    """Return md's present action."""
    [group] = array.kernel.storage.arrays.running.values()
    return str(group.activity)


def group(array: Simulator) -> str:
    """Return the name of the RAID group."""
    [name] = array.kernel.storage.arrays.running
    return name


def act(array: Simulator, action: str) -> None:
    """Order something of the aggregate's scrub."""
    array.do(
        "PATCH", f"{AGGREGATES}/{array.uuid_of(AGGREGATES, 'aggr1')}", {"scrub.action": action}
    )


def events(array: Simulator) -> list[str]:
    """Return the names of all events."""
    records = array.get("support/ems/events?fields=message.name&order_by=index")["records"]
    return [record["message"]["name"] for record in records]


def sunday(clock: Clock) -> None:
    """Let it be the next Sunday, at a quarter past midnight."""
    now = datetime.fromtimestamp(clock.now, UTC)
    days = (6 - now.weekday()) % 7 or 7
    midnight = now.replace(hour=0, minute=15, second=0, microsecond=0)
    clock.now = (midnight + timedelta(days=days)).timestamp() + 1


def test_a_scrub_begins_by_the_weekly_schedule_at_its_own_rate(
    array: Simulator, clock: Clock
) -> None:
    assert (state(array), scrub(array)["schedule"]["name"]) == ("idle", "weekly")
    sunday(clock)
    array.settle()
    assert (state(array), md_does(array)) == ("running", "check")
    md = f"/sys/block/{group(array)}/md"
    assert array.kernel.files.read(f"{md}/sync_speed_max") == "51200 (local)"

    array.kernel.storage.arrays.check_to(group(array), 420)
    array.settle()
    assert scrub(array)["percent"] == 42
    array.kernel.storage.arrays.finish_check(group(array))
    array.settle()
    assert (state(array), scrub(array)["last_mismatches"]) == ("idle", 0)
    assert datetime.fromisoformat(scrub(array)["last_time"]).timestamp() == int(clock.now)
    assert array.kernel.files.read(f"{md}/sync_speed_max") == "200000 (system)"
    assert md_does(array) == "idle"


def test_nothing_holds_up_the_changes_of_an_aggregate_that_is_scrubbed(array: Simulator) -> None:
    act(array, "start")
    path = f"{AGGREGATES}/{array.uuid_of(AGGREGATES, 'aggr1')}"
    array.do("PATCH", path, {"name": "renamed"})
    assert state(array) == "running"


def test_a_scrub_is_suspended_resumed_and_stopped(array: Simulator) -> None:
    act(array, "start")
    array.kernel.storage.arrays.check_to(group(array), 300)
    act(array, "suspend")
    assert (state(array), md_does(array), scrub(array)["percent"]) == ("suspended", "idle", 30)
    array.settle()
    assert md_does(array) == "idle"
    act(array, "resume")
    [running] = array.kernel.storage.arrays.running.values()
    assert (running.activity, running.completed) == ("check", "300 / 1000")
    act(array, "stop")
    assert (state(array), md_does(array)) == ("idle", "idle")
    assert "percent" not in scrub(array)
    array.settle()
    assert md_does(array) == "idle"


@pytest.mark.parametrize("action", ["stop", "suspend", "resume"])
def test_senseless_orders_are_refused(array: Simulator, action: str) -> None:
    path = f"{AGGREGATES}/{array.uuid_of(AGGREGATES, 'aggr1')}"
    answer = array.call("PATCH", path, {"scrub.action": action})
    assert answer.status_code == 409
    assert "is idle" in answer.get_json()["error"]["message"]


def test_mismatches_are_an_event_until_a_scrub_finds_none(array: Simulator) -> None:
    act(array, "start")
    array.kernel.storage.arrays.finish_check(group(array), mismatches=256)
    array.settle()
    assert scrub(array)["last_mismatches"] == 256
    assert "raid.scrub.mismatch" in events(array)
    assert not any("repair" in step for step in array.kernel.interrupt.log)
    act(array, "start")
    array.kernel.storage.arrays.finish_check(group(array))
    array.settle()
    assert scrub(array)["last_mismatches"] == 0
    assert "raid.scrub.mismatch.resolved" in events(array)


@pytest.mark.parametrize("cut", ["power", "process"])
def test_a_power_cut_costs_a_percent_at_most(array: Simulator, cut: str) -> None:
    act(array, "start")
    array.kernel.storage.arrays.check_to(group(array), 640, mismatches=8)
    array.settle()
    if cut == "power":
        array.reboot()
    else:
        array.start()
    array.settle()
    [running] = array.kernel.storage.arrays.running.values()
    assert (running.activity, running.completed) == ("check", "640 / 1000")
    assert scrub(array)["percent"] == 64
    array.kernel.storage.arrays.finish_check(group(array), 0 if cut == "power" else 8)
    array.settle()
    assert scrub(array)["last_mismatches"] == 8


def test_a_scrub_makes_way_for_a_rebuild(array: Simulator) -> None:
    act(array, "start")
    array.kernel.storage.arrays.check_to(group(array), 500)
    array.settle()
    arrays = array.kernel.storage.arrays
    arrays.rebuilds_slowly = True
    array.kernel.remove_disk("sdb")
    arrays.written(group(array))
    array.reconciler.rescan()
    array.settle()
    assert state(array) == "waiting"
    array.kernel.add_disk("sdb")
    array.reconciler.rescan()
    array.settle()
    assert (state(array), md_does(array)) == ("waiting", "recover")
    arrays.finish_rebuild(group(array))
    array.settle()
    [running] = arrays.running.values()
    assert (state(array), running.completed) == ("running", "500 / 1000")


def test_a_scrub_longer_than_a_week_is_overdue(array: Simulator, clock: Clock) -> None:
    act(array, "start")
    act(array, "suspend")
    clock.now += 6 * DAY
    array.settle()
    assert scrub(array)["overdue"] is False
    clock.now += 2 * DAY
    array.settle()
    assert scrub(array)["overdue"] is True
    assert "raid.scrub.overdue" in events(array)
    act(array, "resume")
    array.kernel.storage.arrays.finish_check(group(array))
    array.settle()
    assert scrub(array)["overdue"] is False
    assert "raid.scrub.overdue.resolved" in events(array)


def test_without_a_schedule_it_is_scrubbed_by_order_alone(array: Simulator, clock: Clock) -> None:
    path = f"{AGGREGATES}/{array.uuid_of(AGGREGATES, 'aggr1')}"
    array.do("PATCH", path, {"scrub.schedule.name": "none"})
    sunday(clock)
    array.settle()
    assert state(array) == "idle"
    act(array, "start")
    assert state(array) == "running"


def test_a_schedule_that_scrubs_go_by_stays(array: Simulator) -> None:
    array.do("POST", "cluster/schedules", {"name": "nightly", "cron": {"hours": [3]}})
    path = f"{AGGREGATES}/{array.uuid_of(AGGREGATES, 'aggr1')}"
    array.do("PATCH", path, {"scrub.schedule.name": "nightly"})
    uuid = array.uuid_of("cluster/schedules", "nightly")
    assert array.call("DELETE", f"cluster/schedules/{uuid}").status_code == 409
