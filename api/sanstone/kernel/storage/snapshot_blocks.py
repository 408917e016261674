"""`sanstone-snapshot-blocks`: count the bytes that snapshots hold, from a pool's metadata.

A block belongs to the newest snapshot that maps it, and to none if the volume itself still maps it.
So the sizes of a volume's snapshots add up to their total, and a snapshot's size depends only on
newer ones and the volume. A block that another volume maps too, such as a clone's parent, counts
like any other.

It is a separate process, with the lowest priority, since it may read for minutes: one node of 4 KiB
for each 126 to 252 mapped blocks, without those that snapshots share. It uses at most a bit of
memory for each block of the pool. It reads the question on standard input and answers on standard
output, in JSON:

    {"path": "/dev/mapper/…_tmeta", "root": 17, "seconds": 600,
     "volumes": [{"live": [thin ids], "snapshots": [[thin ids], …]}, …]}     newest snapshot first
    [[bytes of each snapshot], …]

When the seconds are over, volumes that are not counted yet are missing at the end.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.real import real_host
from sanstone.kernel.storage.thin_metadata import BlockSet, ThinMetadata

PROGRAM = "sanstone-snapshot-blocks"
LOWEST_PRIORITY = 19


def main() -> None:
    """Answer the question on standard input."""
    os.nice(LOWEST_PRIORITY)
    try:
        print(answer(real_host(), sys.stdin.read()))
    except HostError as error:
        sys.exit(str(error))


def answer(host: Host, question: str) -> str:
    """Return the answer to a question. Raises HostError for metadata that cannot be read."""
    parsed = json.loads(question)
    deadline = time.monotonic() + parsed["seconds"]
    metadata = ThinMetadata(host, parsed["path"], parsed["root"])
    counted = []
    for volume in parsed["volumes"]:
        try:
            counted.append(_count(metadata, volume, deadline))
        except TimeoutError:
            break
    return json.dumps(counted)


def _count(metadata: ThinMetadata, volume: dict[str, Any], deadline: float) -> list[int]:
    """Return the bytes of each snapshot. Raises TimeoutError."""
    walked, blocks = BlockSet(), BlockSet()
    sizes = []
    for thin_ids in (volume["live"], *volume["snapshots"]):
        new = 0
        for thin_id in thin_ids:
            for node_blocks in metadata.new_blocks(thin_id, walked):
                new += blocks.add(node_blocks)
                if time.monotonic() > deadline:
                    raise TimeoutError
        sizes.append(new * metadata.chunk)
    return sizes[1:]
