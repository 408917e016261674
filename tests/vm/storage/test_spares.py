"""A spare disk steps in while a host writes, and the host reads its data."""

from __future__ import annotations

from provisioned import AGGREGATE_DISKS

from lab.administrator import Administrator, Record
from lab.patience import eventually
from lab.station import Array, Host

AGGREGATES, DISKS, EVENTS = "storage/aggregates", "storage/disks", "support/ems/events"
WRITES = (
    "fio --name=writes --filename={disk} --rw=randwrite --bs=16k --size=48m --rate_iops=50 "
    "--direct=1 --ioengine=libaio --iodepth=4 --verify=crc32c --verify_fatal=1"
)
"""It writes each block once, for a minute at least, and then reads all of them."""


def aggregate(admin: Administrator) -> Record:
    """Return the aggregate."""
    [record] = admin.api.get(AGGREGATES, name=admin.aggregate, fields="**")["records"]
    return dict(record["block_storage"])


def members(admin: Administrator) -> list[str]:
    """Return the names of its disks."""
    return [str(disk["name"]) for disk in aggregate(admin)["primary"]["disks"]]


def disk_named(admin: Administrator, name: str) -> Record:
    """Return a disk."""
    return dict(admin.api.get(f"{DISKS}/{name}", fields="**"))


def is_whole(admin: Administrator) -> bool:
    """Return whether the RAID group has all of its disks, and their data are there."""
    return bool(aggregate(admin)["tolerated_failures"] == 2)


def use_again(admin: Administrator, name: str) -> None:
    """Have a disk that failed be a spare."""
    admin.api.patch(f"{DISKS}/{name}", {"outage": {"persistently_failed": False}})
    eventually(lambda: bool(disk_named(admin, name)["container_type"] == "foreign"))
    content = disk_named(admin, name)["content"]
    admin.api.patch(f"{DISKS}/{name}", {"erase": {"content": content}})
    eventually(lambda: bool(disk_named(admin, name)["container_type"] == "spare"))


def test_a_spare_steps_in_under_writes(
    admin: Administrator, array: Array, host: Host, disk: str
) -> None:
    eventually(lambda: is_whole(admin))
    failing = members(admin)[1]
    path = disk_named(admin, failing)["path"]
    host.run(f"systemd-run --unit writes {WRITES.format(disk=disk)}")
    array.run(f"mdadm --manage /dev/md_sanstone-* --fail {path}")
    eventually(lambda: failing not in members(admin))
    assert len(members(admin)) == AGGREGATE_DISKS
    eventually(lambda: is_whole(admin))
    state = "systemctl show --property ActiveState --value writes"
    eventually(lambda: host.run(state).strip() in ("inactive", "failed"))
    assert host.run("systemctl show --property Result --value writes").strip() == "success"
    [event] = admin.api.get(EVENTS, message__name="raid.rg.recons.start", fields="*")["records"]
    assert f"takes the place of disk {failing}, which failed" in event["log_message"]
    assert "degraded_since" not in aggregate(admin)
    broken = disk_named(admin, failing)
    assert (broken["state"], broken["container_type"]) == ("broken", "broken")
    # Parity fits the data.
    array.run("for md in /sys/block/md_sanstone-*/md; do echo check > $md/sync_action; done")
    eventually(lambda: array.run("cat /sys/block/md_sanstone-*/md/sync_action").strip() == "idle")
    assert array.run("cat /sys/block/md_sanstone-*/md/mismatch_cnt").strip() == "0"
    use_again(admin, failing)
