"""A LUN as a host uses it: its identity, its paths, returning space."""

from __future__ import annotations

import re

import pytest

from lab.administrator import GIB, MIB, Administrator, Record
from lab.initiator import Iscsi
from lab.patience import eventually
from lab.station import Array, Host
from sanstone.kernel import names

LUNS = "storage/luns"


def size_of(host: Host, device: str) -> int:
    return int(host.run(f"blockdev --getsize64 {device}"))


def used(admin: Administrator, lun: Record) -> int:
    return int(admin.look_up(LUNS, lun)["space"]["used"])


def fill(host: Host, device: str, megabytes: int) -> None:
    host.run(f"dd if=/dev/urandom of={device} bs=1M count={megabytes} oflag=direct conv=fsync")


def page(host: Host, device: str, number: int) -> bytes:
    """Return a page of vital product data (SPC-4, INQUIRY)."""
    return bytes.fromhex(host.run(f"sg_vpd --page={number} --raw {device} | od -An -v -tx1"))


def field(page: bytes, offset: int, size: int = 4) -> int:
    return int.from_bytes(page[offset : offset + size])


def scsi_addresses(host: Host, iscsi: Iscsi, disk: str) -> list[str]:
    """Return the names in the kernel's messages of the disks that a multipath device joins."""
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


def test_hosts_are_notified_of_a_lun_that_grows(
    array: Array, admin: Administrator, host: Host, iscsi: Iscsi, lun: Record, disk: str
) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, which notifies nobody; a patch of the product's does")
    messages = "journalctl --boot --dmesg --output=cat"
    lines = [f"{name}: Capacity data has changed" for name in scsi_addresses(host, iscsi, disk)]
    before = host.run(messages)
    admin.change(LUNS, lun, {"space.size": size_of(host, disk) + GIB})
    for name in iscsi.path_devices(disk):
        # A unit attention is the answer to the next command, and the first one's alone.
        host.attempt(f"sg_turs /dev/{name}")
    eventually(lambda: all(host.run(messages).count(line) > before.count(line) for line in lines))
    iscsi.rescan(disk)


def test_unmap_returns_space(admin: Administrator, host: Host, lun: Record, disk: str) -> None:
    fill(host, disk, 64)
    eventually(lambda: used(admin, lun) >= 64 * MIB)
    host.run(f"blkdiscard {disk}")
    eventually(lambda: used(admin, lun) == 0)
    assert host.run(f"cmp --bytes {64 * MIB} {disk} /dev/zero") == ""


def test_hosts_see_the_properties_of_the_device(
    array: Array, host: Host, iscsi: Iscsi, lun: Record, disk: str
) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, which reports no provisioning type")
    path = f"/dev/{iscsi.path_devices(disk)[0]}"
    number = (
        f"dmsetup info -c --noheadings -o major,minor --separator : {names.device(lun['uuid'])}"
    )
    queue = f"/sys/dev/block/$({number})/queue"
    block = int(host.run(f"blockdev --getss {path}"))
    granularity, most, rotates = (
        int(array.run(f"cat {queue}/{name}"))
        for name in ("discard_granularity", "discard_max_bytes", "rotational")
    )
    # SBC-4, Block Limits: MAXIMUM TRANSFER LENGTH, then the limits and the alignment of UNMAP.
    limits = page(host, path, 0xB0)
    assert 0 < field(limits, 8) * block <= 4 * MIB
    assert field(limits, 12) <= field(limits, 8)
    assert field(limits, 20) * block == most
    assert field(limits, 24) == 1
    assert field(limits, 28) * block == granularity
    assert field(limits, 32) == 0
    # Block Device Characteristics: MEDIUM ROTATION RATE is 1 where nothing rotates, 0 elsewhere.
    assert field(page(host, path, 0xB1), 4, 2) == (0 if rotates else 1)
    # Logical Block Provisioning: UNMAP and WRITE SAME (LBPU, LBPWS, LBPWS10), without zeroes where
    # only a part of a pool's block is unmapped (LBPRZ), thin.
    provisioning = page(host, path, 0xB2)
    assert provisioning[5] == 0x80 | 0x40 | 0x20
    assert provisioning[6] & 0x07 == 2


def test_write_same_writes_though_it_may_unmap(
    array: Array, host: Host, iscsi: Iscsi, disk: str
) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, which keeps the data of a part of a pool's block")
    fill(host, disk, 1)
    path = f"/dev/{iscsi.path_devices(disk)[0]}"
    host.run(f"sg_write_same --16 --unmap --lba=1 --num=7 --in=/dev/zero {path}")
    host.run(f"blockdev --flushbufs {disk}")
    block = int(host.run(f"blockdev --getss {disk}"))
    host.run(f"cmp --ignore-initial {block} --bytes {7 * block} {disk} /dev/zero")


def test_write_zeroes(host: Host, disk: str) -> None:
    fill(host, disk, 16)
    host.run(f"blkdiscard --zeroout --length {8 * MIB} {disk}")
    host.run(f"cmp --bytes {8 * MIB} {disk} /dev/zero")
    assert host.attempt(f"cmp --ignore-initial {8 * MIB} --bytes {MIB} {disk} /dev/zero").status
