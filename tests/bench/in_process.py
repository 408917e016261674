"""What the API's own part of a request costs: `python -m bench.in_process [OBJECTS …]`.

For each number of objects the array is one process with a kernel in memory, has half as many LUNs
as namespaces have beside them, all mapped, and the reconciler is replaced by the end of each job at
once. So no machine is needed, and what is measured is the API alone: beside each list the same rows
by plain sqlite3 and json.dumps, beside each change that of an array with next to nothing in it.
`tests`, `tests/unit` and `api` must be on the path.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from typing import Any

from simulator import Simulator

from bench import contents
from sanstone.core import metrics, store

DEFAULT = (16, 4000, 20_000)
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
NEW = 20
"""Objects that are created for a figure; names of those that were put in by SQL begin below."""
FIRST_NEW = 1_000_000


class _Client:
    """A simulated array as `contents` speaks to one."""

    def __init__(self, array: Simulator) -> None:
        self._array = array

    def post(self, path: str, body: Any) -> Any:
        """Create an object."""
        return self._array.do("POST", path, body)


def fill(array: Simulator, count: int) -> None:
    """Have `count` LUNs and as many namespaces, mapped, seen and counted, put in by SQL."""
    client: Any = _Client(array)
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
    """Copy the one row of a table, of its mapping and of what was seen of it."""
    device = dict(database.execute(f"SELECT * FROM {table}").fetchone())
    mapped = dict(database.execute(f"SELECT * FROM {mapping}").fetchone())
    seen = dict(
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
            ("observed", seen | {"key": own["uuid"]}),
        ):
            names = ", ".join(row)
            marks = ", ".join(f":{name}" for name in row)
            database.execute(f"INSERT INTO {where} ({names}) VALUES ({marks})", row)
