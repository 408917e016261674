"""Disks: their fields, and that one with foreign data is never taken."""

from __future__ import annotations

import struct

import pytest
from provisioned import AGGREGATE_DISKS

from lab.administrator import GIB, Administrator, Record
from lab.api import Api, Refused
from lab.patience import eventually
from lab.station import Array

SECTOR = 512
UNREPORTED = {"temperature", "shelf", "location_led"}
"""Fields that a disk of the lab does not report, as in QEMU its health."""


def partition_table() -> bytes:
    """Return a first sector with one Linux partition, as other systems leave it on disks."""
    entry = struct.pack("<B3xB3xII", 0, 0x83, 2048, 20480)
    return bytes(446) + entry + bytes(48) + b"\x55\xaa"


def disks(admin: Administrator, use: str) -> list[Record]:
    query = {"container_type": use, "fields": "**"}
    return list(admin.api.get("storage/disks", **query)["records"])


def overwrite(array: Array, disk: Record, sector: bytes) -> None:
    """Write a disk's first sector, and have the array look, as for a disk that was plugged in."""
    array.run(f"dd of={disk['path']} bs={SECTOR} count=1 conv=notrunc,fsync", stdin=sector)
    array.run(f"echo add > /sys/class/block/{disk['path'].removeprefix('/dev/')}/uevent")


def first_sector(array: Array, disk: Record) -> bytes:
    script = f"dd if={disk['path']} bs={SECTOR} count=1 iflag=direct status=none"
    return array.attempt(script).stdout


def test_disks_of_an_aggregate_name_it(admin: Administrator) -> None:
    used = disks(admin, "aggregate")
    assert len(used) == AGGREGATE_DISKS
    for disk in used:
        assert disk["serial_number"].startswith("LAB-DISK-")
        assert (disk["content"], disk["state"]) == ('aggregate "aggr1"', "present")
        assert disk["bytes_per_sector"] == SECTOR
        assert not UNREPORTED & disk.keys()


@pytest.mark.qemu
def test_disks_are_described(api: Api) -> None:
    disks = api.get("storage/disks", container_type="spare", fields="**")["records"]
    assert disks
    for disk in disks:
        assert disk["serial_number"].startswith("LAB-DISK-")
        assert (disk["usable_size"], disk["bytes_per_sector"]) == (2 * GIB, SECTOR)
        assert (disk["type"], disk["class"], disk["state"]) == ("vmdisk", "virtual", "present")
        assert not (UNREPORTED | {"health"}) & disk.keys()


def test_disk_with_foreign_partitions_is_never_taken(admin: Administrator, array: Array) -> None:
    name = disks(admin, "spare")[0]["name"]

    def disk() -> Record:
        return dict(admin.api.get(f"storage/disks/{name}", fields="**"))

    overwrite(array, disk(), partition_table())
    try:
        eventually(lambda: bool(disk()["container_type"] == "foreign"))
        primary = {"disks": [{"name": name}], "raid_type": "raid0"}
        with pytest.raises(Refused) as refused:
            admin.api.post(
                "storage/aggregates", {"name": "greedy", "block_storage": {"primary": primary}}
            )
        assert refused.value.status == 409
        assert name in refused.value.body["error"]["message"]
        assert first_sector(array, disk()) == partition_table()
    finally:
        overwrite(array, disk(), bytes(SECTOR))
    eventually(lambda: bool(disk()["container_type"] == "spare"))


def test_disk_with_foreign_partitions_is_erased_on_request(
    admin: Administrator, array: Array
) -> None:
    name = disks(admin, "spare")[0]["name"]

    def disk() -> Record:
        return dict(admin.api.get(f"storage/disks/{name}", fields="**"))

    overwrite(array, disk(), partition_table())
    eventually(lambda: bool(disk()["container_type"] == "foreign"))
    with pytest.raises(Refused) as refused:
        admin.api.patch(f"storage/disks/{name}", {"erase": {"content": "nothing"}})
    assert disk()["content"] in refused.value.body["error"]["message"]
    admin.api.patch(f"storage/disks/{name}", {"erase": {"content": disk()["content"]}})
    eventually(lambda: bool(disk()["container_type"] == "spare"))
    assert first_sector(array, disk()) != partition_table()


OLD_LABELS = """
mdadm --create /dev/md/old --run --metadata 0.90 --level 1 --raid-devices 2 {path} missing
mdadm --stop /dev/md/old
echo 'type=linux-raid' | sfdisk --quiet --force --wipe never --label gpt {path}
udevadm settle
echo add > /sys/class/block/{name}/uevent
"""
"""The remains of two systems: the first one's superblock, which the second ignored, is at the
disk's end, before the second one's copy of its partition table."""
ENDS_AS_ZEROES = """
for where in 0 $(($(blockdev --getsize64 {path}) / 1048576 - 1)); do
    dd if={path} bs=1M count=1 skip=$where iflag=direct status=none | tr -d '\\0' | wc -c
done
"""


def written(array: Array, path: str) -> int:
    """Return the bytes that the kernel counts as written to a disk."""
    counters = array.run(f"cat /sys/class/block/{path.removeprefix('/dev/')}/stat").split()
    return SECTOR * int(counters[6])


def test_disk_with_labels_of_two_systems_is_zeroed(admin: Administrator, array: Array) -> None:
    [name, path] = [disks(admin, "spare")[0][key] for key in ("name", "path")]
    array.run(OLD_LABELS.format(path=path, name=path.removeprefix("/dev/")))

    def disk() -> Record:
        return dict(admin.api.get(f"storage/disks/{name}", fields="**"))

    eventually(lambda: bool(disk()["container_type"] == "foreign"))
    assert len(array.run(f"wipefs --noheadings --output TYPE {path}").split()) >= 3
    order = {"erase": {"content": disk()["content"], "method": "zeroes"}}
    before = written(array, path)
    admin.api.patch(f"storage/disks/{name}", order)
    eventually(lambda: bool(disk()["container_type"] == "spare"))
    assert (disk()["state"], disk()["content"]) == ("present", "")
    # The percent that is shown meanwhile goes by this counter.
    assert written(array, path) - before >= int(array.run(f"blockdev --getsize64 {path}"))
    assert array.run(f"wipefs --noheadings {path}") == ""
    assert array.run(ENDS_AS_ZEROES.format(path=path)).split() == ["0", "0"]
