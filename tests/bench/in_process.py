"""The cost of the API's own part of a request: `python -m bench.in_process [OBJECTS …]`.

For each number of objects an array is one process with a kernel in memory. It has as many LUNs, and
as many namespaces, all mapped, put in by SQL, and the reconciler is replaced by the end of each job
at once. So no machine is needed, and the figures are the API's alone: beside each list the same
rows by plain sqlite3 and json.dumps, and each change at one number of objects beside that at
another. Times are the processor's where one client asks, which others that use the machine change
least, and the clock's for twenty at once. `api`, `tests` and `tests/unit` must be on the path.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from simulator import Simulator, simulated

from bench import contents
from bench.report import Line, table, times
from lab.api import Refused
from sanstone.core import jobs
from sanstone.core.database import store
from sanstone.core.history import metrics

DEFAULT = (16, 2000, 10_000)
CLIENTS = 20
PAGE = 500
LISTS = {
    "storage/luns": "lun",
    "storage/namespaces": "namespace",
    "storage/volumes": "volume",
    "protocols/san/lun-maps": "lun_map",
    "protocols/nvme/subsystem-maps": "subsystem_map",
    "protocols/san/igroups": "igroup",
    "protocols/nvme/subsystems": "subsystem",
}
CHANGES: dict[str, Callable[[int], dict[str, Any]]] = {
    "storage/luns": contents.lun,
    "protocols/san/lun-maps": contents.lun_map,
    "storage/namespaces": contents.namespace,
    "protocols/nvme/subsystem-maps": contents.subsystem_map,
}
NEW = 40
"""Objects that are created for a figure, with the numbers from here on."""
FIRST_NEW = 1_000_000


class Client:
    """A simulated array as other rows speak to one."""

    def __init__(self, array: Simulator) -> None:
        self._array = array

    def post(self, path: str, body: Any) -> Any:
        """Create an object."""
        return self._array.do("POST", path, body)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send one request and return the answer's JSON. Raises Refused."""
        response = self._array.call(method, path, body)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            raise Refused(f"{method} {path}", response.status_code, response.get_json())
        return response.get_json()


def fill(array: Simulator, count: int) -> None:
    """Insert `count` LUNs and as many namespaces by SQL, with maps, observations and counters."""
    client: Any = Client(array)
    contents.prepare(client)
    contents.create_lun(client, 0)
    contents.create_namespace(client, 0)
    array.settle()
    with closing(sqlite3.connect(store.path())) as database, database:
        database.row_factory = sqlite3.Row
        groups = {table: _column(database, table, "uuid") for table in ("igroup", "subsystem")}
        for table, mapping, group in (
            ("lun", "lun_map", "igroup"),
            ("namespace", "subsystem_map", "subsystem"),
        ):
            _copy(database, table, mapping, group, groups[group], count)
    keys = [(kind, key) for kind in ("storage/luns", "storage/namespaces") for key in _uuids(kind)]
    counters = metrics.Counters(7, 9, 0, 4096, 8192, 100, 200)
    metrics.record(time.time(), {key: metrics.Done(counters) for key in keys}, set(keys))


def _uuids(kind: str) -> list[str]:
    with closing(sqlite3.connect(store.path())) as database:
        return _column(database, LISTS[kind], "uuid")


def _column(database: sqlite3.Connection, table: str, column: str) -> list[str]:
    return [row[0] for row in database.execute(f"SELECT {column} FROM {table} ORDER BY name")]


def _copy(
    database: sqlite3.Connection,
    table: str,
    mapping: str,
    group: str,
    groups: list[str],
    count: int,
) -> None:
    """Copy the one row of a table, of its mapping and of its observed state."""
    device = dict(database.execute(f"SELECT * FROM {table}").fetchone())
    mapped = dict(database.execute(f"SELECT * FROM {mapping}").fetchone())
    observed = dict(
        database.execute("SELECT * FROM observed WHERE key = ?", (device["uuid"],)).fetchone()
    )
    for number in range(1, count):
        own = {
            "uuid": str(uuid.UUID(int=(number << 64) | len(table))),
            "thin_id": (1 << 22) + number,
        }
        own["name"] = f"{device['name'][:-1]}{number}"
        place = {f"{table}_uuid": own["uuid"], f"{group}_uuid": groups[number % len(groups)]}
        if table == "lun":
            own |= {"number": device["number"] + number, "serial_number": f"5a{number:010x}"}
            place["logical_unit_number"] = number // len(groups) + 1
        else:
            place["nsid"] = number // len(groups) + 2
        for where, row in (
            (table, device | own),
            (mapping, mapped | place),
            ("observed", observed | {"key": own["uuid"]}),
        ):
            names = ", ".join(row)
            marks = ", ".join(f":{name}" for name in row)
            database.execute(f"INSERT INTO {where} ({names}) VALUES ({marks})", row)


