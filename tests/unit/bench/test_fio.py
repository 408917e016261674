"""A figure of fio's is told only when the array's device saw its bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.fio import Load, NotCounted, Way, run
from lab.machine import Machine
from lab.qemu import Hardware

LOAD = Load("4 KiB random read", "read", "4k", 32, 4, "rand")
BYTES = 40_960_000


class Told(Machine):
    """A machine that answers scripts, each in its turn."""

    def __init__(self, directory: Path, *answers: str) -> None:
        super().__init__(directory, Hardware("told", 1, 512))
        self._turns = list(answers)

    def run(self, script: str, **_: Any) -> str:
        """Return the next answer."""
        return self._turns.pop(0)


def counters(sectors: int, busy: int) -> str:
    """Return what the array tells: sectors read, and ticks of its processors."""
    return f"0 0 {sectors} 0 0 0 77 0 0 0 0\ncpu {busy} 0 0 1000 50 0 0 0 0 0\n"


def job() -> str:
    """Return what fio prints of a job of BYTES."""
    read = {"iops": 10_000.0, "bw_bytes": 40_960_000, "lat_ns": {"mean": 12_800_000.0}}
    read |= {"io_bytes": BYTES, "total_ios": 10_000}
    return "fio: a warning\n" + json.dumps({"jobs": [{"read": read}]})


def taken(directory: Path, sectors: int) -> Any:
    """Run the job while the array's device counts so many sectors."""
    array = Told(directory / "array", counters(1000, 100), counters(1000 + sectors, 300))
    host = Told(directory / "host", "", job())
    return run(Way("iSCSI", host, "fio", "/dev/sda", "dm-3"), LOAD, array)


def test_what_the_device_counted_is_a_figure(tmp_path: Path) -> None:
    result = taken(tmp_path, BYTES // 512)
    assert (result.rate, result.bandwidth, result.latency) == (10_000, 40.96, 12_800)
    assert result.processor == 200.0


@pytest.mark.parametrize("sectors", [0, BYTES // 512 // 2, BYTES // 512 * 2])
def test_what_the_device_did_not_see_is_an_error(tmp_path: Path, sectors: int) -> None:
    with pytest.raises(NotCounted, match="iSCSI"):
        taken(tmp_path, sectors)
