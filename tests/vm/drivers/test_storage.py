"""The storage drivers behave on a real kernel as on the fake one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.station import Array

UNIT = Path(__file__).parents[2] / "unit"
SCENARIOS = {"storage_scenario": 7, "layers_scenario": 2, "raid_scenario": 5}
"""By its name: the disks that a scenario destroys."""
MINUTES = 15.0
TARGET = "modprobe dm-sanstone-qos && dmsetup targets"


@pytest.mark.spare_disks
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_machine_prints_the_lines_of_the_fake_kernel(array: Array, name: str) -> None:
    numbers = range(1, SCENARIOS[name] + 1)
    disks = " ".join(f"/dev/disk/by-id/virtio-LAB-DISK-{number:02d}" for number in numbers)
    scenario = UNIT / f"kernel/storage/{name}.py"
    array.run("systemctl stop sanstone-reconciler")
    array.run("mkdir --parents /run/scenario")
    for file in (scenario, UNIT / "trial_layers.py"):
        array.run(f"cat > /run/scenario/{file.name}", stdin=file.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    program = f"{interpreter} /run/scenario/{scenario.name}"
    output = array.run(f"{program} $(realpath {disks})", timeout=MINUTES * 60)
    expected = scenario.with_suffix(".txt").read_text()
    if b"sanstone-qos" not in array.attempt(TARGET).stdout:
        expected = "".join(filter(is_printed_by_debian, expected.splitlines(keepends=True)))
    assert output == expected
    array.run("systemctl start sanstone-reconciler")


def is_printed_by_debian(line: str) -> bool:
    """Return whether a kernel without limits of throughput prints a line of a scenario, too."""
    return not line.startswith("limit: ")
