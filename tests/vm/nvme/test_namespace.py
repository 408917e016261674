"""A namespace as a host uses it: its blocks, its identity, returning space."""

from __future__ import annotations

import json
from typing import Any

import pytest
from provisioned import NVME_PORTAL

from lab.administrator import MIB, Administrator, Record
from lab.initiator import Nvme
from lab.patience import eventually
from lab.station import Array, Host

NAMESPACES = "storage/namespaces"


def used(admin: Administrator, namespace: Record) -> int:
    return int(admin.look_up(NAMESPACES, namespace)["space"]["used"])


def fill(host: Host, device: str, megabytes: int) -> None:
    host.run(f"dd if=/dev/urandom of={device} bs=1M count={megabytes} oflag=direct conv=fsync")


def identity(host: Host, device: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(host.run(f"nvme id-ns {device} -o json"))
    return record


@pytest.mark.usefixtures("namespace")
@pytest.mark.parametrize("port", ["4420", "8009"])
def test_discovery_lists_subsystem_and_other_portal(nvme: Nvme, port: str) -> None:
    records = nvme.discover(NVME_PORTAL, port)
    entries = {(record["subtype"], record["traddr"], record["trsvcid"]) for record in records}
    assert ("nvme subsystem", "10.10.1.2", "4420") in entries
    # A kernel without the product's patches refers there, with them it lists the subsystem there.
    other = {subtype for subtype, address, _ in entries if address == "10.10.2.2"}
    assert other in ({"nvme subsystem"}, {"discovery subsystem referral"})


def test_blocks_have_the_configured_size(host: Host, drive: str) -> None:
    assert host.run(f"blockdev --getss {drive}").strip() == "4096"


def test_a_host_may_send_64_kib_along_with_a_write(host: Host, drive: str) -> None:
    controller = json.loads(host.run(f"nvme id-ctrl {drive} -o json"))
    # In units of 16 bytes, with the command's 64 (NVMe over Fabrics, Identify Controller, IOCCSZ).
    assert controller["ioccsz"] == (64 + 64 * 1024) // 16


def test_a_host_sends_1_mib_at_a_time(array: Array, host: Host, drive: str) -> None:
    if not array.has_product_kernel:
        pytest.skip("runs Debian's kernel, which reports no limit to hosts")
    controller = json.loads(host.run(f"nvme id-ctrl {drive} -o json"))
    # Two to the power of it times 4 KiB (NVM Express Base Specification, MDTS).
    assert controller["mdts"] == 8
    writing = f"fio --name=large --filename={drive} --rw=write --bs=32m --size=64m"
    host.run(f"{writing} --direct=1 --ioengine=libaio --verify=crc32c")


def test_namespace_with_small_blocks(
    admin: Administrator, host: Host, namespace: Record, nvme: Nvme, drive: str
) -> None:
    volume = admin.add_volume("vol_small")
    small = admin.add_namespace(volume, "ns1", 64 * MIB, block_size=512)
    subsystem = admin.look_up(NAMESPACES, namespace)["subsystem_map"]["subsystem"]
    admin.map_namespace(small, subsystem)
    device = nvme.device(small["uuid"])
    sizes = [host.run(f"blockdev --getss {each}").strip() for each in (device, drive)]
    admin.remove(NAMESPACES, small, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)
    assert sizes == ["512", "4096"]


@pytest.mark.usefixtures("drive")
def test_controllers_are_shown(admin: Administrator, array: Array, nvme: Nvme) -> None:
    if not array.run("ls /sys/kernel/debug | grep -x nvmet || echo").strip():
        pytest.skip("this kernel does not show controllers (CONFIG_NVME_TARGET_DEBUGFS)")

    def shown() -> list[tuple[str, str]]:
        records = admin.api.get("protocols/nvme/subsystem-controllers", fields="**")["records"]
        return sorted((each["interface"]["name"], each["host"]["nqn"]) for each in records)

    eventually(lambda: shown() == [("nvme_1", nvme.name), ("nvme_2", nvme.name)])


def test_deallocate_returns_space(
    admin: Administrator, host: Host, namespace: Record, drive: str
) -> None:
    fill(host, drive, 64)
    eventually(lambda: used(admin, namespace) >= 64 * MIB)
    host.run(f"blkdiscard {drive}")
    eventually(lambda: used(admin, namespace) == 0)
    host.run(f"cmp --bytes {64 * MIB} {drive} /dev/zero")


def test_write_zeroes(host: Host, drive: str) -> None:
    fill(host, drive, 16)
    host.run(f"nvme write-zeroes {drive} --start-block 0 --block-count 2047")
    # The command goes past the host's cache, in which udev may have read the disk's first blocks.
    host.run(f"blockdev --flushbufs {drive}")
    host.run(f"cmp --bytes {8 * MIB} {drive} /dev/zero")
    assert host.attempt(f"cmp --ignore-initial {8 * MIB} --bytes {MIB} {drive} /dev/zero").status


def test_identity_never_changes(host: Host, namespace: Record, drive: str) -> None:
    assert identity(host, drive)["nguid"] == namespace["uuid"].replace("-", "")
