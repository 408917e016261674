"""An NVMe disk is pulled out of its bay, and put back, while a host writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugged import plug_into_bay, pull_out_of_bay, sparse_file
from provisioned import log_in

from lab.administrator import GIB, MIB, Administrator, Record
from lab.health import Inspector
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.qemu import BAYS
from lab.station import Array, Station
from lab.workload import Workload

AGGREGATES, DISKS = "storage/aggregates", "storage/disks"
SERIALS = ("LAB-BAY-1", "LAB-BAY-2")
WRITTEN, BLOCK = 32 * MIB, 4096


@pytest.fixture(scope="module")
def files(server_station: Station) -> dict[str, Path]:
    """The files behind the disks, by serial number; both are in their bays."""
    folder = server_station.rack.directory
    files = {serial: sparse_file(folder / f"{serial}.raw", GIB) for serial in SERIALS}
    for (serial, file), bay in zip(files.items(), BAYS, strict=True):
        plug_into_bay(server_station.array, file, serial, bay)
    return files


@pytest.fixture(scope="module")
def admin(server_station: Station, files: dict[str, Path]) -> Administrator:
    """An administrator of an aggregate that mirrors the two disks, and of an SVM with its LIFs."""
    admin = Administrator(server_station.array.api, aggregate="aggr_bays")
    spares = {"serial_number": "|".join(files), "container_type": "spare"}
    eventually(lambda: len(admin.api.get(DISKS, **spares)["records"]) == len(files))
    names = [disk["name"] for disk in admin.api.get(DISKS, **spares)["records"]]
    admin.add_aggregate(len(names), "raid1", names)
    admin.add_svm()
    admin.add_data_lifs()
    eventually(lambda: is_whole(admin))
    return admin


@pytest.fixture(scope="module")
def iscsi(server_station: Station) -> Iscsi:
    """The open-iscsi of a host beside the server."""
    host = server_station.host()
    host.boot()
    return Iscsi(host)


@pytest.fixture(scope="module")
def device(admin: Administrator, iscsi: Iscsi) -> str:
    """The host's device of a LUN on that aggregate."""
    lun = admin.add_lun(admin.add_volume("vol_bays", GIB // 2), "lun1", 2 * WRITTEN)
    admin.map_lun(lun, admin.add_igroup("group_bays", iscsi.name))
    return log_in(iscsi, lun)


def raid_group(admin: Administrator) -> Record:
    [group] = the_aggregate(admin)["block_storage"]["raid_groups"]
    return dict(group)


def the_aggregate(admin: Administrator) -> Record:
    [aggregate] = admin.api.get(AGGREGATES, name="aggr_bays", fields="block_storage")["records"]
    return dict(aggregate)


def differing_sectors(admin: Administrator, array: Array) -> int:
    """Have md compare the two disks, and return in how many sectors they differ."""
    md = f"/sys/block/md_sanstone-{the_aggregate(admin)['uuid'][:8]}-0/md"
    array.run(f"echo check > {md}/sync_action")
    eventually(lambda: array.run(f"cat {md}/sync_action").strip() == "idle")
    return int(array.run(f"cat {md}/mismatch_cnt"))


def is_whole(admin: Administrator) -> bool:
    """Return whether both disks are in sync."""
    group = raid_group(admin)
    return not group["missing_disks"] and "resync_percent" not in group


@pytest.mark.qemu
def test_a_disk_comes_back_to_its_mirror_and_nothing_is_lost(
    admin: Administrator,
    device: str,
    files: dict[str, Path],
    inspector: Inspector,
    iscsi: Iscsi,
    server_station: Station,
) -> None:
    array, serial, bay = server_station.array, SERIALS[1], BAYS[1]
    workload = Workload(iscsi.host, "bays", device, WRITTEN, BLOCK)
    workload.start()
    workload.wait_until_written(WRITTEN // 8)
    pull_out_of_bay(array, serial, inspector)
    eventually(lambda: raid_group(admin)["missing_disks"] == 1)
    workload.wait_until_written(WRITTEN // 4)
    plug_into_bay(array, files[serial], serial, bay)
    workload.wait()
    eventually(lambda: is_whole(admin))
    workload.reread()
    assert differing_sectors(admin, array) == 0


@pytest.mark.qemu
def test_a_disk_that_was_pulled_is_missing_at_once_and_replaced(
    admin: Administrator, device: str, inspector: Inspector, iscsi: Iscsi, server_station: Station
) -> None:
    """Nobody writes, so that md does not notice by itself."""
    array = server_station.array
    workload = Workload(iscsi.host, "replaced", device, WRITTEN, BLOCK)
    workload.start()
    workload.wait()
    query = {"container_type": "spare", "state": "present", "serial_number": "LAB-DISK-*"}
    spare = admin.api.get(DISKS, **query)["records"][0]
    [kept] = admin.api.get(DISKS, serial_number=SERIALS[0])["records"]
    pull_out_of_bay(array, SERIALS[1], inspector)
    eventually(lambda: raid_group(admin)["missing_disks"] == 1)
    members = [{"name": disk["name"]} for disk in (kept, spare)]
    body = {"block_storage": {"primary": {"disks": members}}}
    # The job lasts until the disk is rebuilt.
    admin.api.patch(f"{AGGREGATES}/{the_aggregate(admin)['uuid']}", body)
    assert raid_group(admin)["missing_disks"] == 0
    eventually(lambda: is_whole(admin))
    workload.reread()
    assert differing_sectors(admin, array) == 0
