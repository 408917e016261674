"""The targets in a real kernel answer as unit tests take for granted on the fake one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.station import Array

SCENARIOS = Path(__file__).parents[2] / "unit/kernel/target"
DISKS = tuple(f"$(realpath /dev/disk/by-id/virtio-LAB-DISK-{number:02d})" for number in (1, 2))
FOLDER = "/run/scenarios"
FC_PORT = "20:00:5c:0e:00:00:00:11", "20:00:5c:0e:00:00:00:12"
LOOP = "/sys/class/fcloop/ctl/add_target_port"


def output_of(array: Array, scenario: str, *arguments: str) -> str:
    """Return the output of a scenario on the machine."""
    for path in SCENARIOS.glob("*_scenario.py"):
        array.run(f"install -D /dev/stdin {FOLDER}/{path.name}", stdin=path.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    return array.run(f"{interpreter} {FOLDER}/{scenario}.py {' '.join(arguments)}")


@pytest.fixture
def unserved(array: Array) -> Iterator[Array]:
    """An array that makes nothing by itself."""
    array.run("systemctl stop sanstone-reconciler")
    yield array
    array.run("systemctl start sanstone-reconciler")


@pytest.mark.spare_disks
def test_the_machine_prints_the_lines_of_the_fake_kernel(unserved: Array) -> None:
    expected = (SCENARIOS / "target_scenario.txt").read_text()
    assert output_of(unserved, "target_scenario", "e0c", *DISKS) == expected


@pytest.mark.spare_disks
def test_its_fibre_channel_does_so_too(unserved: Array) -> None:
    # The port stays until the next boot: to take it away is not safe (fcloop.c in Linux 6.12).
    node, port = (f"0x{name.replace(':', '')}" for name in FC_PORT)
    unserved.run(f"modprobe nvme-fcloop; echo wwnn={node},wwpn={port} > {LOOP}")
    expected = (SCENARIOS / "fc_scenario.txt").read_text()
    assert output_of(unserved, "fc_scenario", DISKS[0], *FC_PORT) == expected
