"""fio's jobs, and the proof that what they tell went through the array.

A job may measure something else than was meant: a file, a cache, a wrong device. So its bytes are
compared with those that the exported device counted in the array meanwhile.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from bench.stage import INSIDE, Stage
from lab import commands
from lab.machine import Machine

SECONDS = 4
SIZE = "150M"
SECTOR = 512
TOLERANCE = 0.03
PROBES = 4 << 20
"""Bytes that udev may read in addition: it looks at a device when a writer has closed it."""


class NotCounted(Exception):
    """The array's device did not see what the job says it did."""


@dataclass(frozen=True)
class Load:
    """A job: `direction` is read or write, `order` what fio's `rw` begins with for random I/O."""

    name: str
    direction: str
    block: str
    depth: int
    jobs: int = 1
    order: str = ""


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
    """What one run of a job told."""

    rate: float
    """Operations per second."""
    bandwidth: float
    """MB per second."""
    latency: float
    """Mean, in microseconds."""
    processor: float
    """Of the array's processors, in microseconds for each operation."""


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


def run(way: Way, load: Load, array: Machine) -> Result:
    """Run a job. Raises NotCounted when it did not reach the exported device."""
    job = f"--name=bench --filename={way.device} --direct=1 --size={SIZE} --bs={load.block}"
    how = f"--ioengine=libaio --rw={load.order}{load.direction} --iodepth={load.depth}"
    together = f"--numjobs={load.jobs} --group_reporting --output-format=json"
    bounds = f"--runtime={SECONDS} --time_based"
    way.machine.run("udevadm settle")
    before = _counters(array, way.exported)
    printed = way.machine.run(f"cd /tmp && {way.fio} {job} {how} {together} {bounds}", timeout=120)
    after = _counters(array, way.exported)
    job_result: dict[str, Any] = json.loads(printed[printed.index("{") :])["jobs"][0]
    figures = job_result[load.direction]
    counted = getattr(after, load.direction) - getattr(before, load.direction)
    require_counted(f"{load.name}, {way.name}", figures["io_bytes"], counted)
    return Result(
        rate=figures["iops"],
        bandwidth=figures["bw_bytes"] / 1e6,
        latency=figures["lat_ns"]["mean"] / 1e3,
        processor=(after.busy - before.busy) / figures["total_ios"] * 1e6,
    )


def require_counted(title: str, reported: int, counted: int) -> None:
    """Raise NotCounted unless the array's device counted the bytes that a job told."""
    if (
        not reported
        or not -TOLERANCE * reported <= counted - reported <= TOLERANCE * reported + PROBES
    ):
        raise NotCounted(
            f"{title}: fio tells {reported} bytes, the array's device counted {counted}"
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
