"""An array of the release before this one: its database, its machine, and its answers.

The code of that release, commit eb4bd98, made it (`make.py`):

* `database.sql`  the database, as SQL
* `secret.key`    the key of the secrets in it, in hexadecimal
* `machine.json`  all that the array, and hosts, did to the machine, call by call, as a `Host` takes
                  it: md, LVM, device-mapper, thin pools, configfs, addresses. The kernel in memory
                  of today comes to that state by its own rules.
* `answers.json`  the answers to clients: by path of a collection its records, with all fields

Its reconciler was killed at the end of `machine.json`: the second RAID group of aggr2 exists, but
is not yet in LVM. It did not begin with three more jobs: the new LUN /vol/vol2/late, the
deletion of /vol/vol3/unmapped, and a snapshot of vol2.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from simulator import FIREWALL, Simulator, Snapshot, simulated
from standing_clock import standing

from fakes import FakeKernel
from fakes.files import Directory, Text
from fakes.recorded import decode
from sanstone import migrate
from sanstone.core import secrets
from sanstone.core.database import store
from sanstone.kernel.network import firewall
from sanstone.kernel.target.nvmet import MAX_BLOCK_SIZE

FOLDER = Path(__file__).parent
FIRST_NUMBER = 10**6
"""Above all numbers in the array's UUIDs."""


def write_database(file: Path) -> None:
    """Have the database that the array of then left."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript((FOLDER / "database.sql").read_text())


def key() -> bytes:
    """Return the key of the secrets in the database."""
    return bytes.fromhex((FOLDER / "secret.key").read_text())


def machine() -> FakeKernel:
    """Return the machine as the array of then left it."""
    kernel = FakeKernel()
    kernel.boot_linux()
    # Its kernel goes on until the next boot, which is into today's.
    kernel.known_files[MAX_BLOCK_SIZE] = "4096"
    kernel.files.place("/var/lib/sanstone", Directory())
    kernel.files.place(firewall.FILE, Text(FIREWALL))
    for what, options, *encoded in json.loads((FOLDER / "machine.json").read_text()):
        door, _, method = what.partition(".")
        arguments = decode(encoded)
        if what == "hosts.write":
            _write(kernel, *arguments)
        else:
            part = kernel.storage if door == "storage" else getattr(kernel.host, door)
            getattr(part, method)(*arguments, **options)
    return kernel


def _write(kernel: FakeKernel, device: str, thin_id: int, size: int, offset: int) -> None:
    pool = kernel.mapper.pool(device)
    assert pool is not None
    pool.write(thin_id, size, offset)


def answers() -> dict[str, list[dict[str, Any]]]:
    """Return by path the records of each collection."""
    answers: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "answers.json").read_text())
    return answers


@contextmanager
def taken_over(folder: Path) -> Iterator[Simulator]:
    """Give an array of today that has the database and the machine of then, a minute later.

    Its reconciler has not run yet.
    """
    before = folder / "before"
    before.mkdir()
    write_database(before / "sanstone.db")
    database = store.engine(before / "sanstone.db")
    migrate.upgrade(database)
    with database.connect() as connection:
        then = connection.exec_driver_sql("SELECT max(end_time) FROM job").scalar_one()
    database.dispose()
    with standing(then + 60), simulated(folder) as array:
        secrets.key_path().write_bytes(key())
        array.load(Snapshot(machine(), before, FIRST_NUMBER))
        yield array
