"""The network of a real kernel answers as unit tests take for granted on the fake one."""

from __future__ import annotations

from pathlib import Path

from lab.station import Array

SCENARIO = Path(__file__).parents[2] / "unit/kernel/network/network_scenario.py"


def test_the_machine_tells_what_the_fake_kernel_does(array: Array) -> None:
    array.run("systemctl stop sanstone-reconciler")
    array.run("cat > /run/scenario.py", stdin=SCENARIO.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    told = array.run(f"{interpreter} /run/scenario.py e0c e0d", timeout=300)
    assert told == SCENARIO.with_suffix(".txt").read_text()
    array.run("systemctl start sanstone-reconciler")
