"""A figure of fio's counts only when the array's device saw its bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import fio
from bench.fio import Load, NotCounted, Result, Way, run
from lab.machine import Machine
from lab.qemu import Hardware

LOAD = Load("4 KiB random read", "read", "4k", 32, 4, "rand")
MIX = Load("OLTP", "rw", "8k", 32, 4, "rand", 80, beside=Load("stream", "write", "64k", 1))
BYTES = 40_960_000


class ScriptedMachine(Machine):
    """A machine that answers scripts, each in its turn."""

    def __init__(self, directory: Path, *answers: str) -> None:
        super().__init__(directory, Hardware("told", 1, 512))
        self._turns = list(answers)

    def run(self, script: str, **_: Any) -> str:
        """Return the next answer."""
        return self._turns.pop(0)


def counters(read: int, written: int, busy: int) -> str:
    """Return the array's counters: sectors read and written, and ticks of its processors."""
    return f"0 0 {read} 0 0 0 {written} 0 0 0 0\ncpu {busy} 0 0 1000 50 0 0 0 0 0\n"


def part(read: int, written: int) -> dict[str, Any]:
    """Return fio's report of one job that did so many bytes in blocks of 4 KiB."""
    latencies = {"mean": 12_800_000.0, "percentile": {"50.000000": 9_000_000, "99.000000": 4e7}}
    whole = {"iops": 10_000.0, "bw_bytes": 40_960_000, "lat_ns": latencies}
    whole |= {"total_ios": (read + written) // 4096}
    return {"read": {"io_bytes": read}, "write": {"io_bytes": written}, "mixed": whole}


def measure(
    directory: Path, load: Load, device_bytes: tuple[int, int], *parts: dict[str, Any]
) -> Any:
    """Run a job while the array's device counts so many bytes read and written."""
    read, written = (size // 512 for size in device_bytes)
    array = ScriptedMachine(
        directory / "array", counters(1000, 77, 100), counters(1000 + read, 77 + written, 300)
    )
    host = ScriptedMachine(directory / "host", "", "fio: a warning\n" + json.dumps({"jobs": parts}))
    return run(Way("iSCSI", host, "fio", "/dev/sda", "dm-3"), load, array)


def test_bytes_that_the_device_counted_are_a_figure(tmp_path: Path) -> None:
    result = measure(tmp_path, LOAD, (BYTES, 0), part(BYTES, 0))
    assert (result.rate, result.bandwidth, result.latency) == (10_000, 40.96, 12_800)
    assert (result.median, result.slowest) == (9_000, 40_000)
    assert result.processor == 200.0


@pytest.mark.parametrize("device_bytes", [0, BYTES // 2, BYTES * 2])
def test_bytes_that_the_device_did_not_see_are_an_error(tmp_path: Path, device_bytes: int) -> None:
    with pytest.raises(NotCounted, match="iSCSI"):
        measure(tmp_path, LOAD, (device_bytes, 0), part(BYTES, 0))


def test_a_mix_is_counted_with_what_is_beside_it(tmp_path: Path) -> None:
    own, stream = part(BYTES * 4, BYTES), part(0, BYTES * 3)
    result = measure(tmp_path, MIX, (BYTES * 4, BYTES * 4), own, stream)
    assert result.rate == 10_000
    assert result.processor == pytest.approx(25.0)


@pytest.mark.parametrize("device_bytes", [(BYTES * 4, BYTES), (0, BYTES * 4), (BYTES * 8, 0)])
def test_a_mix_is_an_error_where_either_part_was_not_seen(
    tmp_path: Path, device_bytes: tuple[int, int]
) -> None:
    with pytest.raises(NotCounted, match="iSCSI"):
        measure(tmp_path, MIX, device_bytes, part(BYTES * 4, BYTES), part(0, BYTES * 3))


def test_udevs_reads_after_each_writer_are_allowed_and_no_more(tmp_path: Path) -> None:
    own, stream = part(BYTES * 4, BYTES), part(0, BYTES * 3)
    reads = int(BYTES * 4 * 1.03)
    measure(tmp_path / "five", MIX, (reads + 5 * 1_300_000, BYTES * 4), own, stream)
    with pytest.raises(NotCounted, match="read"):
        measure(tmp_path / "seven", MIX, (reads + 7 * 1_300_000, BYTES * 4), own, stream)


def test_a_mix_without_writes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotCounted, match="write"):
        measure(tmp_path, MIX, (BYTES, 0), part(BYTES, 0), part(0, 0))


def test_the_load_beside_another_is_a_job_of_its_own() -> None:
    own, beside = MIX.arguments("/dev/sda").split(" --name=bench ")
    assert "--rw=randrw" in own and "--rwmixread=80" in own and "--bs=8k" in own
    assert "--rw=write" in beside and "--bs=64k" in beside and "--rwmixread" not in beside
    assert "--new_group" in beside


def test_ways_take_turns_and_medians_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = []
    rates = iter([1.0, 10.0, 3.0, 30.0, 2.0, 20.0])

    def run(way: Way, load: Load, array: Machine) -> Result:
        order.append(way.name)
        return Result(next(rates), 0, 0, 0, 0, 0)

    monkeypatch.setattr(fio, "run", run)
    machine = ScriptedMachine(tmp_path)
    ways = [Way(name, machine, "fio", "/dev/sda", "dm-3") for name in ("iSCSI", "SRP")]
    results = fio.in_turns(ways, [LOAD], machine, 3)
    assert order == ["iSCSI", "SRP"] * 3
    assert [results[LOAD][name].rate for name in ("iSCSI", "SRP")] == [2.0, 20.0]
