"""LUNs and namespaces over REST: created and mapped one after the other, by one client.

A client gets its answer when hosts can use the object. The peer is what an administrator of a plain
Linux target types: `lvcreate`, and `targetcli` or writes to nvmet's configfs, timed on a few
objects on a target that has no others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench import contents
from bench.report import Line
from bench.stage import PROGRAMS, Stage
from lab.api import Api

OBJECTS = 512
PEER_OBJECTS = 5


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines; afterwards OBJECTS LUNs and as many namespaces are there."""
    peers = _peers(stage)
    session = stage.session()
    # A row before may have created the first ones.
    first = contents.number_of_luns(session)
    for name, create, peer in (
        ("LUNs", contents.create_lun, "lvcreate, targetcli"),
        ("namespaces", contents.create_namespace, "lvcreate, configfs"),
    ):
        title = f"create and map {OBJECTS} {name}"
        rate = 1 / seconds_each(session, create, range(first, OBJECTS))
        yield Line(title, "ours, over REST", rate, "per s", f"{rate / peers[name]:.1f} x {peer}")
        yield Line(title, f"{peer} ({PEER_OBJECTS})", peers[name], "per s")


def seconds_each(api: Api, create: Callable[[Api, int], None], numbers: range) -> float:
    """Return the mean time of creating and mapping the objects `numbers`."""
    started = time.monotonic()
    for number in numbers:
        create(api, number)
    return (time.monotonic() - started) / len(numbers)


def _peers(stage: Stage) -> dict[str, float]:
    """Return how many of each the peers make in a second."""
    with stage.reconciler_stopped():
        printed = stage.array.run(f"bash {PROGRAMS}/peer.sh {PEER_OBJECTS}", timeout=600)
    before, between, after = (int(word) / 1e9 for word in printed.split()[-3:])
    return {
        "LUNs": PEER_OBJECTS / (between - before),
        "namespaces": PEER_OBJECTS / (after - between),
    }
