"""Runs in the array: takes a snapshot of thin devices with bare calls of device-mapper.

    pause.py UUID …

All are suspended, their pool gets a message for a snapshot of each, and all are resumed. The
snapshots are deleted again. Prints the seconds from the first call to the last.
"""

from __future__ import annotations

import json
import sys
import time

from sanstone.kernel import names
from sanstone.kernel.real import real_host

FIRST = 1 << 23
"""Numbers of thin devices that the product does not give out."""


def main(uuids: list[str]) -> None:
    """Take the snapshots."""
    mapper = real_host().mapper
    devices = [names.device(uuid) for uuid in uuids]
    pool, origins = "", []
    by_number = {f"{each.major}:{each.minor}": each.name for each in mapper.devices()}
    for device in devices:
        [target] = mapper.table(device)
        number, thin_id = target.arguments.split()[:2]
        origins.append(thin_id)
        pool = pool or by_number[number]
    started = time.perf_counter()
    for device in devices:
        mapper.suspend(device)
    for index, origin in enumerate(origins):
        mapper.message(pool, f"create_snap {FIRST + index} {origin}")
    for device in devices:
        mapper.resume(device)
    spent = time.perf_counter() - started
    for index in range(len(origins)):
        mapper.message(pool, f"delete {FIRST + index}")
    print(json.dumps({"spent": spent}))


main(sys.argv[1:])
