"""An NVMe disk is pulled out of its bay, and put back, while a host writes."""

from __future__ import annotations

from collections.abc import Iterator
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


@pytest.fixture
def files(array: Array, station: Station) -> dict[str, Path]:
    """What is on the disks, by serial number; both are in their bays."""
    files = {
        serial: sparse_file(station.rack.directory / f"{serial}.raw", GIB) for serial in SERIALS
    }
    for (serial, file), bay in zip(files.items(), BAYS, strict=True):
        plug_into_bay(array, file, serial, bay)
    return files


@pytest.fixture
def mirror(
    admin: Administrator, array: Array, files: dict[str, Path], inspector: Inspector
) -> Iterator[Administrator]:
    """An administrator of an aggregate that mirrors the two disks."""
    spares = {"serial_number": "|".join(files), "container_type": "spare"}
    eventually(lambda: len(admin.api.get(DISKS, **spares)["records"]) == len(files))
    names = [disk["name"] for disk in admin.api.get(DISKS, **spares)["records"]]
    mirror = Administrator(admin.api, aggregate="aggr_bays")
    aggregate = mirror.add_aggregate(len(names), "raid1", names)
    eventually(lambda: is_whole(admin))
    yield mirror
    admin.remove(AGGREGATES, aggregate)
    for serial in files:
        pull_out_of_bay(array, serial, inspector)


@pytest.fixture
def device(mirror: Administrator, iscsi: Iscsi) -> Iterator[str]:
    """The host's device of a LUN on that aggregate."""
    volume = mirror.add_volume("vol_bays", GIB // 2)
    lun: Record = mirror.add_lun(volume, "lun1", 2 * WRITTEN)
    igroup = mirror.add_igroup("group_bays", iscsi.name)
    mirror.map_lun(lun, igroup)
    yield log_in(iscsi, lun)
    iscsi.log_out()
    mirror.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    mirror.remove("storage/volumes", volume)


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
    """Tell whether both disks are in sync."""
    group = raid_group(admin)
    return not group["missing_disks"] and "resync_percent" not in group


@pytest.mark.qemu
def test_a_disk_comes_back_to_its_mirror_and_nothing_is_lost(
    admin: Administrator,
    array: Array,
    device: str,
    files: dict[str, Path],
    inspector: Inspector,
    iscsi: Iscsi,
) -> None:
    serial, bay = SERIALS[1], BAYS[1]
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
