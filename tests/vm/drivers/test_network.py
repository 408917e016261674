"""The network of a real kernel answers as unit tests take for granted on the fake one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.station import Array

SCENARIOS = Path(__file__).parents[2] / "unit/kernel/network"
HAS_SIW = "modprobe --dry-run --quiet siw"


@pytest.mark.parametrize("name", ["network_scenario", "iwarp_scenario"])
def test_the_machine_prints_the_lines_of_the_fake_kernel(array: Array, name: str) -> None:
    if name == "iwarp_scenario" and array.attempt(HAS_SIW).status:
        pytest.skip("this kernel has no soft-iWARP")
    scenario = SCENARIOS / f"{name}.py"
    array.run("systemctl stop sanstone-reconciler")
    array.run("cat > /run/scenario.py", stdin=scenario.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    output = array.run(f"{interpreter} /run/scenario.py e0c e0d")
    assert output == scenario.with_suffix(".txt").read_text()
    array.run("systemctl start sanstone-reconciler")
