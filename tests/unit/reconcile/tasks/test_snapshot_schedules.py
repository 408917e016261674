"""Snapshots by the policy of a volume."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from scenarios import chain, lun, pool
from simulator import NODE_UUID, Simulator

from sanstone.reconcile.tasks import snapshot_schedules
from sanstone.system import slot_report

VOLUMES, GROUPS = "storage/volumes", "application/consistency-groups"
HOUR = 3600.0
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC).timestamp()


def at(array: Simulator, moment: float) -> list[str]:
    """Let the array be at a moment; return the names of the volume's snapshots."""
    snapshot_schedules.run(array.database, NODE_UUID, moment)
    array.settle()
    [volume] = array.get(VOLUMES)["records"]
    return [row["name"] for row in array.get(f"{VOLUMES}/{volume['uuid']}/snapshots")["records"]]


def with_policy(array: Simulator, count: int, **more: str) -> None:
    """Give the volume a policy that keeps `count` hourly snapshots."""
    chain(pool, lun)(array)
    copies = [{"schedule": "hourly", "count": count, "prefix": "h"} | more]
    array.do("POST", "storage/snapshot-policies", {"name": "p", "copies": copies})
    [volume] = array.get(VOLUMES)["records"]
    array.do("PATCH", f"{VOLUMES}/{volume['uuid']}", {"snapshot_policy": {"name": "p"}})


def test_snapshots_are_taken_when_due_and_the_oldest_are_deleted(array: Simulator) -> None:
    # Other clocks than the scheduler's decide here, so its reading of the real one goes.
    with_policy(array, 2)
    array.settle()
    start = NOON + 365 * 24 * HOUR
    snapshots = [at(array, start + hours * HOUR) for hours in range(4)]
    names = [f"h.2027-11-21_{hour}05" for hour in (11, 12, 13, 14)]
    assert snapshots == [names[:1], names[:2], names[1:3], names[2:]]
    assert at(array, start + 3 * HOUR + 60) == names[2:], "the same moment counts once"


def test_a_consistency_groups_volumes_get_snapshots_together(array: Simulator) -> None:
    chain(pool, lun)(array)
    [volume] = array.get(VOLUMES)["records"]
    array.make(VOLUMES, {"name": "vol2", "svm.name": "svm1", "size": "1GB"})
    copies = [{"schedule": "hourly", "count": 2, "prefix": "h"}]
    array.do("POST", "storage/snapshot-policies", {"name": "p", "copies": copies})
    body = {"svm.name": "svm1", "name": "g", "volumes": [{"name": "vol2"}, {"name": "vol1"}]}
    group = array.make(GROUPS, body | {"snapshot_policy": {"name": "p"}})
    array.settle()
    start = NOON + 365 * 24 * HOUR
    snapshots = []
    for hours in range(4):
        snapshot_schedules.run(array.database, NODE_UUID, start + hours * HOUR)
        array.settle()
        rows = array.get(f"{GROUPS}/{group['uuid']}/snapshots?fields=volumes")["records"]
        assert all({v["name"] for v in row["volumes"]} == {"vol1", "vol2"} for row in rows)
        snapshots.append([row["name"] for row in rows])
    names = [f"h.2027-11-21_{hour}05" for hour in (11, 12, 13, 14)]
    assert snapshots == [names[:1], names[:2], names[1:3], names[2:]]
    of_volume = array.get(f"{VOLUMES}/{volume['uuid']}/snapshots")["records"]
    assert [row["name"] for row in of_volume] == names[2:]


def test_a_release_on_trial_takes_and_deletes_none(array: Simulator) -> None:
    with_policy(array, 1)
    array.settle()
    start = NOON + 365 * 24 * HOUR
    before = at(array, start)
    slots = {"a": {"is_current": False, "trial": False}, "b": {"is_current": True, "trial": True}}
    slot_report.state_path().write_text(json.dumps(slots))
    assert at(array, start + HOUR) == before
    slot_report.state_path().unlink()
    assert at(array, start + HOUR) == ["h.2027-11-21_1205"], "what was missed is made up for"


def test_a_retained_snapshot_stays_beyond_the_count(array: Simulator) -> None:
    with_policy(array, 1, retention_period="PT2H")
    array.settle()
    start = NOON + 365 * 24 * HOUR
    snapshots = [at(array, start + hours * HOUR) for hours in range(4)]
    assert [len(names) for names in snapshots] == [1, 2, 2, 2]
    assert snapshots[-1] == ["h.2027-11-21_1305", "h.2027-11-21_1405"]
    [volume] = array.get(VOLUMES)["records"]
    place = f"{VOLUMES}/{volume['uuid']}/snapshots"
    [newest] = array.get(f"{place}?name={snapshots[-1][-1]}&fields=expiry_time")["records"]
    assert newest["expiry_time"] == "2027-11-21T17:00:00+00:00"
    assert (
        array.call("DELETE", f"{place}/{newest['uuid']}").get_json()["error"]["code"] == "1638555"
    )


def test_missed_moments_give_one_snapshot(array: Simulator) -> None:
    with_policy(array, 9)
    array.settle()
    start = NOON + 365 * 24 * HOUR
    assert len(at(array, start)) == 1
    assert len(at(array, start + 7 * HOUR)) == 2


def test_a_failed_snapshot_is_an_event(array: Simulator) -> None:
    with_policy(array, 2)
    array.settle()
    [volume] = array.get(VOLUMES)["records"]
    start = NOON + 365 * 24 * HOUR
    clash = {"name": "h.2027-11-21_1105"}
    array.do("POST", f"{VOLUMES}/{volume['uuid']}/snapshots", clash)
    assert at(array, start) == [clash["name"]]
    events = array.get("support/ems/events?message.name=snapshot.schedule.failed")
    assert events["num_records"] == 1


def test_no_policy_no_snapshots(array: Simulator) -> None:
    chain(pool, lun)(array)
    start = NOON + 365 * 24 * HOUR
    assert [at(array, start + hours * HOUR) for hours in range(2)] == [[], []]
