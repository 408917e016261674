"""Runs in the array: has its exports, and a device of its own, lie on one thin volume in memory.

    one_device.py UUID …

The thin device below each export gets another table, as when a LUN moves to another aggregate;
the exports stay as they are. The reconciler must be stopped; it puts the tables back when it starts
again. Prints the names in /sys/block by UUID, and that of the device of its own as `local`.
"""

from __future__ import annotations

import json
import sys

from bench.guest import memory_pool
from sanstone.kernel import names
from sanstone.kernel.host import Target
from sanstone.kernel.real import real_host
from sanstone.kernel.storage import thin
from sanstone.kernel.storage.mapped import SECTOR
from sanstone.kernel.storage.stack import over_thin

THIN_ID = 1
LOCAL = "bench-local"


def main(uuids: list[str]) -> None:
    """Make the volume unless it is there, and change the tables."""
    host = real_host()
    memory_pool.make(host)
    thin.ensure_thin(host, memory_pool.NAME, THIN_ID)
    volume = f"{memory_pool.number(host, memory_pool.NAME)} {THIN_ID}"
    table = [Target(0, memory_pool.SIZE // SECTOR, "thin", volume)]
    memory_pool.activate(host, LOCAL, table)
    local = memory_pool.block_device(host, LOCAL)
    memory_pool.write_all(host, f"/dev/{local}", memory_pool.SIZE)
    for uuid in uuids:
        lowest = over_thin.live_names(host, uuid)[-1]
        [before] = host.mapper.table(lowest)
        assert (before.kind, before.length) == (table[0].kind, table[0].length), before
        memory_pool.activate(host, lowest, table)
    devices = {uuid: memory_pool.block_device(host, names.device(uuid)) for uuid in uuids}
    print(json.dumps(devices | {"local": local}))


main(sys.argv[1:])
