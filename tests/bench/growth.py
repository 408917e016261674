"""One more LUN and one more namespace, with few objects there and with many.

Beside them is the time of bare calls of device-mapper and configfs. Objects are created by turns,
and the median counts: the array's periodic work beside any change, such as a copy of its
configuration, has a row of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

from bench import contents
from bench.report import Line, times
from bench.stage import Stage

MANY = 4000
SAMPLES = 15
CREATORS = {"LUN": contents.create_lun, "namespace": contents.create_namespace}


def measure_few(stage: Stage) -> Iterator[Line]:
    """Yield the lines for the array as it is, beside bare calls; `measure` compares with them."""
    session = stage.session()
    contents.have(session, 1)
    there = contents.number_of_luns(session)
    bare = _bare(stage)
    stage.one_more = _one_more(stage, there)
    for name, seconds in stage.one_more.items():
        title = f"one more {name}, mapped"
        yield Line(title, "bare calls", bare[name])
        against = times(seconds, bare[name], "bare")
        yield Line(title, f"with {2 * there:,} there", seconds, against=against)


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines; leaves MANY objects in all."""
    if not stage.one_more:
        yield from measure_few(stage)
    session = stage.session()
    contents.have(session, MANY // 2)
    many = contents.number_of_luns(session)
    for name, seconds in _one_more(stage, many).items():
        against = times(seconds, stage.one_more[name], "with few")
        yield Line(f"one more {name}, mapped", f"with {2 * many:,} there", seconds, against=against)


def _bare(stage: Stage) -> dict[str, float]:
    """Return the median seconds of one of each by bare calls."""
    [lun] = stage.session().get("storage/luns", max_records="1")["records"]
    with stage.reconciler_stopped():
        seconds: dict[str, float] = stage.inside("bare", str(SAMPLES), lun["uuid"])
    return seconds


def _one_more(stage: Stage, first: int) -> dict[str, float]:
    """Return the median seconds in which one of each is created and mapped."""
    session = stage.session()
    seconds: dict[str, list[float]] = {name: [] for name in CREATORS}
    for number in range(first, first + SAMPLES):
        for name, create_and_map in CREATORS.items():
            started = time.monotonic()
            create_and_map(session, number)
            seconds[name].append(time.monotonic() - started)
    return {name: median(each) for name, each in seconds.items()}