def measure(array: Simulator, count: int) -> Iterator[Line]:
    """Yield the lines of an array with so many LUNs and namespaces."""
    with jobs_end_at_once(array):
        for path, body in CHANGES.items():
            array.do("POST", path, body(FIRST_NEW))
            bodies = iter([body(FIRST_NEW + number) for number in range(1, NEW + 1)])
            spent = _spent(partial(_post_next, array, path, bodies), NEW)
            yield Line(f"POST {path}", f"with {count:,}", spent * 1000, "ms")
        rate = _together(array, lambda number: _create(array, FIRST_NEW + 1000 + number), NEW)
        # A LUN and its map are two changes.
        yield Line("changes", f"{CLIENTS} clients, with {count:,}", 2 * rate, "per s")
    for path, name in LISTS.items():
        spent = _spent(partial(array.get, f"{path}?fields=**"))
        floor = _spent(partial(_bare, name))
        against = times(spent, floor, "bare SELECT and JSON")
        yield Line(f"GET {path}?fields=**", f"with {count:,}", spent, against=against)
    for fields in ("", "&fields=**"):
        query = f"storage/luns?max_records={PAGE}{fields}"
        yield Line(f"GET {query}", f"with {count:,}", _spent(partial(array.get, query), 3))
    lun = contents.lun_path(count - 1)
    record = array.get(f"storage/luns?svm.name=bench&name={lun}")["records"][0]
    for path in (
        f"storage/luns?name={lun}",
        f"storage/luns?svm.name=bench&name={lun}",
        f"storage/luns/{record['uuid']}",
    ):
        rate = _together(array, partial(_get, array, path), 10 * NEW)
        shown = path.replace(record["uuid"], "{uuid}").replace(lun, "…")
        yield Line(f"GET {shown}", f"{CLIENTS} clients, with {count:,}", rate, "per s")


@contextmanager
def jobs_end_at_once(array: Simulator) -> Iterator[None]:
    """Replace the wake-up of the reconciler by one that only ends all jobs."""

    def end() -> None:
        with store.writing(array.database) as session:
            jobs.finish(session, jobs.waiting(session), {}, frozenset())
        jobs.tell_ended()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "wake", end)
        yield


def _post_next(array: Simulator, path: str, bodies: Iterator[dict[str, Any]]) -> None:
    array.do("POST", path, next(bodies))


def _get(array: Simulator, path: str, _number: int) -> None:
    array.get(path)


def _create(array: Simulator, number: int) -> None:
    array.do("POST", "storage/luns", contents.lun(number))
    array.do("POST", "protocols/san/lun-maps", contents.lun_map(number))


def _spent(do: Callable[[], Any], often: int = 1) -> float:
    """Return the processor's seconds that something takes."""
    started = time.process_time()
    for _ in range(often):
        do()
    return (time.process_time() - started) / often


def _together(array: Simulator, do: Callable[[int], Any], often: int) -> float:
    """Return how many times in a second CLIENTS threads together do something."""
    started = time.monotonic()
    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(do, range(often)))
    return often / (time.monotonic() - started)


def _bare(name: str) -> str:
    """Return all rows of a table as JSON."""
    with closing(sqlite3.connect(store.path())) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute(f"SELECT * FROM {name}").fetchall()
    return json.dumps([dict(row) for row in rows])


def main() -> None:
    """Measure with each number of objects and print the table."""
    lines: list[Line] = []
    for count in map(int, sys.argv[1:] or DEFAULT):
        with tempfile.TemporaryDirectory() as folder, simulated(Path(folder)) as array:
            fill(array, count)
            lines += measure(array, count)
    # The same measurement of different numbers stands together.
    order = list(dict.fromkeys(line.what for line in lines))
    print(table(sorted(lines, key=lambda line: order.index(line.what))))


if __name__ == "__main__":
    main()
