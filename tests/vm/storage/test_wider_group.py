"""A RAID group is widened while a host writes, and the power is cut in the middle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.administrator import MIB, Administrator, Record
from lab.patience import eventually
from lab.station import Array, Host, Station
from lab.workload import Workload

AGGREGATES = "storage/aggregates"
SLOWLY = "4000"
"""KiB/s of each disk, so that the reshape is not over before the power is cut."""


@pytest.fixture
def thrown_away(station: Station) -> Iterator[None]:
    """Machines that are forgotten after the test: the disk that was added stays in the group."""
    yield
    station.erase()


@pytest.mark.fresh_array
def test_no_write_is_lost(
    thrown_away: None, admin: Administrator, array: Array, host: Host, lun: Record, disk: str
) -> None:
    [aggregate] = admin.api.get(AGGREGATES, name=admin.aggregate)["records"]

    def shown() -> Record:
        return admin.look_up(AGGREGATES, aggregate)

    def group() -> Record:
        [record] = shown()["block_storage"]["raid_groups"]
        return dict(record)

    def percent() -> float:
        return float(group().get("resync_percent", 0))

    size = shown()["space"]["block_storage"]["size"]
    count = shown()["block_storage"]["primary"]["disk_count"] + 1
    eventually(lambda: group()["state"] == "clean")
    workload = Workload(host, "wider", disk, 64 * MIB, 4096)
    workload.start()
    workload.wait_until_written(MIB)
    array.run(f"echo {SLOWLY} | tee /sys/block/md_sanstone-*/md/sync_speed_max")
    wider = {"block_storage.primary": {"disk_count": count, "raid_group": "rg0"}}
    path = f"{AGGREGATES}/{aggregate['uuid']}"
    job = admin.api.send("PATCH", path, wider, return_timeout=0)["job"]
    eventually(lambda: group()["state"] == "reshaping" and percent() >= 1)

    array.power_off_hard()
    array.boot()
    eventually(lambda: shown()["state"] == "online")
    # It stands still after a boot until the array has it go on, and at md's own pace then.
    report = workload.wait()
    eventually(lambda: group()["state"] == "clean")
    eventually(lambda: admin.api.get(f"cluster/jobs/{job['uuid']}")["state"] == "success")
    assert shown()["space"]["block_storage"]["size"] > size * 1.2
    assert report.read_back == workload.size
    workload.reread()
