"""The cost of the layer of limits for devices without a limit, beside the same device without it.

All devices are created by hand on the same memory, in the array, and fio runs there: so nothing
else differs. Beside groups without limits stand groups with limits that nobody reaches, which take
the groups' locks. Jobs take turns, and medians count, as in `data_path`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import fio
from bench.fio import Load, Way
from bench.report import Line, times
from bench.stage import Stage

REPEATS = 5
SECTORS = 128 * 2048
BARE = "linear"
OUT_OF_REACH = 10**9
TABLES = {
    BARE: "linear /dev/ram0 0",
    "two groups without limits": "sanstone-qos /dev/ram0 0 bench-1 bench-2",
    "two limits out of reach": (
        f"sanstone-qos /dev/ram0 0 bench-3:{OUT_OF_REACH}:0 bench-4:{OUT_OF_REACH}:0"
    ),
}
LOADS = [
    Load(f"layer of limits, 4 KiB random {direction}, depth 8", direction, "4k", 8, 1, "rand")
    for direction in ("read", "write")
]


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines."""
    array = stage.array
    stage.have_disks_in_memory()
    copy, ways = fio.bring(stage), []
    for number, (name, table) in enumerate(TABLES.items()):
        device = f"bench-limits-{number}"
        array.run(f"dmsetup create {device} --table '0 {SECTORS} {table}'")
        node = array.run(f"basename $(realpath /dev/mapper/{device})").strip()
        ways.append(Way(name, array, copy, f"/dev/{node}", node))
    try:
        taken = fio.in_turns(ways, LOADS, array, REPEATS)
    finally:
        for number, _ in enumerate(TABLES):
            array.run(f"dmsetup remove --retry bench-limits-{number}")
    for load, results in taken.items():
        for name, result in results.items():
            against = "" if name == BARE else times(result.rate, results[BARE].rate, BARE)
            yield Line(load.name, name, result.rate, "IOPS", against)
