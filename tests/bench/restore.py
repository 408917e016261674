"""Exports come back: the cost of a start of the array after its pool is there.

The exports and their thin devices are taken away and brought back by: bare calls, as a loop that
creates the same devices and does the same writes (the floor); ours; for exports whose devices are
there, `targetctl restore` (rtslib) and `nvmetcli restore`, from files that they saved of the very
same exports. Ours also looks at disks, RAID, pool and network, reads the database and records the
observed state; "apply" is the part that writes to configfs, "first pass" all but the start of the
process.
Programs are timed from their start.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench import contents, create
from bench.report import Line, times
from bench.stage import INSIDE, Stage

LIO, NVMET = "/sys/kernel/config/target", "/sys/kernel/config/nvmet"
RECORD = f"{INSIDE}/record.json"
PEERS = (
    ("LUNs", LIO, "targetctl"),
    ("namespaces", NVMET, "nvmetcli"),
)


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines."""
    contents.have(stage.session(), create.OBJECTS)
    stage.array.run("systemctl stop sanstone-reconciler")
    there = stage.inside("restore", "count")
    title = f"restore {there['namespaces']} LUNs and {there['namespaces']} namespaces"
    for _, _, program in PEERS:
        stage.array.run(f"{program} save {INSIDE}/{program}.json")

    _clear(stage)
    ours = stage.inside("restore", "record", RECORD)
    _clear(stage)
    devices = stage.inside("restore", "devices", RECORD)
    loops = {
        name: stage.inside("restore", "floor", RECORD, root)["loop"] for name, root, _ in PEERS
    }
    writes = sum(loops.values())
    floor = devices["loop"] + writes
    yield Line(title, f"bare writes ({ours['steps']})", writes)
    yield Line(title, "ours, apply alone", ours["apply"], against=_against(ours["apply"], writes))
    yield Line(title, f"bare: {devices['devices']} devices, and writes", floor)
    beside = "the same bare"
    against = times(ours["total"], floor, beside)
    yield Line(title, "ours, first pass", ours["total"], against=against)

    _clear(stage)
    spent = stage.inside("restore", "serve")["spent"]
    yield Line(title, "ours, whole process", spent, against=times(spent, floor, beside))
    same = stage.inside("restore", "count") == there
    if not same:
        yield Line(title, "ours, whole process", None, reason="not all exports came back")

    for name, _, program in PEERS:
        yield from _peer(stage, name, program, loops[name], there)
    _clear(stage)
    stage.array.run("systemctl start sanstone-reconciler")


def _peer(
    stage: Stage, name: str, program: str, floor: float, there: dict[str, int]
) -> Iterator[Line]:
    title = f"restore {there['namespaces']} {name}"
    _clear(stage)
    stage.inside("restore", "devices", RECORD)
    file = f"{INSIDE}/{program}.json"
    done = stage.inside("restore", "run", program, "restore", file)
    key = name.lower()
    back = stage.inside("restore", "count")[key]
    yield Line(title, "bare writes", floor)
    if done["status"] or back != there[key]:
        reason = f"{back} of {there[key]} came back, exit status {done['status']}: {done['output']}"
        yield Line(title, f"{program} restore", None, reason=reason)
    else:
        against = _against(done["spent"], floor)
        yield Line(title, f"{program} restore", done["spent"], against=against)


def _clear(stage: Stage) -> None:
    failures = stage.inside("restore", "clear")["failures"]
    if failures:
        raise RuntimeError(f"exports could not be removed: {failures[:3]}")


def _against(value: float, floor: float) -> str:
    return times(value, floor, "bare writes")
