"""A snapshot of a volume of 64 LUNs under writes: how long the longest write waits for it.

One writer on the array itself writes to the LUNs' devices in turn; beside it the same LUNs are
suspended, given a snapshot each and resumed by bare calls of device-mapper, and left alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from bench import contents, fio
from bench.report import Line, times
from bench.stage import Stage

LUNS = 64
SIZE = 8 << 20
SECONDS = 12
RATE = 10
"""Writes per second to each LUN: enough for some to be under way, too few to queue."""
VOLUME = contents.SVM | {"name": "written"}


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines; the volume is gone afterwards."""
    session = stage.session()
    body = VOLUME | {"size": 1 << 40, "guarantee": {"type": "none"}}
    session.post("storage/volumes", body | {"aggregates": [{"name": "bench"}]})
    lun = contents.SVM | {"os_type": "linux", "space": {"size": SIZE}}
    records = [lun | {"name": f"/vol/written/lun{number}"} for number in range(LUNS)]
    session.post("storage/luns", {"records": records})
    luns = session.get("storage/luns", **{"location.volume.name": "written"})["records"]
    [volume] = session.get("storage/volumes", name="written")["records"]
    snapshots = f"storage/volumes/{volume['uuid']}/snapshots"
    uuids = [lun["uuid"] for lun in luns]
    call = fio.bring(stage)

    def ours() -> None:
        session.post(snapshots, {"name": "bench"})

    def bare() -> None:
        stage.inside("pause", *uuids)

    what = f"longest write while a volume of {LUNS} LUNs gets a snapshot"
    alone = _longest(stage, call, uuids, lambda: None)
    by_hand = _longest(stage, call, uuids, bare)
    yield Line(what, "no snapshot", alone, "ms")
    yield Line(what, "bare suspend, message, resume", by_hand, "ms")
    taken = _longest(stage, call, uuids, ours)
    yield Line(what, "ours", taken, "ms", times(taken, by_hand, "bare"))
    session.delete(f"storage/volumes/{volume['uuid']}")


def _longest(stage: Stage, call: str, uuids: list[str], do: Callable[[], None]) -> float:
    """Return the milliseconds of the longest write while something is done amid them."""
    devices = ":".join(f"/dev/sanstone/{uuid}" for uuid in uuids)
    how = f"--direct=1 --rw=randwrite --bs=4k --ioengine=libaio --iodepth={len(uuids)}"
    pace = f"--file_service_type=roundrobin --rate_iops={RATE * len(uuids)}"
    bounds = f"--runtime={SECONDS} --time_based --output-format=json"
    command = f"cd /tmp && {call} --name=writes --filename={devices} {how} {pace} {bounds}"
    with ThreadPoolExecutor() as pool:
        written = pool.submit(stage.array.run, command, timeout=300)
        time.sleep(SECONDS / 2)
        do()
        printed = written.result()
    [job] = json.loads(printed[printed.index("{") :])["jobs"]
    return float(job["write"]["lat_ns"]["max"]) / 1e6
