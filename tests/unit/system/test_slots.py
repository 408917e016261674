"""The slots of a machine, and the facts about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from system_disk import FRESH, SystemDisk

from fakes.files import Text
from sanstone.kernel.host import HostError
from sanstone.system import slot_report, slots


def test_a_live_system_has_none(disk: SystemDisk) -> None:
    disk.kernel.files.place("/proc/cmdline", Text("quiet console=ttyS0"))
    assert slots.find(disk.kernel.host) is None
    slot_report.publish(disk.kernel.host)
    assert slot_report.content() == {}


def test_slots_of_one_disk(disk: SystemDisk) -> None:
    system_slots = slots.find(disk.kernel.host)
    assert system_slots == slots.Slots(
        "a",
        ("/dev/vda2",),
        {"a": "/dev/vda3", "b": "/dev/vda4"},
        {"a": "/dev/vda5", "b": "/dev/vda6"},
    )


def test_two_disks_are_found_by_their_mirrors(mirror: SystemDisk) -> None:
    system_slots = slots.find(mirror.kernel.host)
    assert system_slots == slots.Slots(
        "a",
        ("/dev/vda2", "/dev/vdb2"),
        {"a": "/dev/md13", "b": "/dev/md14"},
        {"a": "/dev/md15", "b": "/dev/md16"},
    )


def test_the_disk_of_another_array_is_left_alone(disk: SystemDisk) -> None:
    for number in range(1, 8):
        disk.kernel.files.place(f"/sys/block/vdz/vdz{number}/partition", Text(f"{number}\n"))
    system_slots = slots.find(disk.kernel.host)
    assert system_slots and system_slots.esps == ("/dev/vda2",)


def test_a_device_that_goes_meanwhile_has_no_partitions(
    disk: SystemDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RAUC's device of a package is gone between the look at all devices and the look at it."""
    before = slots.find(disk.kernel.host)
    listdir = disk.kernel.files.listdir
    extra = {"/sys/block": ["dm-0"]}
    monkeypatch.setattr(
        disk.kernel.files, "listdir", lambda path: [*listdir(path), *extra.get(path, ())]
    )
    assert slots.find(disk.kernel.host) == before


def test_a_mirror_that_nobody_used_yet_is_assembled(mirror: SystemDisk) -> None:
    mirror.stop(4)
    system_slots = slots.find(mirror.kernel.host)
    assert system_slots and system_slots.boot["b"] == "/dev/md14"


@pytest.mark.parametrize("away", ["vda", "vdb"])
def test_a_disk_that_was_away_is_taken_in(mirror: SystemDisk, away: str) -> None:
    mirror.stop(4)
    mirror.stale = {away}
    for number in range(1, 8):
        # Another array's.
        mirror.kernel.files.place(f"/sys/block/vdz/vdz{number}/partition", Text(f"{number}\n"))
    system_slots = slots.find(mirror.kernel.host)
    assert system_slots and system_slots.boot["b"] == "/dev/md14"
    files = mirror.kernel.host.files
    assert all(files.exists(f"/sys/block/{disk}/{disk}4/holders/md14") for disk in mirror.disks)
    assert files.listdir("/sys/block/vdz/vdz4") == ["partition"]


def test_a_superblock_that_cannot_be_read_does_not_make_a_half_stand_alone(
    mirror: SystemDisk,
) -> None:
    """The initramfs has gone on with the other disk's members."""
    for number in (6, 7):
        mirror.kernel.files.displace(f"/sys/block/vda/vda{number}/holders/md1{number}")
        mirror.kernel.files.displace(f"/sys/block/md1{number}/slaves/vda{number}")
        mirror.unreadable.add(f"/dev/vda{number}")
    system_slots = slots.find(mirror.kernel.host)
    assert system_slots is not None
    assert system_slots.esps == ("/dev/vda2", "/dev/vdb2")
    assert system_slots.system == {"a": "/dev/md15", "b": "/dev/md16"}


def test_a_missing_disk_is_reported(disk: SystemDisk) -> None:
    for number in range(1, 8):
        disk.kernel.files.displace(f"/sys/block/vda/vda{number}/partition")
    with pytest.raises(HostError, match="is gone"):
        slots.find(disk.kernel.host)


def test_the_release_in_a_slot_is_read(disk: SystemDisk) -> None:
    disk.schemas["a"] = "0a1b 2c3d"
    system_slots = slots.find(disk.kernel.host)
    assert system_slots
    release = slots.release(disk.kernel.host, system_slots.boot["a"])
    assert release == slots.Release("1.0", ("0a1b", "2c3d"))
    assert slots.release(disk.kernel.host, system_slots.boot["b"]) == slots.Release()


def test_slots_are_published_at_boot(disk: SystemDisk, tmp_path: Path) -> None:
    (tmp_path / "rauc").mkdir()
    status = "[slot.system.1]\ninstalled.timestamp=2026-01-02T03:04:05Z\n"
    (tmp_path / "rauc/central.raucs").write_text(status)
    slot_report.publish(disk.kernel.host)
    assert slot_report.content() == {
        "a": {
            "version": "1.0",
            "schema": None,
            "is_current": True,
            "is_default": True,
            "good": True,
            "trial": False,
            "install_time": None,
        },
        "b": {
            "version": "",
            "schema": None,
            "is_current": False,
            "is_default": False,
            "good": False,
            "trial": False,
            "install_time": 1767323045.0,
        },
    }
    assert json.loads(slot_report.state_path().read_text()) == slot_report.content()
    configuration = (tmp_path / "system.conf").read_text()
    assert f"[keyring]\npath={slot_report.KEYRING}\nuse-bundle-signing-time=true\n" in configuration
    assert "[slot.boot.1]\ndevice=/dev/vda4\ntype=raw\nparent=system.1\n" in configuration
    assert "[slot.system.0]\ndevice=/dev/vda5\ntype=raw\nbootname=a\n" in configuration


def test_variables_are_written_to_both_disks(mirror: SystemDisk) -> None:
    host = mirror.kernel.host
    system_slots = slots.find(host)
    assert system_slots
    slots.change_environment(host, system_slots, FRESH | {"TRIAL": "b"})
    assert {v["TRIAL"] for v in mirror.variables.values()} == {"b"}
    assert slots.environment(host, system_slots)["TRIAL"] == "b"


def test_a_dead_disk_does_not_keep_the_other_from_being_written(mirror: SystemDisk) -> None:
    host = mirror.kernel.host
    system_slots = slots.find(host)
    assert system_slots
    mirror.dead = {"/dev/vdb2"}
    slots.change_environment(host, system_slots, FRESH | {"TRIAL": "b"})
    assert mirror.variables["/dev/vda2"]["TRIAL"] == "b"
    mirror.dead = set(system_slots.esps)
    with pytest.raises(HostError):
        slots.change_environment(host, system_slots, FRESH)


def test_nothing_stays_mounted(disk: SystemDisk, tmp_path: Path) -> None:
    slot_report.publish(disk.kernel.host)
    assert not list(tmp_path.glob("mount-*"))


def test_a_system_that_has_started_is_not_counted(disk: SystemDisk) -> None:
    disk.variables["/dev/vda2"] = FRESH | {"a_TRY": "2"}
    slot_report.come_up(disk.kernel.host)
    assert disk.variables["/dev/vda2"] == FRESH | {"a_TRY": "0"}
