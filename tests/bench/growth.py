"""One more LUN and one more namespace, with few objects there and with many."""

from __future__ import annotations

from collections.abc import Iterator

from bench import contents, create
from bench.report import Line, times
from bench.stage import Stage

MANY = 4000
SAMPLES = 5


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines; leaves MANY objects in all."""
    session = stage.session()
    contents.have(session, create.OBJECTS)
    few = _one_more(stage, create.OBJECTS)
    contents.fill(session, range(create.OBJECTS + SAMPLES, MANY // 2))
    many = _one_more(stage, MANY // 2)
    for name in few:
        what = f"one more {name}, mapped"
        there = f"with {2 * create.OBJECTS:,} there"
        yield Line(what, there, few[name])
        against = times(many[name], few[name], there)
        yield Line(what, f"with {MANY:,} there", many[name], against=against)


def _one_more(stage: Stage, first: int) -> dict[str, float]:
    session = stage.session()
    numbers = range(first, first + SAMPLES)
    return {
        "LUN": create.seconds_each(session, contents.create_lun, numbers),
        "namespace": create.seconds_each(session, contents.create_namespace, numbers),
    }
