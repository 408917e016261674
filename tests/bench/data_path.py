"""4 KiB random reads and writes: on the array itself, over iSCSI and over NVMe/TCP.

All three use one and the same device in memory, so that what differs is the way to it, and the same
job: libaio, O_DIRECT, 4 jobs at queue depth 32. fio is the host's; the array has none, so it runs
there from a copy with its libraries. Each is measured REPEATS times, in turns, and the median
counts.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench import contents
from bench.report import Line, times
from bench.stage import INSIDE, Stage
from lab import commands
from lab.machine import Machine

SECONDS = 8
REPEATS = 3
SIZE = "120M"
MEMORY = "/dev/ram0"
ADDRESS = contents.ADDRESSES["e0a"]
DIRECTIONS = {"randread": "read", "randwrite": "write"}


@dataclass(frozen=True)
class Way:
    """A way to the device: where fio runs, how it is called there, and the path."""

    name: str
    machine: Machine
    fio: str
    device: str


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines."""
    ways = _ways(stage)
    taken: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for _ in range(REPEATS):
        for direction in DIRECTIONS:
            for way in ways:
                taken[direction, way.name].append(_fio(way, direction))
    _leave(stage)
    for direction, name in DIRECTIONS.items():
        local = _median(taken[direction, "on the array"])
        iscsi = _median(taken[direction, "iSCSI"])
        for way in ways:
            rate, latency = _median(taken[direction, way.name])
            against, slower = "", ""
            if way.name != "on the array":
                against = times(rate, local[0], "local")
                slower = times(latency, local[1], "local")
            if way.name == "NVMe/TCP":
                against += f", {times(rate, iscsi[0], 'iSCSI')}"
                slower += f", {times(latency, iscsi[1], 'iSCSI')}"
            yield Line(f"4 KiB random {name}", way.name, rate, "IOPS", against)
            yield Line(f"4 KiB random {name}", f"{way.name}, latency", latency, "ms", slower)


def _ways(stage: Stage) -> list[Way]:
    array, host = stage.array, stage.host
    array.run("systemctl stop sanstone-reconciler")
    array.run(f"[ -b {MEMORY} ] || modprobe brd rd_nr=1 rd_size=131072")
    # Pages that were never written would be read from nowhere.
    array.run(f"dd if=/dev/zero of={MEMORY} bs=1M count={SIZE[:-1]} oflag=direct status=none")
    initiator, host_nqn = contents.initiator(0), contents.host_nqn(0)
    names = stage.inside("export", MEMORY, ADDRESS, initiator, host_nqn)
    host.run("systemctl stop multipathd.socket multipathd.service")
    disk = log_in(host, ADDRESS, names["target"], initiator, lun=0)
    namespace = connect(host, ADDRESS, names["subsystem"], host_nqn)
    return [
        Way("on the array", array, _bring_fio(stage), MEMORY),
        Way("iSCSI", host, "fio", disk),
        Way("NVMe/TCP", host, "fio", namespace),
    ]


def _leave(stage: Stage) -> None:
    disconnect(stage.host)
    stage.array.run("systemctl start sanstone-reconciler")


def log_in(host: Machine, address: str, target: str, initiator: str, lun: int) -> str:
    """Log in to an iSCSI target as `initiator` and return the path of a LUN's disk."""
    host.run(f"echo InitiatorName={initiator} > /etc/iscsi/initiatorname.iscsi")
    host.run("systemctl restart iscsid")
    host.run(f"iscsiadm -m discovery -t sendtargets -p {address}")
    host.run(f"iscsiadm -m node -T {target} -p {address} --login")
    path = f"/dev/disk/by-path/ip-{address}:3260-iscsi-{target}-lun-{lun}"
    host.run(f"udevadm settle; readlink -e {path}")
    return path


def connect(host: Machine, address: str, subsystem: str, host_nqn: str) -> str:
    """Connect to an NVMe subsystem as `host_nqn` and return the path of its first namespace."""
    where = f"--transport=tcp --traddr={address} --trsvcid=4420 --nqn={subsystem}"
    patience = "--ctrl-loss-tmo=-1 --reconnect-delay=1"
    host.run(f"nvme connect {where} --hostnqn={host_nqn} {patience}")
    script = f"""
        udevadm settle
        cd /sys/class/nvme-subsystem
        subsystem=$(dirname "$(grep --files-with-matches --line-regexp {subsystem} */subsysnqn)")
        ls "$subsystem" | grep --max-count=1 --extended-regexp '^nvme[0-9]+n[0-9]+$'
    """
    return "/dev/" + host.run(script).strip()


def disconnect(host: Machine) -> None:
    """End all sessions."""
    host.run("iscsiadm -m node --logoutall=all && nvme disconnect-all")
    host.run("iscsiadm -m node -o delete")


def _bring_fio(stage: Stage) -> str:
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


def _fio(way: Way, direction: str) -> tuple[float, float]:
    """Return operations per second and the mean latency in milliseconds."""
    job = f"--name=bench --filename={way.device} --rw={direction} --bs=4k --direct=1 --size={SIZE}"
    load = "--ioengine=libaio --iodepth=32 --numjobs=4 --group_reporting"
    bounds = f"--runtime={SECONDS} --time_based --output-format=json"
    printed = way.machine.run(f"cd /tmp && {way.fio} {job} {load} {bounds}", timeout=120)
    result: dict[str, Any] = json.loads(printed[printed.index("{") :])["jobs"][0]
    figures = result[DIRECTIONS[direction]]
    return figures["iops"], figures["lat_ns"]["mean"] / 1e6


def _median(taken: list[tuple[float, float]]) -> tuple[float, float]:
    rates, latencies = zip(*taken, strict=True)
    return statistics.median(rates), statistics.median(latencies)
