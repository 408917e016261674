"""The memory of the array that LUNs and namespaces take, and ONTAP's limit of them for a node."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench import contents, listing, power_on
from bench.report import Line
from bench.stage import Stage

SAMPLE = 256
HALF, LIMIT = 8192, 12_288
"""LUNs and namespaces together; half of each."""
AVAILABLE = "sync; echo 3 > /proc/sys/vm/drop_caches; grep MemAvailable /proc/meminfo"
KIB_AVAILABLE = f"{AVAILABLE} | tr -dc 0-9"


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the memory of one: created, mapped, and served."""
    session = stage.session()
    first = contents.number_of_luns(session)
    for name, create in (
        ("LUN", contents.create_luns),
        ("namespace of 4 KiB blocks", contents.create_namespaces),
    ):
        before, services = _available(stage), _services(stage)
        create(session, range(first, first + SAMPLE))
        taken, by_services = before - _available(stage), _services(stage) - services
        yield Line("memory of one more", name, taken / SAMPLE, "KiB")
        yield Line("memory of one more", f"{name}: services", by_services / SAMPLE, "KiB")


def measure_limit(stage: Stage) -> Iterator[Line]:
    """Yield the memory of as many as a node may have; leaves them there."""
    yield from power_on.measure_first(stage)
    session = stage.session()
    total = int(stage.array.run("grep MemTotal /proc/meminfo | tr -dc 0-9"))
    for count in (HALF, LIMIT):
        there = 2 * contents.number_of_luns(session)
        started = time.monotonic()
        contents.have(session, count // 2)
        spent = time.monotonic() - started
        what = f"{count:,} LUNs and namespaces"
        yield Line(what, "created and mapped, 100 in a request", (count - there) / spent, "per s")
        used = (total - _available(stage)) / 1024
        yield Line(what, f"memory in use, of {total >> 10:,} MiB", used, "MiB")
    for path in ("storage/luns", "storage/namespaces"):
        query = {"max_records": listing.PAGE, "fields": "**"}
        _, spent, listed = listing.pages(session, path, query)
        yield Line(what, f"GET {path}?fields=**, {listed:,} in pages of {listing.PAGE}", spent)
    yield from power_on.measure(stage)


def _available(stage: Stage) -> int:
    return int(stage.array.run(KIB_AVAILABLE))


def _services(stage: Stage) -> int:
    """Return the KiB of memory that Sanstone's processes have."""
    pids = "cat /sys/fs/cgroup/system.slice/sanstone-*.service/cgroup.procs"
    printed = stage.array.run(f"for pid in $({pids}); do grep VmRSS /proc/$pid/status; done")
    return sum(int(line.split()[1]) for line in printed.splitlines())
