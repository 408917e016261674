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
    there = array.run("ls /dev/dm-*")
    with mapped_lun(watched, iscsi) as lun:
        disk = log_in(iscsi, lun)
        host.run(f"dd if={disk} of=/dev/null bs=4k count=1 iflag=direct status=none")
        watched.change("storage/luns", lun, {"space.size": 2 * GIB})
        assert array.run("ls /dev/dm-*") != there
    eventually(lambda: array.run("ls /dev/dm-*") == there)
    # Uevents come in their order: what was sent before is there when these are.
    array.run(f"dmsetup create {OTHER} --table '0 8 error'")
    number = array.run(f"dmsetup info -c --noheadings -o major,minor {OTHER}").strip()
    array.run(f"dmsetup remove {OTHER}")
    eventually(lambda: f"remove   /devices/virtual/bdi/{number}" in array.run(f"cat {UEVENTS}"))
    of_devices = array.run(f"grep -E '^KERNEL.*/virtual/(block/dm-|bdi/)' {UEVENTS}")
    paths = {line.split()[2] for line in of_devices.splitlines()}
    minor = number.partition(":")[2]
    assert paths == {f"/devices/virtual/block/dm-{minor}", f"/devices/virtual/bdi/{number}"}
