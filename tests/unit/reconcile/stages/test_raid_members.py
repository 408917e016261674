"""Members of RAID groups: their state in the API, and pulled ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scenarios import aggregate
from simulator import Begin, Simulator
from sqlalchemy import select

from fakes.disks import FakeDisk
from sanstone.core.database import store
from sanstone.core.database.change import DISK, Removal
from sanstone.kernel.host import CommandError
from sanstone.model.aggregates import Aggregate

AGGREGATES = "storage/aggregates"
UUID = "77777777-7777-4777-8777-777777777777"


@pytest.fixture
def begin() -> Begin:
    """An aggregate of six disks; two are spares."""
    return aggregate


def aggregate_record(array: Simulator) -> dict[str, Any]:
    """Return the aggregate."""
    [record] = array.get(f"{AGGREGATES}?fields=**")["records"]
    return dict(record)


def look(array: Simulator) -> None:
    """Have the reconciler look at the disks, as after a change that the kernel reports."""
    array.reconciler.rescan()
    array.settle()


def alerts(array: Simulator) -> list[str]:
    """Return the names of the alerts of now, without those that have ended."""
    events = array.get("support/ems/events?fields=message.name&order_by=index")["records"]
    names = [event["message"]["name"] for event in events]
    return [n for n in names if f"{n}.resolved" not in names and not n.endswith(".resolved")]


def test_larger_sectors_are_an_event_while_the_group_has_smaller_ones(array: Simulator) -> None:
    assert aggregate_record(array)["block_storage"]["primary"]["bytes_per_sector"] == 512
    array.kernel.storage.disks.present["sdb"].logical_block_size = 4096
    look(array)
    assert aggregate_record(array)["block_storage"]["primary"]["bytes_per_sector"] == 512
    assert "raid.sectors" in alerts(array)


def disk(array: Simulator, name: str) -> dict[str, Any]:
    """Return a disk."""
    return array.get(f"storage/disks/{name}?fields=**")


def replaced(array: Simulator, spare: str) -> dict[str, Any]:
    """Put a spare in the place of the second disk, and return the job when it has ended."""
    names = [each["name"] for each in aggregate_record(array)["block_storage"]["primary"]["disks"]]
    disks = [spare if name == "1.0.2" else name for name in names]
    body = {"block_storage": {"primary": {"disks": disks}}}
    answer = array.call("PATCH", f"{AGGREGATES}/{aggregate_record(array)['uuid']}", body).get_json()
    job: dict[str, Any] = array.get(f"cluster/jobs/{answer['job']['uuid']}")
    return job


def pull(array: Simulator, *, busy: bool) -> None:
    """Pull the second disk of the aggregate, and have the array notice."""
    array.kernel.remove_disk(disk(array, "1.0.2")["path"].removeprefix("/dev/"))
    if busy:
        [name] = array.kernel.storage.arrays.running
        array.kernel.storage.arrays.written(name)
    look(array)


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "written to"])
def test_a_disk_that_was_pulled_seconds_ago_is_replaced(array: Simulator, busy: bool) -> None:
    arrays = array.kernel.storage.arrays
    pull(array, busy=busy)
    assert (disk(array, "1.0.2")["state"], aggregate_record(array)["state"]) == (
        "removed",
        "online",
    )
    assert "raid.degraded" in alerts(array)
    [raid_group] = arrays.running.values()
    assert (raid_group.slots.count(None), raid_group.faulty) == (1, [])

    arrays.rebuilds_slowly = True
    job = replaced(array, "1.0.7")
    assert (job["state"], job["progress"]) == ("running", {"percent": 10}), job
    assert job["message"] == "RAID group 0 is rebuilt: 10 %"
    [group] = aggregate_record(array)["block_storage"]["raid_groups"]
    assert (group["state"], group["resync_percent"]) == ("rebuilding", 10)
    assert "raid.degraded" in alerts(array)

    [name] = arrays.running
    arrays.finish_rebuild(name)
    look(array)
    assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "success"
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "clean"
    assert "raid.degraded" not in alerts(array)
    assert disk(array, "1.0.7")["container_type"] == "aggregate"


def test_the_job_of_a_replacement_survives_kills(array: Simulator) -> None:
    arrays = array.kernel.storage.arrays
    pull(array, busy=True)
    arrays.rebuilds_slowly = True
    job = replaced(array, "1.0.7")
    [name] = arrays.running
    arrays.rebuild_to(name, 550)
    look(array)
    path = f"cluster/jobs/{job['uuid']}"
    assert array.get(path)["progress"]["percent"] == 55
    array.recover()
    assert (array.get(path)["state"], array.get(path)["progress"]["percent"]) == ("running", 55)
    arrays.finish_rebuild(name)
    look(array)
    assert array.get(path)["state"] == "success"


def test_a_rebuild_that_no_job_began_holds_up_none(array: Simulator) -> None:
    pull(array, busy=True)
    array.kernel.storage.arrays.rebuilds_slowly = True
    array.kernel.add_disk("sdb")
    look(array)
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "rebuilding"
    array.do("PATCH", f"{AGGREGATES}/{aggregate_record(array)['uuid']}", {"name": "renamed"})


def test_a_disk_that_fails_while_it_is_rebuilt_fails_the_job(array: Simulator) -> None:
    pull(array, busy=True)
    array.kernel.storage.arrays.rebuilds_slowly = True
    job = replaced(array, "1.0.7")
    array.kernel.storage.fail_disk(disk(array, "1.0.7")["path"].removeprefix("/dev/"))
    look(array)
    ended = array.get(f"cluster/jobs/{job['uuid']}")
    assert ended["state"] == "failure"
    assert "failed while it was rebuilt" in ended["error"]["message"]


def test_a_change_stays_that_md_goes_on_with(array: Simulator) -> None:
    """Another failure beside it takes nothing back: the replaced disk is gone."""
    pull(array, busy=True)
    array.kernel.storage.arrays.rebuilds_slowly = True
    refusal = CommandError(["mdadm"], 1, "mdadm: no")
    array.kernel.fail_when(lambda step: "--remove" in step, refusal)
    replaced(array, "1.0.7")
    array.kernel.interrupt.clear()
    look(array)
    assert disk(array, "1.0.7")["container_type"] == "aggregate"
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "rebuilding"


def test_a_disk_that_is_to_be_cleared_comes_back_to_its_aggregate(array: Simulator) -> None:
    """A release before took the change back although md was rebuilding onto the disk."""
    pull(array, busy=True)
    path = disk(array, "1.0.7")["path"]
    [name] = array.kernel.storage.arrays.running
    with store.writing(array.database) as session:
        [aggregate] = session.scalars(select(Aggregate))
        data = {"uuid": aggregate.uuid, "raid_type": "raid_dp", "number": 0}
        data |= {"groups": [[disk(array, "1.0.7")["uid"]]]}
        session.add(Removal(uuid=UUID, kind=DISK, owner=aggregate.owner, data=data))
    array.kernel.host.commands.run(["mdadm", "--manage", f"/dev/{name}", "--add", path])
    look(array)
    assert disk(array, "1.0.7")["state"] == "zeroing"
    job = replaced(array, "1.0.7")
    assert job["state"] == "success", job
    assert (disk(array, "1.0.7")["state"], disk(array, "1.0.7")["container_type"]) == (
        *("present", "aggregate"),
    )
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "clean"


def stranger(array: Simulator, of: str) -> FakeDisk:
    """Plug a disk in that has the world-wide name of another, and return it."""
    own = array.kernel.storage.disks.present[of]
    alien = replace(own, name="sdz", serial="ALIEN", superblock=None, foreign=[])
    array.kernel.storage.disks.plug(alien)
    look(array)
    return alien


def last_message(array: Simulator, name: str) -> str:
    """Return the message of the last event of a kind."""
    events = array.get(f"support/ems/events?message.name={name}&fields=log_message")["records"]
    return str(events[-1]["log_message"])


@pytest.mark.parametrize("boots", [False, True], ids=["running", "after a boot"])
def test_a_stranger_with_a_members_name_costs_no_member(array: Simulator, boots: bool) -> None:
    stranger(array, "sdb")
    if boots:
        array.reboot()
        array.settle()
    assert aggregate_record(array)["state"] == "online"
    [group] = aggregate_record(array)["block_storage"]["raid_groups"]
    assert (group["state"], group["missing_disks"]) == ("clean", 0)
    assert disk(array, "1.0.2")["state"] == "present"
    text = last_message(array, "disk.identity")
    assert "/dev/sdz (FAKE DISK ALIEN)" in text
    assert 'disk 1.0.2 of aggregate "aggr1"' in text
    assert array.kernel.storage.disks.present["sdz"].superblock is None


def test_a_stranger_is_not_taken_for_a_member_that_is_late(array: Simulator) -> None:
    stranger(array, "sdb")
    array.reboot()
    array.kernel.remove_disk("sdb")
    array.settle()
    assert disk(array, "1.0.2")["state"] == "removed"
    assert disk(array, "1.0.2")["serial_number"] == "SERIAL-sdb"
    assert array.kernel.storage.disks.present["sdz"].superblock is None
    array.kernel.add_disk("sdb")
    look(array)
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "clean"


def test_the_serial_number_tells_a_member_from_its_copy(array: Simulator) -> None:
    copy = stranger(array, "sdb")
    own = array.kernel.storage.disks.present["sdb"].superblock
    assert own is not None
    copy.superblock = replace(own)
    array.reboot()
    array.settle()
    assert disk(array, "1.0.2")["path"] == "/dev/sdb"
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "clean"


def test_each_disk_by_a_second_path_is_the_same_disk(array: Simulator) -> None:
    disks = array.kernel.storage.disks
    for number, own in enumerate([d for d in disks.present.values() if d.transport == "sas"]):
        disks.plug(replace(own, name=f"sdx{chr(ord('a') + number)}"))
    look(array)
    assert "disk.paths" in alerts(array)
    array.reboot()
    array.settle()
    assert aggregate_record(array)["state"] == "online"
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "clean"
    assert len(array.get("storage/disks?container_type=aggregate")["records"]) == 6


def test_the_second_path_takes_over_when_the_first_is_gone(array: Simulator) -> None:
    disks = array.kernel.storage.disks
    disks.plug(replace(disks.present["sdb"], name="sdz"))
    look(array)
    array.kernel.remove_disk("sdb")
    look(array)
    assert disk(array, "1.0.2")["path"] == "/dev/sdz"
    assert aggregate_record(array)["block_storage"]["raid_groups"][0]["state"] == "clean"
