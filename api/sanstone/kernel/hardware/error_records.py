"""Errors of memory, processors and PCIe while the system runs, as rasdaemon has recorded them.

The kernel tells of each by a trace event (include/ras/ras_event.h, include/trace/events/mce.h),
which rasdaemon writes into a database of SQLite (ras-record.c, the same tables since 0.6), so that
errors before a reboot are known after it. The kernel's counters tell less: those of EDAC and AER in
sysfs begin anew at each boot and have no time, and of machine checks there are none.

Errors of the memory that processors report themselves are recorded twice where EDAC decodes them:
as machine checks of the memory's controllers, and with the label of the DIMM. Then the second
counts.

SQLite's own program reads the database: it has options to wait, and to write nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sanstone.kernel.host import Host, HostError

DATABASE = "/var/lib/rasdaemon/ras-mc_event.db"
MEMORY, PROCESSOR, PCIE, PAGE = "memory", "processor", "pcie", "page"
"""Sources: a DIMM, a bank of a processor, a PCIe device, a page that the kernel gave up."""
CORRECTED, UNCORRECTED, FATAL = "corrected", "uncorrected", "fatal"
PATIENCE = 60.0
LONGEST = 200
"""Characters of a message."""
_DECODER = "/sys/devices/system/edac/mc/mc0"
"""The first memory controller that EDAC decodes errors of."""
_QUERIES = {
    "mc_event": """
        SELECT 'memory' AS source,
            CASE err_type WHEN 'Corrected' THEN 'corrected' ELSE 'uncorrected' END AS severity,
            label || ', memory controller ' || mc AS device,
            max(err_msg) AS message, sum(max(err_count, 1)) AS count
        FROM mc_event
        WHERE timestamp >= datetime('now', 'localtime', '-1 day')
            AND id > (SELECT max(id) FROM mc_event) - 100000
            AND err_type IN ('Corrected', 'Uncorrected', 'Fatal')
        GROUP BY 2, 3""",
    "mce_record": """
        SELECT 'processor' AS source,
            CASE (status >> 61) & 1 WHEN 0 THEN 'corrected' ELSE 'uncorrected' END AS severity,
            'processor ' || cpu || ', bank ' || bank AS device,
            max(error_msg) AS message, count(*) AS count
        FROM mce_record
        WHERE timestamp >= datetime('now', 'localtime', '-1 day')
            AND id > (SELECT max(id) FROM mce_record) - 100000
            AND (status & 0xEF80) <> 0x80
        GROUP BY 2, 3""",
    "aer_event": """
        SELECT 'pcie' AS source,
            CASE err_type WHEN 'Corrected' THEN 'corrected'
                WHEN 'Uncorrected (Fatal)' THEN 'fatal' ELSE 'uncorrected' END AS severity,
            dev_name AS device,
            max(err_msg) AS message, count(*) AS count
        FROM aer_event
        WHERE timestamp >= datetime('now', 'localtime', '-1 day')
            AND id > (SELECT max(id) FROM aer_event) - 100000
        GROUP BY 2, 3""",
    "memory_failure_event": """
        SELECT 'page' AS source, 'uncorrected' AS severity, '' AS device,
            max(page_type || ': ' || action_result) AS message, count(*) AS count
        FROM memory_failure_event
        WHERE timestamp >= datetime('now', 'localtime', '-1 day')
            AND id > (SELECT max(id) FROM memory_failure_event) - 100000
        GROUP BY 1""",
}
"""By table: the errors of the last day. A rasdaemon may be built without some tables. There may be
millions of rows, so only the newest count. Errors that only inform are left out. The bits of a
status are those of Intel SDM volume 3, 17.3.2.2 and table 17-10, and AMD APM volume 2, 9.3.2.2: 61
is that an error was not corrected, 7 of the lowest that a memory controller had it."""
_UNDECODED = """
        SELECT 'memory' AS source,
            CASE (status >> 61) & 1 WHEN 0 THEN 'corrected' ELSE 'uncorrected' END AS severity,
            'of socket ' || socketid AS device,
            max(error_msg) AS message, count(*) AS count
        FROM mce_record
        WHERE timestamp >= datetime('now', 'localtime', '-1 day')
            AND id > (SELECT max(id) FROM mce_record) - 100000
            AND (status & 0xEF80) = 0x80
        GROUP BY 2, 3"""
"""Errors of memory controllers, where EDAC decodes none."""


@dataclass(frozen=True)
class Errors:
    """Errors of one device (`''` for the memory as a whole), and how many there were in a day.

    `message` is the text of one of them, a line of bounded length.
    """

    source: str
    severity: str
    device: str
    message: str
    count: int


def read(host: Host) -> list[Errors]:
    """Return the errors of the last day, none where rasdaemon never ran. Raises HostError."""
    if not host.files.exists(DATABASE):
        return []
    tables = {row["name"] for row in _rows(host, "SELECT name FROM sqlite_master")}
    queries = [query for table, query in _QUERIES.items() if table in tables]
    if "mce_record" in tables and not host.files.exists(_DECODER):
        queries.append(_UNDECODED)
    rows = _rows(host, " UNION ALL ".join(queries)) if queries else []
    return [
        Errors(
            source=str(row["source"]),
            severity=str(row["severity"]),
            device=str(row["device"] or ""),
            message=_shown(str(row["message"] or "")),
            count=int(row["count"]),
        )
        for row in rows
    ]


def _shown(message: str) -> str:
    """Return a message without what no line has; of decoded registers the beginning says most."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in message).split())
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]} …"


def _rows(host: Host, query: str) -> list[dict[str, Any]]:
    """Return the rows that a query yields. Raises HostError."""
    # A reader waits while the log is written back to the database (sqlite3(1), .timeout).
    argv = ["sqlite3", "-readonly", "-json", "-cmd", ".timeout 5000", DATABASE, query]
    answer = host.commands.run(argv, time_limit=PATIENCE).strip()
    try:
        # Without a row the program prints nothing.
        rows = json.loads(answer or "[]")
    except json.JSONDecodeError as error:
        raise HostError("sqlite3: its answer is no JSON") from error
    return rows if isinstance(rows, list) else []
