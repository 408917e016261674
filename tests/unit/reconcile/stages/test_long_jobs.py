"""RAID groups whose disks are cleared first, as an administrator sees it meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import scenarios
from simulator import Simulator

from sanstone.core.database.store import reading, writing
from sanstone.core.long_jobs import LongJob
from sanstone.kernel import names
from sanstone.kernel.host import HostError, Target
from sanstone.reconcile.long_jobs.pool_work import PoolCreation
from sanstone.reconcile.stages import pools

LUN = {
    "svm.name": "svm1",
    "name": "/vol/vol1/lun9",
    "os_type": "linux",
    "space.size": scenarios.MIB,
}
SIX_DISKS = {"disk_count": 6, "raid_type": "raid_dp"}


@pytest.fixture
def slow(array: Simulator) -> Simulator:
    """An array that clears disks until `finish`."""
    array.tasks_run = False
    return array


def create(array: Simulator, name: str = "aggr1", **primary: Any) -> str:
    """Ask for an aggregate and return its job's UUID."""
    body = {"name": name, "block_storage": {"primary": SIX_DISKS | primary}}
    response = array.call("POST", "storage/aggregates", body)
    assert response.status_code == 202, response.get_data(as_text=True)
    return str(response.get_json()["job"]["uuid"])


def grow(array: Simulator, disks: int) -> str:
    """Ask for more disks of the aggregate and return the job's UUID."""
    (aggregate,) = array.get("storage/aggregates")["records"]
    body = {"block_storage": {"primary": {"disk_count": disks}}}
    response = array.call("PATCH", f"storage/aggregates/{aggregate['uuid']}", body)
    assert response.status_code == 202, response.get_data(as_text=True)
    return str(response.get_json()["job"]["uuid"])


def job(array: Simulator, uuid: str) -> dict[str, Any]:
    return array.get(f"cluster/jobs/{uuid}")


def finish(array: Simulator) -> None:
    """Let the started processes end."""
    array.tasks_run = True
    array.settle()


def orders(array: Simulator) -> list[LongJob]:
    """Return the rows of long jobs."""
    with reading(array.database) as session:
        rows = session.query(LongJob).all()
        session.expunge_all()
    return rows


def test_a_job_waits_for_a_process_that_ends_in_the_middle_of_a_turn(array: Simulator) -> None:
    """The turn has not seen its result yet, nor done the steps after it."""
    array.progress = array.work_off
    uuid = create(array)
    assert job(array, uuid)["state"] == "success"
    (aggregate,) = array.get("storage/aggregates?fields=state")["records"]
    assert aggregate["state"] == "online"


def test_a_job_fails_with_a_process_that_fails_in_the_middle_of_a_turn(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: PoolCreation) -> None:
        raise HostError("the disk {} is too small", "1.0.3")

    monkeypatch.setattr(PoolCreation, "run", refuse)
    array.progress = array.work_off
    record = job(array, create(array))
    assert record["state"] == "failure"
    assert record["error"]["message"] == 'Aggregate "aggr1": the disk 1.0.3 is too small'
    assert [each["message"] for each in record["error"]["arguments"]] == [
        'Aggregate "aggr1"',
        "1.0.3",
    ]


def test_others_are_served_while_disks_are_cleared(slow: Simulator) -> None:
    uuid = create(slow)
    slow.do("POST", "svm/svms", {"name": "svm1"})
    record = job(slow, uuid)
    assert (record["state"], record["message"]) == ("running", "RAID group 0 is created")
    with writing(slow.database) as session:
        for row in session.query(LongJob):
            row.percent = 40
    assert job(slow, uuid)["message"] == "RAID group 0 is created: 40 %"
    finish(slow)
    assert job(slow, uuid)["state"] == "success"
    (aggregate,) = slow.get("storage/aggregates?fields=state")["records"]
    assert aggregate["state"] == "online"
    assert orders(slow) == []


def test_groups_are_cleared_at_once(slow: Simulator) -> None:
    uuid = create(slow, disk_count=8, raid_size=4)
    assert len(orders(slow)) == 2
    messages = job(slow, uuid)["message"].split("; ")
    assert sorted(messages) == ["RAID group 0 is created", "RAID group 1 is created"]
    finish(slow)
    assert job(slow, uuid)["state"] == "success"


def test_a_job_continues_after_a_power_cut(slow: Simulator) -> None:
    uuid = create(slow)
    slow.reboot()
    slow.settle()
    assert job(slow, uuid)["state"] == "running"
    finish(slow)
    assert job(slow, uuid)["state"] == "success"


