"""Twenty clients at once, which create LUNs and namespaces and map them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bench import contents, growth
from bench.report import Line
from bench.stage import Stage
from lab.api import Api

CLIENTS = 20
EACH = 6
"""Of each kind, that one client makes."""


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the line; there are growth.MANY objects before."""
    contents.have(stage.session(), growth.MANY // 2)
    first = contents.number_of_luns(stage.session())
    there = 2 * first
    sessions = [stage.session() for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        started = time.monotonic()
        list(pool.map(_work, sessions, range(first, first + CLIENTS * EACH, EACH)))
        spent = time.monotonic() - started
    what = f"objects created and mapped, with {there:,} there"
    yield Line(what, f"{CLIENTS} clients at once", 2 * EACH * CLIENTS / spent, "per s")


def _work(session: Api, first: int) -> None:
    for number in range(first, first + EACH):
        contents.create_lun(session, number)
        contents.create_namespace(session, number)
