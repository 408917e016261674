"""Snapshots, going back to them, and clones: on the kernel's own thin pool."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.administrator import MIB, Administrator, Record
from lab.patience import eventually
from lab.station import Array

LUNS, VOLUMES = "storage/luns", "storage/volumes"
SIZE = 4 * MIB


@pytest.fixture
def volume(admin: Administrator) -> Iterator[Record]:
    """A volume, which goes with all that is in it."""
    volume = admin.add_volume("vol_snapshots")
    yield volume
    admin.remove(VOLUMES, volume)


def device(lun: Record) -> str:
    return f"/dev/sanstone/{lun['uuid']}"


def write(array: Array, lun: Record, source: str) -> None:
    size = f"bs={SIZE} count=1 iflag=fullblock"
    array.run(f"dd if={source} of={device(lun)} {size} oflag=direct conv=fsync")


def content(array: Array, lun: Record) -> str:
    return array.run(f"dd if={device(lun)} bs={SIZE} count=1 iflag=direct status=none | sha256sum")


def snapshot(admin: Administrator, volume: Record, name: str) -> Record:
    path = f"{VOLUMES}/{volume['uuid']}/snapshots"
    admin.api.post(path, {"name": name})
    [snapshot] = admin.api.get(path, name=name)["records"]
    return dict(snapshot)


def test_a_lun_is_restored(admin: Administrator, array: Array, volume: Record) -> None:
    lun = admin.add_lun(volume, "lun1", 64 * MIB)
    write(array, lun, "/dev/urandom")
    before = content(array, lun)
    snapshot(admin, volume, "before")
    write(array, lun, "/dev/zero")
    assert content(array, lun) != before
    admin.api.patch(f"{VOLUMES}/{volume['uuid']}", {}, restore_to__snapshot__name="before")
    assert content(array, lun) == before


def test_a_clone_has_its_own_life(admin: Administrator, array: Array, volume: Record) -> None:
    lun = admin.add_lun(volume, "lun1", 64 * MIB)
    write(array, lun, "/dev/urandom")
    before = content(array, lun)
    snapshot(admin, volume, "before")
    parent = {"parent_volume": {"name": volume["name"]}, "parent_snapshot": {"name": "before"}}
    body = {"name": "vol_clone", "svm.name": admin.svm, "clone": {"is_flexclone": True, **parent}}
    admin.api.post(VOLUMES, body)
    [clone] = admin.api.get(VOLUMES, name="vol_clone")["records"]
    try:
        [copy] = admin.api.get(LUNS, name="/vol/vol_clone/lun1")["records"]
        write(array, lun, "/dev/zero")
        assert content(array, copy) == before
        write(array, copy, "/dev/urandom")
        assert content(array, copy) != before
    finally:
        admin.remove(VOLUMES, clone)


def test_a_snapshot_holds_overwritten_blocks(
    admin: Administrator, array: Array, volume: Record
) -> None:
    snapshots = f"{VOLUMES}/{volume['uuid']}/snapshots"

    def used() -> int | None:
        shown = admin.api.get(f"{VOLUMES}/{volume['uuid']}", fields="space.snapshot.used")
        used: int | None = shown.get("space", {}).get("snapshot", {}).get("used")
        return used

    def sizes() -> dict[str, int | None]:
        shown = admin.api.get(snapshots, fields="size")["records"]
        return {each["name"]: each.get("size") for each in shown}

    lun = admin.add_lun(volume, "lun1", 64 * MIB)
    write(array, lun, "/dev/urandom")
    assert used() == 0
    snapshot(admin, volume, "first")
    eventually(lambda: used() == 0)
    array.run(f"dd if=/dev/zero of={device(lun)} bs={MIB} count=3 oflag=direct conv=fsync")
    snapshot(admin, volume, "second")
    eventually(lambda: used() == 3 * MIB)
    # It may have been measured before the second one was taken.
    eventually(lambda: sizes() == {"first": 3 * MIB, "second": 0})
    array.run(f"dd if=/dev/zero of={device(lun)} bs={MIB} count=4 oflag=direct conv=fsync")
    eventually(lambda: used() == 7 * MIB)
    for pool in array.run("dmsetup status --target thin-pool").splitlines():
        assert pool.split()[7] == "-", f"metadata are still held: {pool}"


@pytest.fixture
def every_minute(admin: Administrator) -> Iterator[str]:
    """A policy of a snapshot each minute."""
    schedules, policies = "cluster/schedules", "storage/snapshot-policies"
    admin.api.post(schedules, {"name": "minutely", "cron": {"minutes": list(range(60))}})
    copy = {"schedule": {"name": "minutely"}, "prefix": "minutely", "count": 1}
    admin.api.post(policies, {"name": "always", "svm.name": admin.svm, "copies": [copy]})
    yield "always"
    for path, name in ((policies, "always"), (schedules, "minutely")):
        [record] = admin.api.get(path, name=name)["records"]
        admin.remove(path, record)


def test_a_schedule_takes_snapshots(
    admin: Administrator, every_minute: str, volume: Record
) -> None:
    admin.add_lun(volume, "lun1", 64 * MIB)
    admin.change(VOLUMES, volume, {"snapshot_policy.name": every_minute})

    def names() -> list[str]:
        records = admin.api.get(f"{VOLUMES}/{volume['uuid']}/snapshots")["records"]
        return [record["name"] for record in records]

    eventually(lambda: names() != [])
    assert names()[0].startswith("minutely.")
