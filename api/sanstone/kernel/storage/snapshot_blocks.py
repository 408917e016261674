"""`sanstone-snapshot-blocks`: how many bytes snapshots hold, counted from a pool's metadata.

A block belongs to the newest snapshot that has it and to none if the volume itself still has it. So
the sizes of a volume's snapshots add up to what all of them hold, and a snapshot's size depends on
newer ones and the volume alone. A block that another volume has too, as a clone's parent does,
counts like any other.

It is a process of its own, with the lowest priority, since it may read for minutes: one node of
4 KiB for each 126 to 252 blocks that are mapped, without those that snapshots share. Its memory is
that of a bit for each block of the pool at most. It asks on standard input and answers on standard
output, in JSON:

    {"path": "/dev/mapper/…_tmeta", "root": 17, "seconds": 600,
     "volumes": [{"live": [thin ids], "snapshots": [[thin ids], …]}, …]}     newest snapshot first
    [[bytes of each snapshot], …]

When the seconds are over, the volumes that are not counted yet are missing at the end.
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
    asked = json.loads(question)
    deadline = time.monotonic() + asked["seconds"]
    metadata = ThinMetadata(host, asked["path"], asked["root"])
    counted = []
    for volume in asked["volumes"]:
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
            for found in metadata.new_blocks(thin_id, walked):
                new += blocks.add(found)
                if time.monotonic() > deadline:
                    raise TimeoutError
        sizes.append(new * metadata.chunk)
    return sizes[1:]
