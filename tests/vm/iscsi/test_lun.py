"""A LUN as a host uses it: its identity, its paths, returning space."""

from __future__ import annotations

import re

import pytest

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host

LUNS = "storage/luns"


def size_of(host: Host, device: str) -> int:
    return int(host.run(f"blockdev --getsize64 {device}"))


def used(admin: Administrator, lun: Record) -> int:
    return int(admin.look_up(LUNS, lun)["space"]["used"])


def fill(host: Host, device: str, megabytes: int) -> None:
    host.run(f"dd if=/dev/urandom of={device} bs=1M count={megabytes} oflag=direct conv=fsync")


def scsi_addresses(host: Host, iscsi: Iscsi, disk: str) -> list[str]:
    """Return what messages of the kernel call the disks that a multipath device joins."""
    names = iscsi.path_devices(disk)
    return [host.run(f"basename $(realpath /sys/block/{name}/device)").strip() for name in names]


def test_every_path_is_active_and_optimized(host: Host, iscsi: Iscsi, disk: str) -> None:
    for name in iscsi.path_devices(disk):
        groups = host.run(f"sg_rtpg --decode /dev/{name}")
        states = re.findall(r"asymmetric access state *: *0x0?(\d) *\((.*)\)", groups)
        assert states == [("0", "active/optimized")], groups


def test_host_sees_the_identity_that_the_array_shows(
    host: Host, iscsi: Iscsi, lun: Record, disk: str
) -> None:
    # The multipath device itself refuses such commands (EAGAIN) while its paths are being tried.
    for name in iscsi.path_devices(disk):
        assert "SANSTONE" in host.run(f"sg_inq /dev/{name}")
        assert lun["serial_number"] in host.run(f"sg_inq --page=sn /dev/{name}")


@pytest.mark.usefixtures("disk")
def test_sessions_are_shown(admin: Administrator, iscsi: Iscsi) -> None:
    def shown() -> list[tuple[str, str]]:
        sessions = admin.api.get("protocols/san/iscsi/sessions", fields="**")["records"]
        return sorted((each["target_portal_group"], each["initiator"]["name"]) for each in sessions)

    eventually(lambda: shown() == [("iscsi_1", iscsi.name), ("iscsi_2", iscsi.name)])


def test_hosts_are_told_of_a_lun_that_grows(
    array: Array, admin: Administrator, host: Host, iscsi: Iscsi, lun: Record, disk: str
) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, which tells nobody; a patch of the product's does")
    messages = "journalctl --boot --dmesg --output=cat"
    told = [f"{name}: Capacity data has changed" for name in scsi_addresses(host, iscsi, disk)]
    before = host.run(messages)
    admin.change(LUNS, lun, {"space.size": size_of(host, disk) + GIB})
    for name in iscsi.path_devices(disk):
        # A unit attention is the answer to the next command, and the first one's alone.
        host.attempt(f"sg_turs /dev/{name}")
    eventually(lambda: all(host.run(messages).count(line) > before.count(line) for line in told))
    iscsi.rescan(disk)


def test_unmap_returns_space(admin: Administrator, host: Host, lun: Record, disk: str) -> None:
    fill(host, disk, 64)
    eventually(lambda: used(admin, lun) >= 64 * MIB)
    host.run(f"blkdiscard {disk}")
    eventually(lambda: used(admin, lun) == 0)
    assert host.run(f"cmp --bytes {64 * MIB} {disk} /dev/zero") == ""


def test_write_zeroes(host: Host, disk: str) -> None:
    fill(host, disk, 16)
    host.run(f"blkdiscard --zeroout --length {8 * MIB} {disk}")
    host.run(f"cmp --bytes {8 * MIB} {disk} /dev/zero")
    assert host.attempt(f"cmp --ignore-initial {8 * MIB} --bytes {MIB} {disk} /dev/zero").status
