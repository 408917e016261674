"""10,000 LUNs listed over REST: time to the first page, and to all pages.

The LUNs are copies of one LUN's row, put into the database while the reconciler is stopped, since a
list needs nothing else of them; this row therefore comes last. The floor is the work of any
service on this database: select the rows and print them as JSON, in one process in the
array.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from bench import contents
from bench.report import Line, times
from bench.stage import Stage
from lab.api import Api

LUNS = 10_000
PAGE = 500
SOME = 2000
CLIENTS, LOOK_UPS = 20, 20
FIELDS = "uuid,name,serial_number,os_type,enabled,space,status,location,svm"


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines; leaves the array's database fit for nothing else."""
    session = stage.session()
    contents.have(session, 1)
    stage.array.run("systemctl stop sanstone-reconciler")
    floor = stage.inside("rows", str(LUNS))["spent"]
    session = stage.session()
    title = f"list {LUNS:,} LUNs"
    yield Line(title, "bare SELECT and JSON, all", floor)
    for who, query in (
        (f"pages of {PAGE}", {"max_records": PAGE}),
        (f"pages of {PAGE}, ten fields", {"max_records": PAGE, "fields": FIELDS}),
        (f"pages of {PAGE}, fields=**", {"max_records": PAGE, "fields": "**"}),
        ("one page, ten fields", {"max_records": LUNS, "fields": FIELDS}),
    ):
        first, everything, count = pages(session, "storage/luns", query)
        if count != LUNS:
            raise RuntimeError(f"{count} LUNs were listed instead of {LUNS}")
        yield Line(title, f"{who}: first", first)
        yield Line(title, f"{who}: all", everything, against=times(everything, floor, "bare"))
    started = time.monotonic()
    session.get("storage/luns", max_records=SOME, fields="**")
    yield Line(title, f"{SOME:,} of them, fields=**", time.monotonic() - started)
    spent = _together(stage)
    who = f"one by its name, {CLIENTS} clients at once"
    yield Line(title, who, CLIENTS * LOOK_UPS / spent, "requests/s")


def _together(stage: Stage) -> float:
    """Return the seconds that all clients take for their look-ups, once they are connected."""
    sessions = [stage.session() for _ in range(CLIENTS)]
    connected = Barrier(CLIENTS + 1, timeout=60)

    def work(client: int) -> None:
        sessions[client].get("cluster")
        connected.wait()
        _look_up(sessions[client], client)

    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(work, client) for client in range(CLIENTS)]
        connected.wait()
        started = time.monotonic()
        for each in clients:
            each.result()
        return time.monotonic() - started


def _look_up(session: Api, client: int) -> None:
    for number in range(LOOK_UPS):
        name = f"/vol/luns/listed{client * LOOK_UPS + number + 1}"
        records = session.get("storage/luns", name=name, **{"svm.name": "bench"})["records"]
        if len(records) != 1:
            raise RuntimeError(f"{len(records)} LUNs are named {name}")


def pages(api: Api, path: str, query: dict[str, Any]) -> tuple[float, float, int]:
    """Return the seconds to a collection's first page and to its last, and how many it has."""
    started = time.monotonic()
    answer = api.get(path, **query)
    first = time.monotonic() - started
    count = answer["num_records"]
    while "next" in answer.get("_links", {}):
        answer = api.get(answer["_links"]["next"]["href"].removeprefix("/api/"))
        count += answer["num_records"]
    return first, time.monotonic() - started, count
