"""A layer comes and goes above a thin device while a host writes."""

from __future__ import annotations

from pathlib import Path

from lab.administrator import MIB, Record
from lab.station import Array, Host
from lab.workload import Workload

UNIT = Path(__file__).parents[2] / "unit"
PROGRAM = Path(__file__).with_name("swapped_layers.py")
TIMES = 100
MINUTES = 15.0


def test_no_write_is_lost_while_a_layer_comes_and_goes(
    array: Array, host: Host, lun: Record, disk: str
) -> None:
    workload = Workload(host, "layers", disk, 32 * MIB, 4096)
    array.run("systemctl stop sanstone-reconciler")
    array.run("mkdir --parents /run/layers")
    for file in (PROGRAM, UNIT / "trial_layers.py"):
        array.run(f"cat > /run/layers/{file.name}", stdin=file.read_bytes())
    interpreter = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
    workload.start()
    workload.wait_until_written(MIB)
    output = array.run(
        f"{interpreter} /run/layers/{PROGRAM.name} {lun['uuid']} {TIMES}", timeout=MINUTES * 60
    )
    report = workload.wait()
    array.run("systemctl start sanstone-reconciler")
    assert output == f"{2 * TIMES} changes, 1 device\n"
    assert report.read_back == workload.size
