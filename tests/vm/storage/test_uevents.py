"""Devices that nothing but a target opens come and go without uevents, at which udev would look."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provisioned import log_in

from lab.administrator import GIB, Administrator
from lab.initiator import Iscsi
from lab.mapped import mapped_lun
from lab.patience import eventually
from lab.station import Array, Host

UEVENTS = "/run/uevents"
WATCH = "udevadm monitor --kernel --subsystem-match=block --subsystem-match=bdi"
OTHER = "test-uevents"


@pytest.fixture
def watched(array: Array, admin: Administrator) -> Iterator[Administrator]:
    """An administrator; the uevents of block devices from now on are in UEVENTS."""
    if not array.has_product_kernel:
        pytest.skip("this kernel sends uevents of each device")
    array.run(f"rm -f {UEVENTS}; touch {UEVENTS}")
    array.run(f"systemd-run --unit watch --property StandardOutput=file:{UEVENTS} {WATCH}")
    eventually(lambda: array.attempt(f"grep 'kernel uevent' {UEVENTS}").status == 0)
    yield admin
    array.run("systemctl stop watch")


def test_a_lun_comes_and_grows_and_goes_without_uevents(
    watched: Administrator, array: Array, host: Host, iscsi: Iscsi
) -> None:
    before = array.run("ls /dev/dm-*").split()
    with mapped_lun(watched, iscsi) as lun:
        disk = log_in(iscsi, lun)
        host.run(f"dd if={disk} of=/dev/null bs=4k count=1 iflag=direct status=none")
        watched.change("storage/luns", lun, {"space.size": 2 * GIB})
        assert array.run("ls /dev/dm-*").split() != before
    eventually(lambda: array.run("ls /dev/dm-*").split() == before)
    # Uevents come in their order: what was sent before is there when these are.
    array.run(f"dmsetup create {OTHER} --table '0 8 linear {before[0]} 0'")
    number = array.run(f"dmsetup info -c --noheadings -o major,minor {OTHER}").strip()
    array.run(f"dmsetup remove {OTHER}")
    of_other = {f"/devices/virtual/block/dm-{number.partition(':')[2]}"}
    of_other |= {f"/devices/virtual/bdi/{number}"}
    eventually(lambda: of_other <= paths(array, "remove"))
    # LVM's devices change when somebody has written to them.
    of_lvm = {node.replace("/dev", "/devices/virtual/block") for node in before}
    assert paths(array) - of_lvm == of_other


def paths(array: Array, action: str = "") -> set[str]:
    """Return the devices of device-mapper, and theirs of write-back, that uevents announced."""
    lines = array.run(f"cat {UEVENTS}").splitlines()
    words = [line.split() for line in lines if line.startswith("KERNEL[")]
    devices = {path for _, does, path, _ in words if action in ("", does)}
    return {path for path in devices if "/virtual/block/dm-" in path or "/virtual/bdi/" in path}
