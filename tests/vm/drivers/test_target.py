"""The targets in a real kernel answer as unit tests take for granted on the fake one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.station import Array

SCENARIOS = Path(__file__).parents[2] / "unit/kernel/target"
DISKS = tuple(f"$(realpath /dev/disk/by-id/virtio-LAB-DISK-{number:02d})" for number in (1, 2))
FOLDER = "/run/scenarios"
FC_PORT = """\
modprobe --all fcoe nvme-fcloop
ip link set e0c up
echo e0c > /sys/module/libfcoe/parameters/create_vn2vn
"""
FC_HOST = "/sys/class/fc_host/host*"
NAMES = f"wwnn=$(cat {FC_HOST}/node_name),wwpn=$(cat {FC_HOST}/port_name)"
LOOP = "/sys/class/fcloop/ctl"


def told(array: Array, scenario: str, *arguments: str) -> str:
    """Return what a scenario tells on the machine."""
    for path in SCENARIOS.glob("*_scenario.py"):
        array.run(f"install -D /dev/stdin {FOLDER}/{path.name}", stdin=path.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    return array.run(f"{interpreter} {FOLDER}/{scenario}.py {' '.join(arguments)}", timeout=300)


@pytest.fixture
def unserved(array: Array) -> Iterator[Array]:
    """An array that makes nothing by itself."""
    array.run("systemctl stop sanstone-reconciler")
    yield array
    array.run("systemctl start sanstone-reconciler")


@pytest.mark.qemu
@pytest.mark.spare_disks
def test_the_machine_tells_what_the_fake_kernel_does(unserved: Array) -> None:
    expected = (SCENARIOS / "target_scenario.txt").read_text()
    assert told(unserved, "target_scenario", "e0c", *DISKS) == expected


@pytest.mark.spare_disks
def test_its_fibre_channel_does_so_too(unserved: Array) -> None:
    unserved.run(f"{FC_PORT}echo {NAMES} > {LOOP}/add_target_port")
    shown = f"sed 's/0x//; s/../&:/g; s/:$//' {FC_HOST}"
    names = (f"$({shown}/{name}_name)" for name in ("node", "port"))
    expected = (SCENARIOS / "fc_scenario.txt").read_text()
    assert told(unserved, "fc_scenario", DISKS[0], *names) == expected
    unserved.run(f"echo {NAMES} > {LOOP}/del_target_port")
    unserved.run("echo e0c > /sys/module/libfcoe/parameters/destroy")
