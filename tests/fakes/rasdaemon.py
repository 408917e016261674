"""rasdaemon's database on the fake machine, and SQLite's program that reads it.

The tables are those of rasdaemon 0.8.2 (ras-record.c), and SQLite itself runs the queries: one that
the real database would refuse is refused here.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing

from fakes.commands import FakeCommands
from fakes.files import FakeFiles, Text
from sanstone.kernel.host import CommandError

DATABASE = "/var/lib/rasdaemon/ras-mc_event.db"
MEMORY_CONTROLLER = "/sys/devices/system/edac/mc/mc0"
UNCORRECTED = 0xBC00000000000000
"""Valid, uncorrected, enabled, with address and more, processor context intact."""
TABLES = """
CREATE TABLE mc_event (id INTEGER PRIMARY KEY, timestamp TEXT, err_count INTEGER, err_type TEXT,
 err_msg TEXT, label TEXT, mc INTEGER, top_layer INTEGER, middle_layer INTEGER, lower_layer INTEGER,
 address INTEGER, grain INTEGER, syndrome INTEGER, driver_detail TEXT);
CREATE TABLE aer_event (id INTEGER PRIMARY KEY, timestamp TEXT, dev_name TEXT, err_type TEXT,
 err_msg TEXT);
CREATE TABLE mce_record (id INTEGER PRIMARY KEY, timestamp TEXT, mcgcap INTEGER,
 mcgstatus INTEGER, status INTEGER, addr INTEGER, misc INTEGER, ip INTEGER, tsc INTEGER,
 walltime INTEGER, ppin INTEGER, cpu INTEGER, cpuid INTEGER, apicid INTEGER, socketid INTEGER,
 cs INTEGER, bank INTEGER, cpuvendor INTEGER, microcode INTEGER, bank_name TEXT, error_msg TEXT,
 mcgstatus_msg TEXT, mcistatus_msg TEXT, mcastatus_msg TEXT, user_action TEXT, mc_location TEXT);
CREATE TABLE memory_failure_event (id INTEGER PRIMARY KEY, timestamp TEXT, pfn TEXT, page_type TEXT,
 action_result TEXT);
"""


class FakeRasdaemon:
    """rasdaemon, which has not run at first. Its database outlives a reboot."""

    def __init__(self, files: FakeFiles, commands: FakeCommands) -> None:
        self._files = files
        self._database: bytes | None = None
        commands.register("sqlite3", self._sqlite3)

    def start(self) -> None:
        """Make the database, as rasdaemon does at its first start."""
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript(TABLES)
            self._database = database.serialize()
        self._files.place(DATABASE, Text("SQLite format 3"))

    def drop(self, table: str) -> None:
        """Be a rasdaemon that was built without something."""
        self._change(f"DROP TABLE {table}")

    def memory_error(self, kind: str, label: str, count: int = 1, controller: int = 0) -> None:
        """Record an error of the memory; `kind` is Corrected, Uncorrected, Fatal or Info."""
        row = (_now(), count, kind, "memory read error", label, controller)
        self._change(
            "INSERT INTO mc_event (timestamp, err_count, err_type, err_msg, label, mc)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            *row,
        )

    def machine_check(self, cpu: int, bank: int, status: int, message: str = "") -> None:
        """Record a machine check by the 64 bits of its bank's status."""
        signed = status - (1 << 64) if status >> 63 else status
        self._change(
            "INSERT INTO mce_record (timestamp, cpu, bank, status, error_msg, socketid)"
            " VALUES (?, ?, ?, ?, ?, 0)",
            *(_now(), cpu, bank, signed, message),
        )

    def pcie_error(self, kind: str, device: str, message: str) -> None:
        """Record an error of PCIe; `kind` is Corrected or Uncorrected ((Non-)Fatal)."""
        self._change(
            "INSERT INTO aer_event (timestamp, dev_name, err_type, err_msg) VALUES (?, ?, ?, ?)",
            *(_now(), device, kind, message),
        )

    def broken_page(self, frame: int, kind: str, result: str) -> None:
        """Record a page of the memory that the kernel gave up."""
        self._change(
            "INSERT INTO memory_failure_event (timestamp, pfn, page_type, action_result)"
            " VALUES (?, ?, ?, ?)",
            *(_now(), hex(frame), kind, result),
        )

    def _change(self, statement: str, *values: object) -> None:
        if self._database is None:
            self.start()
        with closing(sqlite3.connect(":memory:")) as database:
            assert self._database is not None
            database.deserialize(self._database)
            database.execute(statement, values)
            database.commit()
            self._database = database.serialize()

    def _sqlite3(self, argv: Sequence[str], _stdin: str) -> str:
        *options, path, query = argv[1:]
        assert options == ["-readonly", "-json", "-cmd", ".timeout 5000"], options
        if path != DATABASE or self._database is None:
            raise CommandError(argv, 1, f'Error: unable to open database "{path}"')
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(self._database)
            database.execute("PRAGMA query_only = ON")
            # SQLite has a clock of its own.
            database.create_function("datetime", 3, _datetime)
            database.row_factory = sqlite3.Row
            try:
                rows = [dict(row) for row in database.execute(query)]
            except sqlite3.Error as error:
                raise CommandError(argv, 1, f"Error: in prepare, {error}") from error
        # Without a row the program prints nothing.
        return f"{json.dumps(rows)}\n" if rows else ""


def _datetime(*arguments: str) -> str:
    """Return SQLite's result for the only arguments that are used."""
    assert arguments == ("now", "localtime", "-1 day"), arguments
    yesterday = time.time() - 86_400  # noqa: TID251 - the clock of all that stands
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(yesterday))


def _now() -> str:
    """Return the time as rasdaemon writes it."""
    return time.strftime("%Y-%m-%d %H:%M:%S %z")