@pytest.mark.parametrize("restart", [Simulator.start, Simulator.reboot])
@pytest.mark.parametrize("zeroes_themselves", [True, False], ids=["raid-group", "pool"])
def test_an_aggregate_that_grows_serves_after_a_restart(
    array: Simulator, restart: Callable[[Simulator], None], zeroes_themselves: bool
) -> None:
    """Its RAID group is created, or its pool grows over it, at the restart."""
    create(array, disk_count=4, raid_size=4)
    scenarios.mapped_lun(array)
    targets = array.kernel.configfs.dump()
    if not zeroes_themselves:
        for name, disk in array.kernel.storage.disks.present.items():
            disk.zeroes_itself = False
            array.kernel.files.write(f"/sys/block/{name}/queue/write_zeroes_max_bytes", "0")
    array.tasks_run = False
    growing = grow(array, 8)
    restart(array)
    array.settle()
    assert job(array, growing)["state"] == "running"
    assert array.kernel.configfs.dump() == targets
    # But for the spares: it has taken the last one.
    assert array.get("support/ems/events?message.name=!raid.rg.spares.low")["records"] == []
    uuid = array.make("storage/luns", LUN)["uuid"]
    array.do("DELETE", f"storage/luns/{uuid}")
    finish(array)
    assert job(array, growing)["state"] == "success"


def test_a_failed_creation_fails_the_job_and_frees_the_disks(slow: Simulator) -> None:
    before = slow.dump()
    refusal = HostError("mdadm: the disk would not")
    slow.kernel.fail_when(lambda step: "superblocks" in step, refusal)
    uuid = create(slow)
    finish(slow)
    record = job(slow, uuid)
    assert record["state"] == "failure" and "the disk would not" in record["message"]
    assert slow.get("storage/aggregates")["num_records"] == 0
    assert orders(slow) == []
    slow.kernel.interrupt.clear()
    assert slow.dump() == before


def test_a_cancelled_job_is_taken_back(slow: Simulator) -> None:
    before = slow.dump()
    uuid = create(slow, disk_count=8, raid_size=4)
    slow.call("PATCH", f"cluster/jobs/{uuid}?action=cancel", {})
    slow.settle()
    record = job(slow, uuid)
    assert record["state"] == "failure" and "cancelled" in record["message"]
    assert slow.get("storage/aggregates")["num_records"] == 0
    finish(slow)
    assert slow.dump() == before
    assert orders(slow) == []


@pytest.mark.parametrize(
    ("action", "code"), [("cancel", "458784"), ("pause", "458783"), ("resume", "458776")]
)
def test_actions_that_a_job_does_not_have_are_refused(
    slow: Simulator, action: str, code: str
) -> None:
    uuid = create(slow)
    with writing(slow.database) as session:
        for row in session.query(LongJob):
            row.cancelable = False
    response = slow.call("PATCH", f"cluster/jobs/{uuid}?action={action}", {})
    assert response.status_code == 409
    assert response.get_json()["error"]["code"] == code


def test_a_job_that_has_ended_stays_as_it_is(array: Simulator) -> None:
    uuid = create(array)
    response = array.call("PATCH", f"cluster/jobs/{uuid}?action=cancel", {})
    assert response.get_json()["error"]["code"] == "458762"
    assert array.call("PATCH", f"cluster/jobs/{uuid}", {}).status_code == 400


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"disks": 7},
        {"disks": ["wwn:nobody's"]},
        {"number": "0"},
        {"number": 5000},
        {"aggregate": "../../etc"},
        {"raid_type": "raid9"},
    ],
)
def test_an_order_that_the_reconciler_cannot_have_given_is_refused(
    slow: Simulator, wrong: dict[str, Any]
) -> None:
    uuid = create(slow)
    with writing(slow.database) as session:
        for row in session.query(LongJob):
            row.data = row.data | wrong if wrong else {}
    log = len(slow.kernel.interrupt.log)
    finish(slow)
    assert "cannot be created" in job(slow, uuid)["message"]
    assert not any("mdadm" in step for step in slow.kernel.interrupt.log[log:])


def test_a_large_pool_is_checked_beside_the_passes(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "CHECKED_AT_ONCE", -1)
    create(array)
    array.tasks_run = False
    array.reboot()
    array.settle()
    array.do("POST", "svm/svms", {"name": "svm1"})
    (row,) = orders(array)
    assert row.message == "The pool's metadata are checked"
    (aggregate,) = array.get("storage/aggregates?fields=state")["records"]
    assert aggregate["state"] != "online"
    finish(array)
    (aggregate,) = array.get("storage/aggregates?fields=state")["records"]
    assert aggregate["state"] == "online"
    assert orders(array) == []
    array.settle()
    assert orders(array) == []


def test_an_aggregate_is_deleted_while_its_disks_are_cleared(slow: Simulator) -> None:
    before = slow.dump()
    create(slow)
    (aggregate,) = slow.get("storage/aggregates")["records"]
    slow.call("DELETE", f"storage/aggregates/{aggregate['uuid']}")
    finish(slow)
    assert slow.get("storage/aggregates")["num_records"] == 0
    assert slow.dump() == before
    assert orders(slow) == []


def test_a_half_created_pool_is_left_to_its_process(slow: Simulator) -> None:
    uuid = create(slow, disk_count=2, raid_type="raid1")
    [order] = orders(slow)
    mapper, device = slow.kernel.host.mapper, names.pool_device(order.data["aggregate"])
    mapper.create(device, "LVM-what it makes a pool of")
    mapper.load(device, [Target(0, 8, "linear", "8:0 0")])
    mapper.resume(device)
    slow.settle()
    assert job(slow, uuid)["state"] == "running"
    mapper.remove(device)
    finish(slow)
    assert job(slow, uuid)["state"] == "success"
