"""Reads and writes on the array itself, over iSCSI and over NVMe/TCP, and their cost.

All go to thin devices of one pool in memory, so that only the way to them differs. Beside each
protocol stands the same kernel target on the same thin device, set up by hand with the kernel's own
settings and without layers. All do the same jobs, O_DIRECT by libaio. fio is the host's; the array
has none, so it runs there from a copy with its libraries. Each job is run REPEATS times, the ways
in turns, and the medians count.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import contents, fio
from bench.fio import Load, Result, Way
from bench.initiators import connect, disconnect, log_in
from bench.report import Line, times
from bench.stage import Stage

REPEATS = 3
LOCAL, ISCSI, NVME = "on the array", "iSCSI", "NVMe/TCP"
PEERS = {ISCSI: "iSCSI by hand", NVME: "NVMe/TCP by hand"}
RANDOM = [
    Load(f"4 KiB random {direction}, 4 jobs of depth 32", direction, "4k", 32, 4, "rand")
    for direction in ("read", "write")
]
SEQUENTIAL = [
    Load(f"{name} sequential {direction}, depth 16", direction, block, 16)
    for name, block in (("64 KiB", "64k"), ("1 MiB", "1m"))
    for direction in ("read", "write")
]
SINGLE = [
    Load(f"4 KiB random {direction}, depth 1", direction, "4k", 1, 1, "rand")
    for direction in ("read", "write")
]


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines."""
    ways = prepare(stage)
    loads = (*RANDOM, *SEQUENTIAL, *SINGLE)
    taken = fio.in_turns(ways, loads, stage.array, REPEATS)
    leave(stage)
    for load, results in taken.items():
        yield from _lines(load, results)


def _lines(load: Load, results: dict[str, Result]) -> Iterator[Line]:
    field, unit = ("rate", "IOPS")
    if load in SEQUENTIAL:
        field, unit = ("bandwidth", "MB/s")
    if load in SINGLE:
        field, unit = ("latency", "µs")
    values = {name: getattr(result, field) for name, result in results.items()}
    for name, value in values.items():
        against = "" if name == LOCAL else times(value, values[LOCAL], "local")
        if peer := PEERS.get(name):
            against += f", {times(value, values[peer], 'by hand')}"
        if name == NVME:
            against += f", {times(value, values[ISCSI], ISCSI)}"
        yield Line(load.name, name, value, unit, against)
    if load in RANDOM:
        for name in PEERS:
            spent = results[name].processor
            against = times(spent, results[PEERS[name]].processor, "by hand")
            yield Line(load.name, f"{name}, array's processor", spent, "µs each", against)


def prepare(stage: Stage) -> list[Way]:
    """Export the devices, log in and connect; the reconciler stands still until `leave`."""
    array, host = stage.array, stage.host
    array.run("systemctl stop sanstone-reconciler")
    stage.have_disks_in_memory()
    initiator, host_nqn = contents.initiator(0), contents.host_nqn(0)
    ours, plain = contents.ADDRESSES.values()
    exports = stage.inside("export", ours, plain, initiator, host_nqn)
    host.run("systemctl stop multipathd.socket multipathd.service")
    devices, copy = exports["devices"], fio.bring(stage)
    ways = [Way(LOCAL, array, copy, f"/dev/{devices['lun']}", devices["lun"])]
    for name, address, target in (
        (ISCSI, ours, exports["target"]),
        (PEERS[ISCSI], plain, exports["plain target"]),
    ):
        disk = log_in(host, address, target, initiator, lun=0)
        ways.append(Way(name, host, "fio", disk, devices["lun"]))
    for name, address, subsystem, exported in (
        (NVME, ours, exports["subsystem"], devices["namespace"]),
        (PEERS[NVME], plain, exports["plain subsystem"], devices["below"]),
    ):
        namespace = connect(host, address, subsystem, host_nqn)
        ways.append(Way(name, host, "fio", namespace, exported))
    return ways


def leave(stage: Stage) -> None:
    """End the sessions and let the reconciler bring back the array's exports."""
    disconnect(stage.host)
    stage.array.run("systemctl start sanstone-reconciler")
