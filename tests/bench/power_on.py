"""From power-on to the first I/O served: a host's read waits while the array boots.

The array's power is cut, a read of a LUN and one of a namespace begin in the host, and the array is
powered on. When each read returns, hosts are served. The array itself knows the share of each unit:
when it was up, counted from the start of the kernel. It is measured with next to nothing there, and
with MANY objects.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bench import contents
from bench.initiators import connect, disconnect, log_in
from bench.report import Line, times
from bench.stage import Stage
from lab.machine import Machine

UNITS = {
    "sshd is up (no part of Sanstone's)": "ssh.service",
    "set-up is done": "sanstone-setup.service",
    "the API answers": "sanstone-api.service",
    "exports are complete": "sanstone-reconciler.service",
}
MANY = 4096
ADDRESS = contents.ADDRESSES["e0a"]


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines for the array as it is, and how they compare with those of the first time."""
    session = stage.session()
    if not stage.first_reads:
        contents.create_first(session)
    host = stage.host
    target = session.get("protocols/san/iscsi/services", fields="target")["records"][0]["target"]
    name = f"subsystem{contents.FIRST}"
    subsystems = session.get("protocols/nvme/subsystems", name=name, fields="target_nqn")
    nqn = subsystems["records"][0]["target_nqn"]
    count = contents.number_of_luns(session) + 1
    initiator, host_nqn = contents.initiator(contents.FIRST), contents.host_nqn(contents.FIRST)
    devices = {
        "iSCSI": log_in(host, ADDRESS, target["name"], initiator, lun=0),
        "NVMe/TCP": connect(host, ADDRESS, nqn, host_nqn),
    }
    stage.array.power_off_hard()
    with ThreadPoolExecutor() as pool:
        started = time.monotonic()
        waiting = {name: pool.submit(_first_read, host, device) for name, device in devices.items()}
        stage.power_on(stage.array)
        served = {name: future.result() - started for name, future in waiting.items()}
    stage.array.wait_until_booted()
    stage.bring_programs(stage.array)
    title = f"power-on to I/O, {count} LUNs and {count} namespaces"
    up = {name: _up(stage.array, unit) for name, unit in UNITS.items()}
    base = up["sshd is up (no part of Sanstone's)"]
    for name, seconds in up.items():
        yield Line(title, name, seconds)
    for name, seconds in served.items():
        against = times(seconds, base, "sshd")
        if before := stage.first_reads.setdefault(name, seconds):
            against += f", {times(seconds, before, 'with one of each')}"
        yield Line(title, f"first read over {name}", seconds, against=against)
    disconnect(host)


def measure_first(stage: Stage) -> Iterator[Line]:
    """Yield the lines for the array as it is, unless they were measured with fewer objects."""
    if not stage.first_reads:
        yield from measure(stage)


def measure_many(stage: Stage) -> Iterator[Line]:
    """Yield the lines for MANY objects."""
    yield from measure_first(stage)
    contents.have(stage.session(), MANY // 2)
    yield from measure(stage)


def _first_read(host: Machine, device: str) -> float:
    host.run(f"dd if={device} of=/dev/null bs=4k count=1 iflag=direct status=none", timeout=600)
    return time.monotonic()


def _up(array: Machine, unit: str) -> float:
    shown = array.run(f"systemctl show --value -p ActiveEnterTimestampMonotonic {unit}")
    return int(shown) / 1e6
