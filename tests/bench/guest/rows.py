"""Runs in the array: adds rows to the database until it has NUMBER LUNs, and times a bare listing.

    rows.py NUMBER

The rows are copies of one LUN's, with other names and numbers. The reconciler must be stopped.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
import uuid

from sanstone.core.database import store


def main(number: int) -> None:
    """Add the rows and print the time of the listing, in seconds."""
    database = sqlite3.connect(store.path())
    database.row_factory = sqlite3.Row
    there = database.execute("SELECT count(*) FROM lun").fetchone()[0]
    pattern = dict(database.execute("SELECT * FROM lun LIMIT 1").fetchone())
    columns = ", ".join(pattern)
    volume = pattern["name"].rpartition("/")[0]
    values = ", ".join(f":{name}" for name in pattern)
    most = database.execute("SELECT max(number), max(thin_id) FROM lun").fetchone()
    with database:
        for index in range(1, number - there + 1):
            row = pattern | {
                "uuid": str(uuid.uuid4()),
                "name": f"{volume}/listed{index}",
                "serial_number": f"5a{index:010x}",
                "number": most[0] + index,
                "thin_id": (1 << 23) + index,
            }
            database.execute(f"INSERT INTO lun ({columns}) VALUES ({values})", row)
    started = time.perf_counter()
    rows = [dict(row) for row in database.execute("SELECT * FROM lun")]
    text = json.dumps(rows)
    spent = time.perf_counter() - started
    print(json.dumps({"spent": spent, "rows": len(rows), "bytes": len(text)}))


main(int(sys.argv[1]))
