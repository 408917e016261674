"""fio's jobs, and the proof that the I/O they report went through the array.

A job may measure something else than was meant: a file, a cache, a wrong device. So its bytes are
compared with those that the exported device counted in the array meanwhile.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from bench.stage import INSIDE, Stage
from lab import commands
from lab.machine import Machine

SECONDS = 4
SIZE = "150M"
SECTOR = 512
TOLERANCE = 0.03
PROBE = 3 << 19
"""Bytes that udev may read in addition for each job: it looks at a device whenever a writer has
closed it. Where writers do not end at once, 1.3 MB were seen for each."""


class NotCounted(Exception):
    """The array's device did not count the I/O that the job reports."""


@dataclass(frozen=True)
class Load:
    """A job: `direction` is read, write or rw, `order` the prefix of fio's `rw` for random I/O.

    Of rw, `reads` per cent are reads. If another load is `beside` it, its figures are those of its
    own I/O alone, except for the processor's time, which is shared among all I/O.
    """

    name: str
    direction: str
    block: str
    depth: int
    jobs: int = 1
    order: str = ""
    reads: int = 0
    beside: Load | None = None

    @property
    def directions(self) -> set[str]:
        """Directions of the I/O: read, write or both."""
        own = {"read", "write"} if self.direction == "rw" else {self.direction}
        return own | self.beside.directions if self.beside else own

    @property
    def processes(self) -> int:
        """How many jobs there are."""
        return self.jobs + (self.beside.processes if self.beside else 0)

    def arguments(self, device: str) -> str:
        """Return fio's for this load, and the one beside it."""
        job = f"--name=bench --filename={device} --direct=1 --size={SIZE} --bs={self.block}"
        how = f"--ioengine=libaio --rw={self.order}{self.direction} --iodepth={self.depth}"
        if self.reads:
            how += f" --rwmixread={self.reads}"
        together = f"--numjobs={self.jobs} --group_reporting --new_group"
        reports = "--unified_rw_reporting=both --lat_percentiles=1 --clat_percentiles=0"
        own = f"{job} {how} {together} {reports} --runtime={SECONDS} --time_based"
        return f"{own} {self.beside.arguments(device)}" if self.beside else own


@dataclass(frozen=True)
class Way:
    """A way to a device: where fio runs, how it is called there, and the paths at both ends."""

    name: str
    machine: Machine
    fio: str
    device: str
    exported: str
    """The name in the array's /sys/block of the device that is exported."""


@dataclass(frozen=True)
class Result:
    """The figures of one run of a job."""

    rate: float
    """Operations per second."""
    bandwidth: float
    """MB per second."""
    latency: float
    """Mean, in microseconds."""
    median: float
    """Of the latencies, in microseconds."""
    slowest: float
    """The 99th percentile of the latency, in microseconds."""
    processor: float
    """Of the array's processors, in microseconds for each operation; fio's part too if it runs
    there."""


@dataclass(frozen=True)
class Counters:
    """Bytes that went through a device of the array, and busy seconds of its processors."""

    read: int
    write: int
    busy: float


def bring(stage: Stage) -> str:
    """Copy fio and its libraries from the host's files into the array; return how to call it."""
    tree = stage.images["host"].layers[0].with_suffix("")
    listing = commands.run(["chroot", tree, "ldd", "/usr/bin/fio"])
    libraries = [word for word in listing.split() if word.startswith("/")]
    loader = next(path for path in libraries if "/ld-" in path)
    files = [path.lstrip("/") for path in ("/usr/bin/fio", *libraries)]
    archive = stage.rack.directory / "fio.tar"
    pack: commands.Argv = ["tar", "--create", "--dereference", "--file", archive, "-C", tree]
    commands.run([*pack, "--transform", "s,.*/,,", *files])
    stage.array.run(f"mkdir -p {INSIDE}/fio && tar -x -C {INSIDE}/fio", stdin=archive.read_bytes())
    name = loader.rpartition("/")[2]
    return f"{INSIDE}/fio/{name} --library-path {INSIDE}/fio {INSIDE}/fio/fio"


def in_turns(
    ways: Sequence[Way], loads: Sequence[Load], array: Machine, repeats: int
) -> dict[Load, dict[str, Result]]:
    """Run each job `repeats` times, the ways in turns; return the medians by load and way.

    Raises NotCounted.
    """
    medians = {}
    for load in loads:
        taken: dict[str, list[Result]] = {way.name: [] for way in ways}
        for _ in range(repeats):
            for way in ways:
                taken[way.name].append(run(way, load, array))
        medians[load] = {name: median(results) for name, results in taken.items()}
    return medians


def median(results: Sequence[Result]) -> Result:
    """Return the median of each figure."""
    names = [field.name for field in fields(Result)]
    return Result(
        **{name: statistics.median(getattr(each, name) for each in results) for name in names}
    )


def run(way: Way, load: Load, array: Machine) -> Result:
    """Run a job. Raises NotCounted when it did not reach the exported device."""
    way.machine.run("udevadm settle")
    before = _counters(array, way.exported)
    command = f"{way.fio} {load.arguments(way.device)} --output-format=json"
    printed = way.machine.run(f"cd /tmp && {command}", timeout=120)
    after = _counters(array, way.exported)
    jobs: list[dict[str, Any]] = json.loads(printed[printed.index("{") :])["jobs"]
    for direction in sorted(load.directions):
        reported = sum(job[direction]["io_bytes"] for job in jobs)
        counted = getattr(after, direction) - getattr(before, direction)
        title = f"{load.name}, {way.name}: {direction}"
        require_counted(title, reported, counted, PROBE * load.processes)
    figures = jobs[0]["mixed"]
    latencies = figures["lat_ns"]["percentile"]
    return Result(
        rate=figures["iops"],
        bandwidth=figures["bw_bytes"] / 1e6,
        latency=figures["lat_ns"]["mean"] / 1e3,
        median=latencies["50.000000"] / 1e3,
        slowest=latencies["99.000000"] / 1e3,
        processor=(after.busy - before.busy) / sum(j["mixed"]["total_ios"] for j in jobs) * 1e6,
    )


def require_counted(title: str, reported: int, counted: int, probes: int) -> None:
    """Raise NotCounted unless the array's device counted the bytes that a job reports.

    It may have counted as many more as `probes`.
    """
    if (
        not reported
        or not -TOLERANCE * reported <= counted - reported <= TOLERANCE * reported + probes
    ):
        raise NotCounted(
            f"{title}: fio reports {reported} bytes, the array's device counted {counted}"
        )


def _counters(array: Machine, device: str) -> Counters:
    """Read /sys/block/<device>/stat and the line `cpu` of /proc/stat.

    Their fields: Documentation/block/stat.rst and proc_stat(5).
    """
    device_line, processor_line = array.run(
        f"cat /sys/block/{device}/stat; head --lines=1 /proc/stat"
    ).splitlines()
    device_fields = device_line.split()
    user, nice, system, _idle, _iowait, *interrupts = map(int, processor_line.split()[1:9])
    ticks = os.sysconf("SC_CLK_TCK")
    return Counters(
        read=int(device_fields[2]) * SECTOR,
        write=int(device_fields[6]) * SECTOR,
        busy=(user + nice + system + sum(interrupts)) / ticks,
    )
