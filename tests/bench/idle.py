"""The load of an array without requests."""

from __future__ import annotations

from collections.abc import Iterator

from bench import contents, growth
from bench.report import Line
from bench.stage import Stage
from sanstone.reconcile.turn import VERIFIED

SECONDS = 120
"""More than the time in which everything is verified once."""


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines; there are growth.MANY objects at least."""
    contents.have(stage.session(), growth.MANY // 2)
    count = 2 * contents.number_of_luns(stage.session())
    load = stage.inside("idle", str(SECONDS))
    what = f"idle for {SECONDS} s, {count:,} objects"
    floor = float(stage.inside("verify")) / VERIFIED * 100
    yield Line(what, "bare calls that read as much in the time", floor, "%")
    yield Line(what, "all of the machine, of one processor", load["machine"], "%")
    for unit, share in sorted(load["units"].items()):
        yield Line(what, unit, share, "%")
    yield Line(what, "the reconciler's longest stretch of work", load["longest"])
