"""`python3 -m bench [ROW …]` with `tests` on the path: the program of `make bench`.

Without names it measures all rows, in the order of ROWS, since each builds on the objects that the
ones before it left in the array; a row creates those that it lacks. A row that breaks is reported
and does not stop the others; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

from bench import (
    api_memory,
    clients,
    contents,
    create,
    data_path,
    growth,
    idle,
    limits,
    listing,
    memory,
    power_on,
    report,
    restore,
    snapshot,
    system,
    transports,
)
from bench.report import Line
from bench.stage import DIRECTORY, Stage, new_rack
from lab import dependencies, engine, image, rack_lock, uml
from lab.engine import Engine
from lab.image import Image
from lab.rack import Rack

Measure = Callable[[Stage], Iterable[Line]]
ROWS: dict[str, Measure] = {
    "power_on": power_on.measure,
    "growth_from_few": growth.measure_few,
    "data_path": data_path.measure,
    "limits": limits.measure,
    "transports": transports.measure,
    "create": create.measure,
    "restore": restore.measure,
    "memory": memory.measure,
    "growth": growth.measure,
    "clients": clients.measure,
    "api_memory": api_memory.measure,
    "idle": idle.measure,
    "snapshot": snapshot.measure,
    "power_on_many": power_on.measure_many,
    "limit": memory.measure_limit,
    "listing": listing.measure,
}

ACROSS = {"transports"}
"""Rows that measure the same of several, beside each other in a table of their own."""


def main() -> int:
    """Build stale images, choose the engine, measure."""
    parser = argparse.ArgumentParser(prog="bench", description="Measures Sanstone.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--isolated", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.rows) - ROWS.keys():
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    if options.isolated:
        images = _load(options.isolated)
        return _measure_in(uml.Rack, images, uml.ENGINE, options.rows)
    dependencies.install_missing()
    images = image.ensure()
    chosen = engine.choose(images["array"])
    if chosen is engine.KVM:
        return _measure_in(Rack, images, chosen, options.rows)
    uml.allow_many_devices()
    return _isolate({role: uml.prepare(each) for role, each in images.items()}, options.rows)


def _isolate(images: dict[str, Image], rows: list[str]) -> int:
    """Go on in namespaces of our own, where User-mode Linux has its networks."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump({role: asdict(each) for role, each in images.items()}, file, default=str)
    again = [sys.executable, "-m", "bench", "--isolated", file.name, *rows]
    words = uml.isolated(again)
    os.execvp(words[0], words)


def _load(file: Path) -> dict[str, Image]:
    described = json.loads(file.read_text())
    file.unlink()
    return {
        role: Image(
            layers=tuple(Path(layer) for layer in each["layers"]),
            kernel=Path(each["kernel"]),
            initrd=Path(each["initrd"]),
        )
        for role, each in described.items()
    }


def _measure_in(kind: type[Rack], images: dict[str, Image], chosen: Engine, rows: list[str]) -> int:
    with rack_lock.take(DIRECTORY):
        return _measure(Stage(new_rack(kind), images, chosen), rows)


def _measure(stage: Stage, names: list[str]) -> int:
    lines: list[Line] = []
    across: list[Line] = []
    failed = False
    try:
        _tell("booting")
        stage.boot()
        machine = system.describe(stage)
        contents.prepare(stage.session())
        for name in names or ROWS:
            _tell(f"measuring {name}")
            try:
                for line in ROWS[name](stage):
                    (across if name in ACROSS else lines).append(line)
                    _tell(f"  {line.what}: {line.who}: {line.figure} {line.against}")
            except Exception as error:  # noqa: BLE001 - reported, and the exit status says so
                traceback.print_exc()
                lines.append(
                    Line(name, "the row broke", None, reason=str(error).strip().splitlines()[-1])
                )
                failed = True
    finally:
        stage.rack.stop()
    print()
    for name, text in machine.items():
        print(f"{name:12} {text}")
    shapes = (report.table, lines), (report.across, across)
    tables = [shape(some) for shape, some in shapes if some]
    saved = report.save(machine, [*lines, *across])
    print("\n" + "\n\n".join([*tables, f"Also in {saved}"]))
    return int(failed)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
