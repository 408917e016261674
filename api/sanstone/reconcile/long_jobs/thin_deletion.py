"""Destroy a thin volume with many mapped blocks in steps, which takes seconds to minutes.

dm-thin's message `delete` walks the volume's whole tree of mappings and locks the pool's metadata
meanwhile: all I/O that needs the metadata waits, and so do queries of the pool's state
(drivers/md/dm-thin-metadata.c, dm_pool_delete_thin_device; persistent-data/dm-btree.c,
dm_btree_del: "O(n) - this is the slow one"). So the volume is activated as a private device and its
mapped blocks are discarded step by step; between the steps hosts' I/O proceeds. Hardly anything is
left for `delete`.

`delete` does not walk mappings that a snapshot or clone shares; it decrements their reference
count. Discarding them would copy metadata node by node. So after the first step that frees little,
the rest is left to `delete`.

A restart continues where it was interrupted, because discarded blocks are no longer mapped.
"""

from __future__ import annotations

import errno
from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from sanstone.kernel import names
from sanstone.kernel.host import Host, HostError, RequestError
from sanstone.kernel.storage import thin
from sanstone.reconcile.long_jobs.work import Progress

KIND = "thin.delete"
STEP = 1 << 30
"""Bytes discarded at once: up to 16,384 mappings, in about a hundred nodes of metadata."""
_LARGEST = 1 << 60


def order(uuid: str, aggregate: str, thin_id: int, volume: thin.Volume) -> dict[str, Any]:
    """Return the data of an order; `uuid`, of the removal, names the private device."""
    return {"uuid": uuid, "aggregate": aggregate, "thin_id": thin_id, "end": volume.end}


class ThinDeletion:
    """Destroys one thin volume with its data."""

    stoppable = True

    def __init__(self, host: Host, _database: Engine, data: dict[str, Any]) -> None:
        """Read the order. Raises HostError when it is malformed."""
        self._host, self._done = host, 0
        try:
            self._pool = names.pool_device(data["aggregate"])
            self._uuid = str(UUID(data["uuid"]))
            self._thin_id, self._end = data["thin_id"], data["end"]
            if self._thin_id not in range(thin.MAXIMUM_THIN_ID + 1):
                raise ValueError(f"thin id {self._thin_id}")
            if self._end not in range(_LARGEST):
                raise ValueError(f"end {self._end}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise HostError(f"this is no order to destroy a volume: {error}") from error

    def run(self) -> None:
        """Destroy the volume, unless it is gone already. Raises HostError."""
        try:
            if self._end:
                self._discard()
        except RequestError as error:
            if error.errno != errno.ENODATA:
                raise
        else:
            thin.ensure_no_thin(self._host, self._pool, self._thin_id)

    def progress(self) -> Progress:
        """Return the part of the volume that was processed."""
        return Progress(min(99, 100 * self._done // self._end) if self._end else None)

    def _discard(self) -> None:
        """Discard blocks that no snapshot shares. Raises RequestError ENODATA if it is gone."""
        with thin.shown(self._host, self._pool, self._thin_id, self._uuid, self._end) as device:
            for offset in range(0, self._end, STEP):
                mapped, used = device.occupied, self._used()
                length = min(STEP, self._end - offset)
                where = ["--offset", str(offset), "--length", str(length), device.path]
                self._host.commands.run(["blkdiscard", "--force", *where])
                unmapped, freed = mapped - device.occupied, used - self._used()
                self._done = offset + length
                if 2 * freed < unmapped:
                    return

    def _used(self) -> int:
        status = thin.pool_status(self._host, self._pool)
        if status is None or status.mode in ("ro", "failed"):
            raise HostError(f"{self._pool}: nothing can be destroyed in this pool now")
        return status.used
